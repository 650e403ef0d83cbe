import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import * as contract from '#contract/jobs.ts'
import type { Context } from '#server/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { countOutbox } from './outbox-relay.ts'
import { readFailedJobs, readQueues, retryJob } from './pg-boss.ts'
import { presentFailedJob } from './present.ts'
import { SCHEDULED_JOBS } from './schedule.ts'

/** Registers the Admin's view of background jobs. */
export function jobRoutes(app: FastifyInstance, context: Context): void {
  const every = new Map(SCHEDULED_JOBS.map((job) => [job.name, job.every]))

  serve(app, context, contract.jobs, async ({ db }) => {
    const [queues, failed, { pending }] = await Promise.all([
      readQueues(db),
      readFailedJobs(db),
      countOutbox(db),
    ])
    return {
      queues: queues.map(({ name, waiting, active, failed, last_done_at }) => {
        return { name, every: every.get(name) ?? null, waiting, active, failed, lastDoneAt: last_done_at }
      }),
      troubled: failed.map(presentFailedJob),
      outbox: pending,
    }
  })

  serve(app, context, contract.retryJob, async ({ db, params }) => {
    try {
      return { acknowledged: true, modifiedCount: await retryJob(db, params.id) }
    } catch (error) {
      // A queue with the exclusive policy holds one job; another one waits there already.
      if (error instanceof pg.DatabaseError && error.code === '23505') throw new Refusal('state_conflict.job')
      throw error
    }
  })
}
