import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#server/database/database.ts'
import { createSandboxPayouts } from '#server/payouts/sandbox-provider.ts'
import { queryPayouts, sendPayouts } from '#server/payouts/send.ts'

/**
 * Runs the payout jobs as a second instance does, without a pause, until it is killed. It ends with its parent process.
 * Submissions are dated back, because outcomes are queried after a minute. They stay younger than an hour: a younger payout
 * that the provider does not know may still arrive there.
 */
process.once('disconnect', () => process.exit())
const database = openDatabase({ connectionString: process.env.DATABASE_URL ?? '' }, { max: 4, prepare: true })
const provider = createSandboxPayouts(database)
for (;;) {
  try {
    await sendPayouts(database, provider)
    await database.pool.query(
      `update payouts set submitted_at = submitted_at - interval '2 minutes'
        where state in ('sent', 'unknown') and submitted_at > now() - interval '1 minute'`,
    )
    await queryPayouts(database, provider)
  } catch {
    // A fault broke the connection: the next round continues with what it finds.
  }
  await sleep(100)
}
