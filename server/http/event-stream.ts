import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Options of a route that streams. A HEAD request would hold a connection open for nothing. */
export const STREAM_ROUTE = { exposeHeadRoute: false, config: { shedsLoad: false } } as const

/** Begins a response of server-sent events, which the caller writes and ends. It has no time limit. */
export function beginEventStream(app: FastifyInstance, reply: FastifyReply): ServerResponse {
  reply.hijack()
  const { raw } = reply
  raw.on('error', () => {})
  if (raw.socket !== null) {
    app.connectionLimit.exempt(raw.socket)
    raw.socket.setTimeout(0)
    raw.socket.setKeepAlive(true, 30_000)
  }
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    // The connection ends with its stream.
    connection: 'close',
    'x-accel-buffering': 'no',
  })
  return raw
}

/** Returns the number of the last event that a reconnecting client has received. */
export function lastEventId({ headers }: FastifyRequest): number | undefined {
  const header = headers['last-event-id']
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
