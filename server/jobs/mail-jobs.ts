import { createHash } from 'node:crypto'
import type { PgBoss } from 'pg-boss'
import type { Tx } from '#server/database/database.ts'
import type { MailJob } from '#server/mail/deliver.ts'
import type { Moved } from '#server/notifications/relay.ts'

export const MAIL_QUEUE = 'mail'
/** Mail about received work waits a little, so that many submissions make one message. */
export const MAIL_DIGEST = 'mail-digest'
const DIGEST_SECONDS = 120

const MAILED = new Set([
  'submission_approved',
  'submission_rejected',
  'review_near',
  'withdrawal_paid',
  'withdrawal_declined',
])

/** Makes jobs of what is to be mailed, in the transaction in which it leaves the outbox. */
export async function mailJobs(boss: PgBoss, tx: Tx, { mails, notices }: Moved): Promise<void> {
  const db = {
    // A transaction runs named statements; pg-boss brings its own texts.
    executeSql: async (sql: string, values: unknown[] = []) => ({
      rows: await tx.run({ name: `jobs_${createHash('sha1').update(sql).digest('hex')}`, sql }, values),
    }),
  }
  const now: MailJob[] = [
    ...(mails as MailJob[]),
    ...notices.filter(({ kind }) => MAILED.has(kind)).map(({ notice, kind }) => ({ notice, kind })),
  ]
  if (now.length > 0)
    await boss.insert(
      MAIL_QUEUE,
      now.map((data) => ({ data })),
      { db },
    )

  const buyers = new Set(notices.filter(({ kind }) => kind === 'work_received').map(({ user }) => user))
  const digests = [...buyers].map((buyer) => ({
    data: { digestOf: buyer } satisfies MailJob,
    singletonKey: buyer,
    startAfter: DIGEST_SECONDS,
  }))
  if (digests.length > 0) await boss.insert(MAIL_DIGEST, digests, { db })
}
