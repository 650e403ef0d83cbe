import type { FastifyBaseLogger } from 'fastify'
import type { Job, PgBoss } from 'pg-boss'
import type { Context } from '#server/context.ts'
import { type Delivery, deliver, deliverNotifications, type MailJob } from '#server/mail/deliver.ts'
import { StoppedBeforeSending, startEmailRate } from '#server/mail/email-rate.ts'
import { openMailer } from '#server/mail/mailer.ts'
import type { NotificationMail } from '#server/mail/notification-mail.ts'
import { traceJob } from '#server/tracing.ts'
import {
  MAIL_DIGEST_QUEUE,
  MAIL_QUEUE,
  NOTIFICATION_MAIL_QUEUE,
  type NotificationMailJob,
  priorityOf,
} from './mail-jobs.ts'
import { addSentEmail } from './pg-boss.ts'

/** How long an email waits that could not be sent together with others. */
const RETRY_SECONDS = 5
const POLLING = {
  batchSize: 5,
  pollingIntervalSeconds: 1,
  burstWhenBatchFull: true,
  perJobResults: true,
} as const
/** A mail server may take half a second for an email. */
const SECONDS_PER_EMAIL = 0.5
const CONNECTIONS_MAX = 20

/**
 * Sends emails until the job runner stops. Those that somebody waits for are sent at once, on connections of their own; the
 * others wait for their turn (docs/decisions/0110-rate-of-emails.md).
 */
export async function startMailWorkers(boss: PgBoss, context: Context, log: FastifyBaseLogger) {
  const { database, config } = context
  const rate = startEmailRate(database, config.emailsPerSecond)
  const connections = Math.min(CONNECTIONS_MAX, Math.ceil(config.emailsPerSecond * SECONDS_PER_EMAIL))
  const atOnce = rate.counted(openMailer(config))
  const limited = rate.limited(openMailer(config, connections))

  const failed = (id: string, error: unknown) => {
    if (!(error instanceof StoppedBeforeSending))
      log.warn({ err: error, job: id }, 'a mail could not be sent')
    return { id, status: 'failed' as const, output: { message: (error as Error).message } }
  }
  const done = (id: string, delivery: Delivery) =>
    // Not retried: the mail server rejected the recipient permanently.
    typeof delivery === 'object'
      ? {
          id,
          status: 'deadletter' as const,
          output: { message: delivery.undeliverable, undeliverable: true },
        }
      : { id, status: 'completed' as const, output: { result: delivery } }

  const sendBy = (mailer: typeof limited) => (jobs: Job<MailJob>[]) =>
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
    const { emails, sent: sentBefore = [] } = data
    const unsentBefore = emails.filter((mail) => !sentBefore.includes(mail.id))
    const noteSent = async (mail: NotificationMail) => {
      if (emails.length === 1) return
      await addSentEmail(database, NOTIFICATION_MAIL_QUEUE, id, mail.id).catch((error) =>
        log.warn({ err: error, job: id }, 'a sent email could not be recorded'),
      )
    }
    const results = await deliverNotifications(context, limited, unsentBefore, noteSent)
    const [first] = results
    if (first !== undefined && emails.length === 1) {
      const { delivery } = first
      return typeof delivery === 'object' && 'failed' in delivery
        ? failed(id, delivery.failed)
        : done(id, delivery)
    }
    const stopped = results.some(
      ({ delivery }) =>
        typeof delivery === 'object' &&
        'failed' in delivery &&
        delivery.failed instanceof StoppedBeforeSending,
    )
    if (stopped) throw new StoppedBeforeSending()
    // Each gets a job of its own, so that its retries do not send the others again, and Admins see which one failed.
    const unsent = results.filter(({ delivery }) => typeof delivery === 'object')
    if (unsent.length > 0) {
      const jobs = unsent.map(({ mail }) => ({
        data: { emails: [mail] },
        priority: priorityOf(mail),
        startAfter: RETRY_SECONDS,
      }))
      await boss.insert(NOTIFICATION_MAIL_QUEUE, jobs)
    }
    const sent = results.filter(({ delivery }) => delivery === 'sent').length
    const output = { sent, skipped: results.length - sent - unsent.length, retried: unsent.length }
    return { id, status: 'completed' as const, output }
  }

  await boss.work(MAIL_QUEUE, POLLING, sendBy(atOnce))
  await boss.work(MAIL_DIGEST_QUEUE, { ...POLLING, pollingIntervalSeconds: 5 }, sendBy(limited))
  await boss.work(NOTIFICATION_MAIL_QUEUE, POLLING, (jobs: Job<NotificationMailJob>[]) =>
    Promise.all(
      jobs.map(async (job) => {
        try {
          return await traceJob(NOTIFICATION_MAIL_QUEUE, () => sendTogether(job))
        } catch (error) {
          return failed(job.id, error)
        }
      }),
    ),
  )

  return {
    /** Ends the waits for a turn. Jobs with emails that were not sent are retried. */
    stop: rate.stop,
    close() {
      atOnce.close()
      limited.close()
    },
  }
}
