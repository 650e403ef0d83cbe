import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/waiting.ts'
import type { Context } from '#server/context.ts'
import { cachedQuery } from '#server/database/cached-query.ts'
import { serve } from '#server/http/serve.ts'
import { countFailedJobs } from '#server/jobs/pg-boss.ts'
import { WAITING_FOR, type WaitingRow } from './queries.ts'

export function waitingRoutes(app: FastifyInstance, context: Context): void {
  // pg-boss has no index of failed jobs.
  const readFailedJobs = cachedQuery(async () => ({
    value: await countFailedJobs(context.database, contract.WAITING_MAX),
    rows: Number.POSITIVE_INFINITY,
  }))

  async function failedJobs(): Promise<WaitingRow[]> {
    const { count, oldest } = await readFailedJobs()
    return count === 0
      ? []
      : [{ kind: 'failed_jobs', count, coins: null, cents: null, oldest, deadline: null }]
  }

  serve(app, context, contract.waiting, async ({ db, viewer }) => {
    const { id, role } = viewer
    const found = await Promise.all([WAITING_FOR[role](db, id), role === 'Admin' ? failedJobs() : []])
    return found.flat()
  })
}
