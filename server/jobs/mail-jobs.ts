import type { PgBoss } from 'pg-boss'
import { emailOf, isEmailed } from '#contract/notification-kinds.ts'
import type { Tx } from '#server/database/database.ts'
import type { MailJob } from '#server/mail/deliver.ts'
import type { Moved } from '#server/notifications/relay.ts'
import { insertJobs } from './insert-jobs.ts'

export const MAIL_QUEUE = 'mail'
/** The queue of review digests. They are delayed, so that several submissions make one email. */
export const MAIL_DIGEST = 'mail-digest'
const DIGEST_SECONDS = 120

/** Creates the email jobs of a batch, in the transaction in which it leaves the outbox. */
export async function mailJobs(boss: PgBoss, tx: Tx, { mails, notifications }: Moved): Promise<void> {
  const now: MailJob[] = [
    ...(mails as MailJob[]),
    ...notifications.filter(({ kind }) => isEmailed(kind)).map(({ id, kind }) => ({ notice: id, kind })),
  ]
  await insertJobs(
    boss,
    tx,
    MAIL_QUEUE,
    now.map((data) => ({ data })),
  )

  const digestNotifications = notifications.filter(({ kind }) => emailOf(kind)?.digest)
  const buyers = new Set(digestNotifications.map(({ user }) => user))
  const digests = [...buyers].map((buyer) => ({
    data: { digestOf: buyer } satisfies MailJob,
    singletonKey: buyer,
    startAfter: DIGEST_SECONDS,
  }))
  await insertJobs(boss, tx, MAIL_DIGEST, digests)
}
