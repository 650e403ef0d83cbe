import type { FastifyInstance } from 'fastify'
import { pathOf } from '#contract/endpoint.ts'
import * as contract from '#contract/live.ts'
import { DEFAULT_LOCALE } from '#contract/locales.ts'
import type { Context } from '#server/context.ts'
import { authorize } from '#server/http/access.ts'
import { sessionOf } from '#server/http/caller.ts'
import { beginEventStream, lastEventId, STREAM_ROUTE } from '#server/http/event-stream.ts'
import { Refusal } from '#server/http/refusal.ts'
import { createWriteLimit } from '#server/http/write-limit.ts'
import { Connection } from './live-connection.ts'
import { createLiveHub } from './live-hub.ts'

/** A client reconnects with a new token at least this often. */
const STREAM_MINUTES_MAX = 15
/** A page opens four in an hour, and one more after each lost connection. */
const OPENINGS_PER_HOUR = { perUser: 1_200, perNetwork: 24_000 }

/** Serves the event stream. It bypasses `serve` because its response does not end. */
export function liveRoutes(app: FastifyInstance, context: Context): void {
  const hub = createLiveHub(context.database, context.replicas, (error) =>
    app.log.warn({ err: error }, 'polling live events failed'),
  )
  app.addHook('preClose', () => hub.close())

  const countOpening = createWriteLimit(context.database, context.config, {
    method: 'GET',
    path: pathOf(contract.live),
    limit: OPENINGS_PER_HOUR,
  })

  app.get<{ Querystring: { tasks?: unknown; loaded?: unknown } }>(
    pathOf(contract.live),
    STREAM_ROUTE,
    async (request, reply) => {
      const caller = await context.authenticate(request)
      authorize(contract.live, caller, undefined, undefined)
      await countOpening(request.ip, caller.identityId, async () => undefined)
      if (hub.full) throw new Refusal('unavailable.live')

      const raw = beginEventStream(app, reply)
      const connection = new Connection(
        {
          userId: caller.identityId,
          sessionId: sessionOf(caller),
          locale: caller.viewer?.locale ?? DEFAULT_LOCALE,
          watchesTasks: request.query.tasks === 'true',
          until: Date.now() + STREAM_MINUTES_MAX * 60_000,
        },
        raw,
      )
      raw.once('close', () => hub.leave(connection))
      try {
        await hub.join(connection, lastEventId(request), request.query.loaded === 'true')
      } catch (error) {
        app.log.warn({ err: error }, 'an event stream could not be opened')
        raw.destroy()
      }
    },
  )
}
