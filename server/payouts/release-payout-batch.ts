import { type Db, MANY_ROWS, query, queryOne } from '#server/database/database.ts'
import { change, type Modified } from './queries.ts'

const refreshRisk = query<never, [batch: string]>(
  'refresh_payout_batch_risk',
  'select refresh_payout_batch_risk($1)',
  MANY_ROWS,
)
const releaseStatement = queryOne<Modified, [batch: string, admin: string]>(
  'release_payout_batch',
  change('release_payout_batch', '$1, $2'),
  MANY_ROWS,
)

/**
 * Releases a payout batch, after assessing its requests in a statement of its own (release_payout_batch says why).
 * @throws Refusal `payout_batch_not_found`, `yourself` for an Admin with a payout of their own in it, `second_person_required`,
 * `risk_review`, `account_frozen`, `withdrawal_frozen`, `destination_waiting`, `state_conflict`.
 */
export async function releasePayoutBatch(db: Db, batchId: string, adminId: string): Promise<Modified> {
  await refreshRisk(db, batchId)
  return releaseStatement(db, batchId, adminId)
}
