import type { Risk } from '#contract/risk.ts'
import { type Db, query, queryOne } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'

// A separate statement (`risk_of`) reads the row that this one writes.
const assessRiskStatement = query<{ score: number }, [withdrawal: string]>(
  'assess_risk',
  'select assess_risk(id) as score from withdrawals where id = $1',
)
const readRisk = queryOne<{ risk: Risk }, [withdrawal: string]>('risk_of', 'select risk_of($1) as risk')

/**
 * Clears a pending request for payment in spite of its score.
 * @throws Refusal `withdrawal_not_found`; `already_decided`; `yourself` for the Admin's own request.
 */
export const clearRisk = query<never, [withdrawal: string, admin: string, reason: string]>(
  'clear_risk',
  'select clear_risk($1, $2, $3)',
)

/**
 * Assesses a request again and returns its risk.
 * @throws Refusal `withdrawal_not_found`.
 */
export async function assessRisk(db: Db, withdrawalId: string): Promise<Risk> {
  const assessed = await assessRiskStatement(db, withdrawalId)
  if (assessed.length === 0) throw new Refusal('withdrawal_not_found')
  return (await readRisk(db, withdrawalId)).risk
}
