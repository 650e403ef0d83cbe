import type { FastifyInstance } from 'fastify'
import { pathOf } from '#contract/endpoint.ts'
import * as contract from '#contract/live.ts'
import type { Context } from '#server/context.ts'
import { allow } from '#server/http/access.ts'
import { Refusal } from '#server/http/refusal.ts'
import { createLiveHub } from './live.ts'
import { Connection } from './live-connection.ts'

/** A page comes back this often with a new token, whatever happens to the session in between. */
const MINUTES_MAX = 15

/** The stream of what changes. Not served like other endpoints, because its answer does not end. */
export function liveRoutes(app: FastifyInstance, context: Context): void {
  const live = createLiveHub(context.database, (error) => app.log.warn({ err: error }, 'live pages wait'))
  app.addHook('preClose', async () => live.close())

  // A HEAD would hold a connection open and never hear anything on it.
  const options = { exposeHeadRoute: false, config: { shedsLoad: false } } as const
  app.get<{ Querystring: { tasks?: unknown } }>(pathOf(contract.live), options, async (request, reply) => {
    const caller = await context.authenticate(request.headers.authorization)
    allow(contract.live.access, caller, undefined, undefined)
    if (live.full) throw new Refusal('unavailable.live')

    reply.hijack()
    const { raw } = reply
    const connection = new Connection(
      {
        userId: caller.identityId,
        sessionId: caller.sessionId,
        watchesTasks: request.query.tasks === 'true',
        until: Date.now() + MINUTES_MAX * 60_000,
      },
      raw,
    )
    raw.once('close', () => live.leave(connection))
    raw.on('error', () => {})
    raw.socket?.setTimeout(0)
    raw.socket?.setKeepAlive(true, 30_000)
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // Nothing else is asked on this connection, so that it ends with its stream.
      connection: 'close',
      'x-accel-buffering': 'no',
    })
    try {
      await live.join(connection, lastSeenIn(request.headers['last-event-id']))
    } catch (error) {
      app.log.warn({ err: error }, 'a live page could not be taken in')
      raw.destroy()
    }
  })
}

function lastSeenIn(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
