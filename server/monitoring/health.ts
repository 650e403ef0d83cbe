import type { FastifyInstance } from 'fastify'
import type { Context } from '#server/context.ts'
import { queryOne } from '#server/database/database.ts'

const ping = queryOne<{ ok: number }, []>('database_ping', 'select 1 as ok')

/** Serves the probes of a load balancer: `/healthz` while the process responds, `/readyz` while its database does too. */
export function healthRoutes(app: FastifyInstance, { database }: Context): void {
  const probe = { config: { shedsLoad: false } } as const
  app.get('/healthz', probe, async () => ({ ok: true }))
  app.get('/readyz', probe, async () => ({ ok: (await ping(database)).ok === 1 }))
}
