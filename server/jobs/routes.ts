import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import * as contract from '#contract/jobs.ts'
import type { Services } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { presentTroubled } from './present.ts'
import { OUTBOX, QUEUES, type QueueRow, RETRY, TROUBLED, type TroubledRow } from './queries.ts'
import { TIMED_JOBS } from './schedule.ts'

/** Background work, for the Admin's eyes. */
export function jobRoutes(app: FastifyInstance, services: Services): void {
  const every = new Map(TIMED_JOBS.map((job) => [job.name, job.every]))

  serve(app, services, contract.jobs, async ({ db }) => {
    const [queues, troubled, [outbox]] = await Promise.all([
      db.run<QueueRow>(QUEUES, []),
      db.run<TroubledRow>(TROUBLED, []),
      db.run<{ waiting: number }>(OUTBOX, []),
    ])
    return {
      queues: queues.map(({ name, waiting, active, failed, last_done_at }) => {
        return { name, every: every.get(name) ?? null, waiting, active, failed, lastDoneAt: last_done_at }
      }),
      troubled: troubled.map(presentTroubled),
      outbox: outbox?.waiting ?? 0,
    }
  })

  serve(app, services, contract.retryJob, async ({ db, params }) => {
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
