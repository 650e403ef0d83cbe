import { createHash } from 'node:crypto'
import type { PgBoss } from 'pg-boss'
import { emailOf, isEmailed } from '#contract/notification-kinds.ts'
import type { Tx } from '#server/database/database.ts'
import type { MailJob } from '#server/mail/deliver.ts'
import type { Moved } from '#server/notifications/relay.ts'

export const MAIL_QUEUE = 'mail'
/** Mail about received work waits a little, so that many submissions make one message. */
export const MAIL_DIGEST = 'mail-digest'
const DIGEST_SECONDS = 120

/** Creates the email jobs of a batch, in the transaction in which it leaves the outbox. */
export async function mailJobs(boss: PgBoss, tx: Tx, { mails, notifications }: Moved): Promise<void> {
  const db = {
    // A transaction runs named statements; pg-boss brings its own texts.
    executeSql: async (sql: string, values: unknown[] = []) => ({
      rows: await tx.run({ name: `jobs_${createHash('sha1').update(sql).digest('hex')}`, sql }, values),
    }),
  }
  const now: MailJob[] = [
    ...(mails as MailJob[]),
    ...notifications.filter(({ kind }) => isEmailed(kind)).map(({ id, kind }) => ({ notice: id, kind })),
  ]
  if (now.length > 0)
    await boss.insert(
      MAIL_QUEUE,
      now.map((data) => ({ data })),
      { db },
    )

  const digested = notifications.filter(({ kind }) => emailOf(kind)?.digest)
  const buyers = new Set(digested.map(({ user }) => user))
  const digests = [...buyers].map((buyer) => ({
    data: { digestOf: buyer } satisfies MailJob,
    singletonKey: buyer,
    startAfter: DIGEST_SECONDS,
  }))
  if (digests.length > 0) await boss.insert(MAIL_DIGEST, digests, { db })
}
