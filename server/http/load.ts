import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import { errorReply } from './errors.ts'
import { headersOf } from './headers.ts'
import { Refusal } from './refusal.ts'

/**
 * For each connection to the database so many calls may wait for long. More would only wait for one another: those who
 * came last would be answered after they had given up, and those who came first as late as they.
 */
const STANDING_PER_CONNECTION = 32
/** So many may come at the same moment: a crowd that is served within `STANDING_MS` is no overload. */
const AT_ONCE_PER_CONNECTION = 64
const STANDING_MS = 500
/** So many may be under way whatever there is, that no connection is idle in an overload. */
const LEAST_PER_CONNECTION = 4
/** How fast answers come is measured over this time. */
const MEASURED_MS = 1000
const RETRY_AFTER_SECONDS = '1'
/**
 * Refusals go out together after at most this: written one by one they cost several times as much, and who asks again at
 * once is slowed down.
 */
const REFUSED_AFTER_MS = 50

const BUSY = JSON.stringify(
  errorReply(
    new Refusal(
      'unavailable',
      'We are very busy right now. Nothing was changed; please try again in a moment.',
    ),
  ),
)
/** They last long without costing much: an open page, and a picture that comes over a slow line. */
const NOT_COUNTED = /^\/api\/(live|images)(?![^/?])/

/** Decides who is let in. A call is under way from when its body has been read until its answer is ready. */
export type Gate = { isFull(): boolean; enter(): void; leave(): void; turnedAway: number }

/**
 * While calls come no faster than they are answered, a crowd may come at once. Once more than the standing number has
 * been under way for half a second, no more than that are let in, and no more than are answered in half a second, until
 * the queue has halved: whoever is let in then waits for about that long, also where the database is slow, and the work
 * that is done is the work of those who are still waiting for it.
 * @param connections to the database.
 * @param now milliseconds of a clock that only goes on.
 */
export function makeGate(connections: number, now = () => performance.now()): Gate {
  const standing = connections * STANDING_PER_CONNECTION
  const least = connections * LEAST_PER_CONNECTION
  const most = connections * AT_ONCE_PER_CONNECTION
  let underWay = 0
  let aboveSince = Number.POSITIVE_INFINITY
  /** How many may be under way in the overload that there is; undefined while there is none. */
  let room: number | undefined
  let answered = 0
  let answeredSince = 0

  function measure(): void {
    const passed = now() - answeredSince
    if (passed < MEASURED_MS) return
    room = Math.min(standing, Math.max(least, (answered / passed) * STANDING_MS))
    answered = 0
    answeredSince = now()
  }

  return {
    isFull() {
      if (room === undefined) {
        if (underWay < most && now() - aboveSince <= STANDING_MS) return false
        room = standing
        answered = 0
        answeredSince = now()
      } else measure()
      return underWay >= room
    },
    enter() {
      underWay++
      if (underWay === standing) aboveSince = now()
    },
    leave() {
      underWay--
      answered++
      if (underWay < standing) aboveSince = Number.POSITIVE_INFINITY
      if (room !== undefined && underWay < room / 2) room = undefined
    },
    turnedAway: 0,
  }
}

/**
 * Turns calls away (503, Retry-After) while too many are under way. Most are refused before Fastify has done anything for
 * them: a flood costs a fraction of what answers cost, and takes little from those who were let in.
 */
export function shedLoad(app: FastifyInstance, config: Config): Gate {
  const gate = makeGate(config.databasePool)
  const counted = new WeakSet<object>()
  const headers = {
    ...headersOf(config, true),
    'content-type': 'application/json; charset=utf-8',
    'content-length': BUSY.length,
    'retry-after': RETRY_AFTER_SECONDS,
  }

  let refused: ServerResponse[] = []
  const refuseAll = () => {
    for (const response of refused) response.writeHead(503, headers).end(BUSY)
    refused = []
  }
  const answers = app.server.listeners('request') as RequestListener[]
  app.server
    .removeAllListeners('request')
    .on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (isCounted(request.url ?? '') && gate.isFull()) {
        gate.turnedAway++
        if (refused.push(response) === 1) setTimeout(refuseAll, REFUSED_AFTER_MS)
      } else for (const answer of answers) answer(request, response)
    })

  // Who passed while there was room can find none when their body has been read.
  app.addHook('preHandler', async ({ raw }, reply) => {
    if (!isCounted(raw.url ?? '')) return undefined
    if (gate.isFull()) {
      gate.turnedAway++
      return reply.status(503).headers(headers).send(BUSY)
    }
    gate.enter()
    counted.add(raw)
    return undefined
  })
  const leave = ({ raw }: { raw: object }) => {
    if (counted.delete(raw)) gate.leave()
  }
  app.addHook('onSend', async (request) => leave(request))
  app.addHook('onResponse', async (request) => leave(request))
  return gate
}

const isCounted = (url: string) => url.startsWith('/api/') && !NOT_COUNTED.test(url)
