import type { FastifyBaseLogger } from 'fastify'
import type { Job, PgBoss } from 'pg-boss'
import type { Context } from '#server/context.ts'
import { type Delivery, deliver, deliverNotifications, type MailJob } from '#server/mail/deliver.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { traceJob } from '#server/tracing.ts'
import { MAIL_DIGEST, MAIL_QUEUE, NOTIFICATION_MAIL, type NotificationMailJob } from './mail-jobs.ts'

/** How long an email waits that could not be sent together with others. */
const RETRY_SECONDS = 5
const POLLING = {
  batchSize: 5,
  pollingIntervalSeconds: 1,
  burstWhenBatchFull: true,
  perJobResults: true,
} as const

/** Sends emails until the job runner stops. */
export async function startMailWorkers(
  boss: PgBoss,
  context: Context,
  mailer: Mailer,
  log: FastifyBaseLogger,
): Promise<void> {
  const failed = (id: string, error: unknown) => {
    log.warn({ err: error, job: id }, 'a mail could not be sent')
    return { id, status: 'failed' as const, output: { message: (error as Error).message } }
  }
  const done = (id: string, delivery: Delivery) =>
    // Not retried: the mail server rejected the recipient permanently.
    typeof delivery === 'object'
      ? { id, status: 'deadletter' as const, output: { message: delivery.undeliverable } }
      : { id, status: 'completed' as const, output: { result: delivery } }

  const send = (jobs: Job<MailJob>[]) =>
    Promise.all(
      jobs.map(async ({ id, data }) => {
        try {
          return done(id, await traceJob(MAIL_QUEUE, () => deliver(context, mailer, id, data)))
        } catch (error) {
          return failed(id, error)
        }
      }),
    )

  async function sendTogether({ id, data }: Job<NotificationMailJob>) {
    const results = await deliverNotifications(context, mailer, data.emails)
    const [first] = results
    if (first !== undefined && results.length === 1) {
      const { delivery } = first
      return typeof delivery === 'object' && 'failed' in delivery
        ? failed(id, delivery.failed)
        : done(id, delivery)
    }
    // Each gets a job of its own, so that its retries do not send the others again, and Admins see which one failed.
    const unsent = results.filter(({ delivery }) => typeof delivery === 'object')
    if (unsent.length > 0) {
      const jobs = unsent.map(({ mail }) => ({ data: { emails: [mail] }, startAfter: RETRY_SECONDS }))
      await boss.insert(NOTIFICATION_MAIL, jobs)
    }
    const sent = results.filter(({ delivery }) => delivery === 'sent').length
    const output = { sent, skipped: results.length - sent - unsent.length, retried: unsent.length }
    return { id, status: 'completed' as const, output }
  }

  await boss.work(MAIL_QUEUE, POLLING, send)
  await boss.work(MAIL_DIGEST, { ...POLLING, pollingIntervalSeconds: 5 }, send)
  await boss.work(NOTIFICATION_MAIL, POLLING, (jobs: Job<NotificationMailJob>[]) =>
    Promise.all(
      jobs.map(async (job) => {
        try {
          return await traceJob(NOTIFICATION_MAIL, () => sendTogether(job))
        } catch (error) {
          return failed(job.id, error)
        }
      }),
    ),
  )
}
