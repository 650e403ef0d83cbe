import { type Db, queryOne } from '#server/database/database.ts'
import type { Manifest } from './manifest.ts'

const countUnpaid = queryOne<{ requests: number; payouts: number }, []>(
  'restored_payouts_count',
  `select (select count(*)::int from withdrawals where status = 'pending') as requests,
          (select count(*)::int from payouts where state in ('queued', 'sent', 'unknown')) as payouts`,
)

/**
 * Returns what the operator has to know after a restore: what is not paid in the backup may have been paid since
 * (docs/operating.md#after-a-restore).
 */
export async function restoredPayouts(db: Db, { time }: Pick<Manifest, 'time'>): Promise<string> {
  const { requests, payouts } = await countUnpaid(db)
  return `The backup was made at ${time}. Not paid then, but maybe since: pending withdrawal requests: ${requests}, payouts that are queued, sent or unknown: ${payouts}. Before you pay any, import every payout statement since then ("After a restore" in docs/operating.md).`
}
