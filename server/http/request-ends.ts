import type { EventEmitter } from 'node:events'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Emits `ended` once per request, when its response has been sent or its connection has closed before. Fastify runs `onResponse`
 * for responses that were sent only. The status is `CLIENT_CLOSED_REQUEST` when the connection closed before the response began.
 */
export type RequestEnds = EventEmitter<{
  ended: [request: FastifyRequest, reply: FastifyReply, status: number]
}>

/** The status of nginx for a request whose client has disconnected. No client receives it. */
export const CLIENT_CLOSED_REQUEST = 499

/** Emits the end of each request that the router can read. */
export function emitRequestEnds(app: FastifyInstance, ends: RequestEnds): void {
  app.addHook('onRequest', (request, reply, done) => {
    emitEndOf(request, reply, ends)
    done()
  })
}

/** Emits the end of this request. */
export function emitEndOf(request: FastifyRequest, reply: FastifyReply, ends: RequestEnds): void {
  const { raw } = reply
  // After the connection has closed Node emits nothing else, also when the response is written later.
  raw.once('close', () => {
    ends.emit('ended', request, reply, raw.headersSent ? raw.statusCode : CLIENT_CLOSED_REQUEST)
  })
}
