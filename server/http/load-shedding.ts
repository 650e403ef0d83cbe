import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LOCALES } from '#contract/locales.ts'
import type { Config } from '#server/config.ts'
import { errorHeaders, errorReply } from './errors.ts'
import { Refusal } from './refusal.ts'
import { requestLocale } from './request-locale.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False for routes that are served in an overload too, and for those that stay open for long at little cost. */
    shedsLoad?: false
  }
}

/** Requests in flight per database connection that may stay for long. More would only wait for one another. */
const STEADY_PER_CONNECTION = 32
/** Requests in flight per database connection at any moment: a burst that is served within `BURST_MS` is no overload. */
const BURST_PER_CONNECTION = 64
const BURST_MS = 500
/** This many are always admitted, so that no connection is idle in an overload. */
const MIN_PER_CONNECTION = 4
/** The rate of responses is measured over this time. */
const MEASURE_MS = 1000
const RETRY_AFTER_SECONDS = 1
/** Rejections are sent together after this delay, which costs less than one by one and slows down clients that retry at once. */
const REJECT_DELAY_MS = 50

const refusal = new Refusal('unavailable.overloaded')
const OVERLOADED = new Map(LOCALES.map((locale) => [locale, JSON.stringify(errorReply(refusal, locale))]))

/** Decides which requests are admitted. A request is in flight from when its body has been read until its response is ready. */
export type LoadShedder = {
  isOverloaded(): boolean
  start(): void
  finish(): void
  inFlight(): number
  /** Requests rejected since the server started. */
  rejected: number
}

/**
 * Creates a load shedder. Bursts are admitted. When more than the steady limit stay in flight for `BURST_MS`, new requests are
 * rejected until the queue has halved. Meanwhile no more are admitted than are completed in `BURST_MS`, so that an admitted
 * request waits for about that long, also where the database is slow.
 * @param connections to the database.
 * @param now milliseconds of a monotonic clock.
 */
export function createLoadShedder(connections: number, now = () => performance.now()): LoadShedder {
  const steadyLimit = connections * STEADY_PER_CONNECTION
  const burstLimit = connections * BURST_PER_CONNECTION
  const minLimit = connections * MIN_PER_CONNECTION
  let inFlight = 0
  let aboveSteadySince = Number.POSITIVE_INFINITY
  /** How many may be in flight during an overload; undefined while there is none. */
  let overloadLimit: number | undefined
  let completed = 0
  let measuredSince = 0

  function adaptLimit(): void {
    const passed = now() - measuredSince
    if (passed < MEASURE_MS) return
    overloadLimit = Math.min(steadyLimit, Math.max(minLimit, (completed / passed) * BURST_MS))
    completed = 0
    measuredSince = now()
  }

  return {
    isOverloaded() {
      if (overloadLimit === undefined) {
        if (inFlight < burstLimit && now() - aboveSteadySince <= BURST_MS) return false
        overloadLimit = steadyLimit
        completed = 0
        measuredSince = now()
      } else adaptLimit()
      return inFlight >= overloadLimit
    },
    start() {
      inFlight++
      if (inFlight === steadyLimit) aboveSteadySince = now()
    },
    finish() {
      inFlight--
      completed++
      if (inFlight < steadyLimit) aboveSteadySince = Number.POSITIVE_INFINITY
      if (overloadLimit !== undefined && inFlight < overloadLimit / 2) overloadLimit = undefined
    },
    inFlight: () => inFlight,
    rejected: 0,
  }
}

/**
 * Rejects requests with 503 and `Retry-After` during an overload, before their body is read and their token is checked.
 * Pages, pictures, cached responses and unknown paths cost no more than a rejection and are always served.
 */
export function shedLoad(app: FastifyInstance, config: Config): LoadShedder {
  const shedder = createLoadShedder(config.databasePool)
  const started = new WeakSet<FastifyRequest>()
  let rejected: FastifyReply[] = []

  function sendRejections(): void {
    const replies = rejected
    rejected = []
    for (const reply of replies) {
      const locale = requestLocale(reply.request)
      reply
        .code(503)
        .headers({
          'content-type': 'application/json; charset=utf-8',
          'retry-after': String(RETRY_AFTER_SECONDS),
          ...errorHeaders(locale),
        })
        .send(OVERLOADED.get(locale))
    }
  }
  function reject(reply: FastifyReply): void {
    shedder.rejected++
    if (rejected.push(reply) === 1) setTimeout(sendRejections, REJECT_DELAY_MS)
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (shedsLoad(request) && shedder.isOverloaded()) reject(reply)
    else done()
  })
  // Counted from here on, so that slow bodies hold no place. An overload can have begun while the body was read.
  app.addHook('preHandler', (request, reply, done) => {
    if (!shedsLoad(request)) return done()
    if (shedder.isOverloaded()) return reject(reply)
    shedder.start()
    started.add(request)
    // A hijacked reply skips onSend, and onResponse when the client leaves before the end.
    reply.raw.once('close', () => reply.sent && finish(request))
    return done()
  })
  const finish = (request: FastifyRequest) => {
    if (started.delete(request)) shedder.finish()
  }
  app.addHook('onSend', (request, _reply, payload, done) => {
    finish(request)
    done(null, payload)
  })
  return shedder
}

function shedsLoad({ is404, routeOptions }: FastifyRequest): boolean {
  const { config } = routeOptions
  return !is404 && config.isPublic !== true && config.shedsLoad !== false
}
