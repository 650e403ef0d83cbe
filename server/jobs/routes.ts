import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import * as contract from '#contract/jobs.ts'
import type { Context } from '#server/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { presentFailedJob } from './present.ts'
import { FAILED_JOBS, type FailedJobRow, OUTBOX, QUEUES, type QueueRow, RETRY } from './queries.ts'
import { SCHEDULED_JOBS } from './schedule.ts'

/** Background work, for the Admin's eyes. */
export function jobRoutes(app: FastifyInstance, context: Context): void {
  const every = new Map(SCHEDULED_JOBS.map((job) => [job.name, job.every]))

  serve(app, context, contract.jobs, async ({ db }) => {
    const [queues, troubled, [outbox]] = await Promise.all([
      db.run<QueueRow>(QUEUES, []),
      db.run<FailedJobRow>(FAILED_JOBS, []),
      db.run<{ waiting: number }>(OUTBOX, []),
    ])
    return {
      queues: queues.map(({ name, waiting, active, failed, last_done_at }) => {
        return { name, every: every.get(name) ?? null, waiting, active, failed, lastDoneAt: last_done_at }
      }),
      troubled: troubled.map(presentFailedJob),
      outbox: outbox?.waiting ?? 0,
    }
  })

  serve(app, context, contract.retryJob, async ({ db, params }) => {
    try {
      const retried = await db.run(RETRY, [params.id])
      return { acknowledged: true, modifiedCount: retried.length }
    } catch (error) {
      // Of some work one piece is enough; a second one would stand beside it.
      if (error instanceof pg.DatabaseError && error.code === '23505')
        throw new Refusal('state_conflict', 'The same work is waiting already.')
      throw error
    }
  })
}
