import { type Db, queryOne } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { Refusal } from '#server/http/refusal.ts'

type Decision = { status: 'approved' | 'declined'; reason?: string | undefined }

/** What the caller believes the request to be. */
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
 * An Admin approves (paid out) or declines (coins back, with a reason) a request, once. Answers 1 the first time and 0
 * when the same was decided before. Refuses `withdrawal_not_found`, `already_decided` after the other answer,
 * `yourself`, and `state_conflict` when the request is not what the caller believes.
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
