import type { PgBoss } from 'pg-boss'
import { emailOf } from '#contract/notification-kinds.ts'
import type { Tx } from '#server/database/database.ts'
import type { MailJob } from '#server/mail/deliver.ts'
import { type NotificationMail, notificationMails } from '#server/mail/notification-mail.ts'
import type { RelayedBatch } from '#server/notifications/relay.ts'
import { insertJobs } from './insert-jobs.ts'

export const MAIL_QUEUE = 'mail'
/** The queue of emails about notifications, several in each job. Instances of version 0.3 do not know such jobs. */
export const NOTIFICATION_MAIL_QUEUE = 'mail-notifications'
/** `sent` has the ids of the emails that an earlier attempt has sent. */
export type NotificationMailJob = { emails: NotificationMail[]; sent?: string[] }
/** A job costs the database more than the emails in it. */
const EMAILS_PER_JOB = 25
/** The priority of emails that are sent before bulk ones. */
const HIGH_PRIORITY = 1
/** The queue of review digests. They are delayed, so that several submissions make one email. */
export const MAIL_DIGEST_QUEUE = 'mail-digest'
const DIGEST_SECONDS = 120
export const MAIL_QUEUES = [MAIL_QUEUE, NOTIFICATION_MAIL_QUEUE, MAIL_DIGEST_QUEUE]

/** Returns the priority of an email's job. */
export const priorityOf = ({ kind }: NotificationMail) => (emailOf(kind)?.bulk ? 0 : HIGH_PRIORITY)

/** Creates the email jobs of a batch, in the transaction that deletes it from the outbox. */
export async function mailJobs(boss: PgBoss, tx: Tx, { mails, notifications }: RelayedBatch): Promise<void> {
  await insertJobs(
    boss,
    tx,
    MAIL_QUEUE,
    (mails as MailJob[]).map((data) => ({ data })),
  )
  const byPriority = Map.groupBy(notificationMails(notifications), priorityOf)
  const jobs = [...byPriority].flatMap(([priority, emails]) =>
    Array.from({ length: Math.ceil(emails.length / EMAILS_PER_JOB) }, (_, index) => ({
      priority,
      data: {
        emails: emails.slice(index * EMAILS_PER_JOB, (index + 1) * EMAILS_PER_JOB),
      } satisfies NotificationMailJob,
    })),
  )
  await insertJobs(boss, tx, NOTIFICATION_MAIL_QUEUE, jobs)

  const digestNotifications = notifications.filter(({ kind }) => emailOf(kind)?.digest)
  const buyers = new Set(digestNotifications.map(({ user }) => user))
  const digests = [...buyers].map((buyer) => ({
    data: { digestOf: buyer } satisfies MailJob,
    singletonKey: buyer,
    startAfter: DIGEST_SECONDS,
  }))
  await insertJobs(boss, tx, MAIL_DIGEST_QUEUE, digests)
}
