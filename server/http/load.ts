import type { FastifyInstance } from 'fastify'
import { errorReply } from './errors.ts'
import { Refusal } from './refusal.ts'

/**
 * So many calls are worked on at once for each connection to the database. More would only wait for one another: those
 * who came last would be answered after they had given up, and those who came first as late as they.
 */
const AT_ONCE_PER_CONNECTION = 64
const BUSY = JSON.stringify(
  errorReply(
    new Refusal(
      'unavailable',
      'We are very busy right now. Nothing was changed; please try again in a moment.',
    ),
  ),
)
/** They last long without costing much: an open page, and a picture that comes over a slow line. */
const NOT_COUNTED = new Set(['/api/live', '/api/images'])

/**
 * Turns calls away at once (503, Retry-After) while too many are under way. A call counts from when its body has been
 * read until its answer is ready, so that slow clients hold no place.
 */
export function shedLoad(app: FastifyInstance, connections: number): void {
  const max = connections * AT_ONCE_PER_CONNECTION
  const counted = new WeakSet<object>()
  let underWay = 0

  app.addHook('preHandler', async (request, reply) => {
    const { url } = request.routeOptions
    if (url === undefined || !url.startsWith('/api/') || NOT_COUNTED.has(url)) return undefined
    if (underWay >= max)
      return reply
        .status(503)
        .headers({ 'retry-after': '1', 'content-type': 'application/json; charset=utf-8' })
        .send(BUSY)
    underWay++
    counted.add(request)
    return undefined
  })
  const leave = (request: object) => {
    if (counted.delete(request)) underWay--
  }
  app.addHook('onSend', async (request) => leave(request))
  app.addHook('onResponse', async (request) => leave(request))
}
