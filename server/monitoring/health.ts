import type { FastifyInstance } from 'fastify'
import type { Context } from '#server/context.ts'
import { queryOne } from '#server/database/database.ts'

const ping = queryOne<{ ok: number }, []>('database_ping', 'select 1 as ok')

/**
 * Serves the probes of a load balancer: `/healthz` while the process responds, `/readyz` while its database responds too and
 * the server is not draining.
 */
export function healthRoutes(app: FastifyInstance, { database }: Context): void {
  const probe = { config: { shedsLoad: false } } as const
  app.get('/healthz', probe, async () => ({ ok: true }))
  app.get('/readyz', probe, async (_request, reply) => {
    if (app.draining) return reply.code(503).send({ ok: false })
    return { ok: (await ping(database)).ok === 1 }
  })
}
