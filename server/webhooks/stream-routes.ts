import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/api-events.ts'
import { pathOf } from '#contract/endpoint.ts'
import type { Context } from '#server/context.ts'
import { authorize } from '#server/http/access.ts'
import { createApiKeyLimit } from '#server/http/api-key-limit.ts'
import { sessionOf } from '#server/http/caller.ts'
import { beginEventStream, lastEventId, STREAM_ROUTE } from '#server/http/event-stream.ts'
import { Refusal } from '#server/http/refusal.ts'
import { createWriteLimit } from '#server/http/write-limit.ts'
import { createEventHub } from './event-stream.ts'

/** A client reconnects at least this often. */
const STREAM_MINUTES_MAX = 60
const OPENINGS_PER_HOUR = { perUser: 1_200, perNetwork: 24_000 }

/** Serves the stream of API events. It bypasses `serve` because its response does not end. */
export function eventStreamRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context
  const hub = createEventHub(database, (error) => app.log.warn({ err: error }, 'reading API events failed'))
  app.addHook('preClose', async () => hub.close())

  const path = pathOf(contract.apiEvents)
  const countApiKeyRequest = createApiKeyLimit(database)
  const countOpening = createWriteLimit(database, config, { method: 'GET', path, limit: OPENINGS_PER_HOUR })

  app.get(path, STREAM_ROUTE, async (request, reply) => {
    const caller = await context.authenticate(request)
    request.caller = caller
    if (caller.key) await countApiKeyRequest(reply, caller.key.id)
    authorize(contract.apiEvents, caller, undefined, undefined)
    await countOpening(request.ip, caller.identityId, async () => undefined)
    if (hub.full) throw new Refusal('unavailable.live')

    const raw = beginEventStream(app, reply)
    app.countApiKeyUse(request, raw.statusCode)
    const client = {
      userId: caller.identityId,
      credential: caller.key?.id ?? sessionOf(caller),
      until: Date.now() + STREAM_MINUTES_MAX * 60_000,
    }
    try {
      await hub.join(client, raw, lastEventId(request))
    } catch (error) {
      app.log.warn({ err: error }, 'a stream of API events could not be opened')
      raw.destroy()
    }
  })
}
