import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Returns the response to a request of this route where its bytes are ready. */
    readyResponse?: (request: FastifyRequest) => ReadyResponse | undefined
  }
}

/** A response whose bytes are ready. Headers are names and values in turn. */
export type ReadyResponse = {
  etag: string
  headers: string[]
  notModifiedHeaders: string[]
  body: Buffer
}

type Headers = Record<string, string>

/** Creates a ready response. `headers` are also sent with a 304, `contentHeaders` only with the body. */
export function readyResponse(
  etag: string,
  headers: Headers,
  contentHeaders: Headers,
  body: Buffer,
): ReadyResponse {
  const length = { 'content-length': String(body.length) }
  return {
    etag,
    headers: Object.entries({ ...headers, ...contentHeaders, ...length }).flat(),
    notModifiedHeaders: Object.entries(headers).flat(),
    body,
  }
}

/**
 * Sends ready responses in the first hook of the request lifecycle. Fastify logs and measures them like all others; the
 * hooks after this one, load shedding among them, are skipped.
 */
export function sendReadyResponses(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const ready = request.routeOptions.config.readyResponse?.(request)
    if (ready === undefined) done()
    else sendReady(request, reply, ready)
  })
}

/** Writes a ready response past Fastify's serialization, or 304 when the client has it. */
export function sendReady(
  { headers: { 'if-none-match': known } }: FastifyRequest,
  reply: FastifyReply,
  { etag, headers, notModifiedHeaders, body }: ReadyResponse,
  status: 200 | 404 = 200,
): FastifyReply {
  // The client has disconnected: nothing is written, and the hooks after the handler run.
  if (reply.raw.destroyed) return reply.send()
  const { raw } = reply.hijack()
  if (status === 200 && known?.includes(etag)) raw.writeHead(304, notModifiedHeaders).end()
  else raw.writeHead(status, headers).end(body)
  return reply
}
