import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { RequestTimes } from './request-times.ts'

/** An answer that lies ready, whole. Headers are names and values in turn; `unchanged` are those of a 304. */
export type AtHand = { route: string; etag: string; headers: string[]; unchanged: string[]; body: Buffer }

/** Answers a request with what lies ready for exactly it, or undefined. */
export type Find = (request: IncomingMessage) => AtHand | undefined

const FINDERS = new WeakMap<object, Map<string, Find>>()

/** Who of an app may have an answer at hand, by path. */
export function atHand({ server }: FastifyInstance): Map<string, Find> {
  const finders = FINDERS.get(server) ?? new Map<string, Find>()
  FINDERS.set(server, finders)
  return finders
}

/** At these levels Fastify logs each request, and must see it. */
const LOGS_REQUESTS = new Set(['info', 'debug', 'trace'])

/**
 * Answers what lies ready before Fastify has done anything for it: pages, and public lists that many ask for at once.
 * They are counted as all others are. Where requests are logged, and while the program stops, Fastify answers.
 */
export function answerAtHand(app: FastifyInstance, times: RequestTimes): void {
  const finders = atHand(app)
  let isOn = !LOGS_REQUESTS.has(app.log.level)
  app.addHook('preClose', async () => {
    isOn = false
  })

  const others = app.server.listeners('request') as RequestListener[]
  app.server
    .removeAllListeners('request')
    .on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { method, url = '', headers } = request
      const query = url.indexOf('?')
      const find = isOn && method === 'GET' ? finders.get(query < 0 ? url : url.slice(0, query)) : undefined
      const known = find?.(request)
      if (known === undefined) {
        for (const other of others) other(request, response)
        return
      }
      const began = performance.now()
      const has = headers['if-none-match']?.includes(known.etag) === true
      if (has) response.writeHead(304, known.unchanged).end()
      else response.writeHead(200, known.headers).end(known.body)
      times.observe('GET', known.route, has ? 304 : 200, performance.now() - began)
    })
}

/** The same headers as a list of names and values. */
export function flat(headers: Record<string, string>): string[] {
  return Object.entries(headers).flat()
}
