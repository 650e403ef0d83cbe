import type { FastifyInstance } from 'fastify'
import { pathOf } from '#contract/endpoint.ts'
import * as contract from '#contract/live.ts'
import type { Context } from '#server/context.ts'
import { allow } from '#server/http/access.ts'
import { sessionOf } from '#server/http/caller.ts'
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
  const hub = createLiveHub(context.database, (error) =>
    app.log.warn({ err: error }, 'polling live events failed'),
  )
  app.addHook('preClose', async () => hub.close())

  const countOpening = createWriteLimit(context.database, context.config, {
    method: 'GET',
    path: pathOf(contract.live),
    limit: OPENINGS_PER_HOUR,
  })

  // A HEAD request would hold a connection open for nothing.
  const options = { exposeHeadRoute: false, config: { shedsLoad: false } } as const
  app.get<{ Querystring: { tasks?: unknown } }>(pathOf(contract.live), options, async (request, reply) => {
    const caller = await context.authenticate(request)
    allow(contract.live, caller, undefined, undefined)
    await countOpening(request.ip, caller.identityId, async () => undefined)
    if (hub.full) throw new Refusal('unavailable.live')

    reply.hijack()
    const { raw } = reply
    const connection = new Connection(
      {
        userId: caller.identityId,
        sessionId: sessionOf(caller),
        watchesTasks: request.query.tasks === 'true',
        until: Date.now() + STREAM_MINUTES_MAX * 60_000,
      },
      raw,
    )
    raw.once('close', () => hub.leave(connection))
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
    try {
      await hub.join(connection, lastSeenIn(request.headers['last-event-id']))
    } catch (error) {
      app.log.warn({ err: error }, 'an event stream could not be opened')
      raw.destroy()
    }
  })
}

function lastSeenIn(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
