import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/waiting.ts'
import type { RouteContext } from '#server/context.ts'
import { cachedQuery } from '#server/database/cached-query.ts'
import type { Database } from '#server/database/database.ts'
import { serve } from '#server/http/serve.ts'
import { countFailedJobs } from '#server/jobs/pg-boss.ts'
import { WAITING_FOR, type WaitingRow } from './queries.ts'

export function waitingRoutes(app: FastifyInstance, context: RouteContext): void {
  // pg-boss has no index of failed jobs.
  const readFailedJobs = cachedQuery(async (database) => ({
    value: await countFailedJobs(database, contract.WAITING_MAX),
    rows: Number.POSITIVE_INFINITY,
  }))

  async function failedJobs(database: Database): Promise<WaitingRow[]> {
    const { count, oldest } = await readFailedJobs(database)
    return count === 0
      ? []
      : [{ kind: 'failed_jobs', count, coins: null, cents: null, oldest, deadline: null }]
  }

  serve(app, context, contract.waiting, async ({ db, viewer }) => {
    const { id, role } = viewer
    const found = await Promise.all([WAITING_FOR[role](db, id), role === 'Admin' ? failedJobs(db) : []])
    return found.flat()
  })
}
