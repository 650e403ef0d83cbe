import type { FastifyBaseLogger } from 'fastify'
import type { Job, PgBoss } from 'pg-boss'
import type { Context } from '#server/context.ts'
import type { Tx } from '#server/database/database.ts'
import type { RelayedBatch } from '#server/notifications/relay.ts'
import { type PushJob, pushJobsFor, sendPush } from '#server/push/send.ts'
import { traceJob } from '#server/tracing.ts'
import { insertJobs } from './insert-jobs.ts'

export const PUSH_QUEUE = 'push'

/** Creates the jobs of a batch for users' devices, in the transaction that deletes it from the outbox. */
export async function pushJobs(boss: PgBoss, tx: Tx, { notifications }: RelayedBatch): Promise<void> {
  const jobs = await pushJobsFor(tx, notifications)
  await insertJobs(
    boss,
    tx,
    PUSH_QUEUE,
    jobs.map((data) => ({ data })),
  )
}

/** Sends notifications to devices until the job runner stops. */
export async function startPushWorker(boss: PgBoss, context: Context, log: FastifyBaseLogger): Promise<void> {
  const options = {
    batchSize: 10,
    pollingIntervalSeconds: 1,
    burstWhenBatchFull: true,
    perJobResults: true,
  } as const
  await boss.work(PUSH_QUEUE, options, (jobs: Job<PushJob>[]) =>
    Promise.all(
      jobs.map(async ({ id, data }) => {
        try {
          const result = await traceJob(PUSH_QUEUE, () => sendPush(context, data))
          return { id, status: 'completed' as const, output: { result } }
        } catch (error) {
          log.warn({ err: error, job: id }, 'a notification could not be sent to a device')
          return { id, status: 'failed' as const, output: { message: (error as Error).message } }
        }
      }),
    ),
  )
}
