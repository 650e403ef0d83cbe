import { type Db, queryOne } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { Refusal } from '#server/http/refusal.ts'

type Decision = { status: 'approved' | 'declined'; reason?: string | undefined }

/** Values of the request as the Admin's client shows them; checked, never stored. */
type Claims = { email?: string | undefined; coins?: number | undefined; dollars?: number | undefined }

const decideWithdrawalRow = queryOne<
  { modified: number },
  [
    withdrawal: string,
    admin: string,
    status: string,
    reason: string,
    emailKey: string | null,
    coins: number | null,
    dollars: number | null,
  ]
>('decide_withdrawal', 'select decide_withdrawal($1, $2, $3, $4, $5, $6, $7) as modified')

/**
 * Approves a withdrawal (it was paid) or declines it with a reason (its coins return to the worker). Returns 1, or 0 when
 * the same decision was made before.
 * @throws Refusal `withdrawal_not_found`; `already_decided` after the other decision; `yourself` for the Admin's own
 * request; `state_conflict` when the claims contradict the request; `invalid_fields` for a decline without a reason.
 */
export async function decideWithdrawal(
  db: Db,
  withdrawalId: string,
  adminId: string,
  { status, reason = '' }: Decision,
  claims: Claims,
): Promise<number> {
  if (status === 'declined' && reason === '') {
    throw new Refusal('invalid_fields.decline_reason', { field: 'reason' })
  }
  const key = claims.email === undefined ? null : (emailKey(claims.email) ?? '')
  const { modified } = await decideWithdrawalRow(
    db,
    withdrawalId,
    adminId,
    status,
    status === 'declined' ? reason : '',
    key,
    claims.coins ?? null,
    claims.dollars ?? null,
  )
  return modified
}
