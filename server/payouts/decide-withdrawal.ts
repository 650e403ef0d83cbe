import { type Db, queryOne } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { Refusal } from '#server/http/refusal.ts'

type Decision = {
  status: 'approved' | 'declined'
  reason?: string | undefined
  /** The bank's or wallet's id of the payment. */
  transactionId?: string | undefined
}

/** Values of the request as the Admin's client shows them; checked, never stored. */
type ShownValues = {
  email?: string | undefined
  coins?: number | undefined
  dollars?: number | undefined
  /** Null for an amount in dollars only. */
  poisha?: number | null | undefined
}

const decideWithdrawalStatement = queryOne<
  { modified: number },
  [
    withdrawal: string,
    admin: string,
    status: string,
    reason: string,
    emailKey: string | null,
    coins: number | null,
    dollars: number | null,
    transactionId: string,
    poisha: number | null,
  ]
>('decide_withdrawal', 'select decide_withdrawal($1, $2, $3, $4, $5, $6, $7, $8, $9) as modified')

/**
 * Approves a withdrawal (it was paid: a payout in a payout batch of one) or declines it with a reason (its coins return to the
 * worker). Returns 1, or 0 when the same Admin made the same decision before.
 * @throws Refusal `withdrawal_not_found`; `already_decided` after the other decision or another Admin's payment; `claimed`
 * while another Admin has it; `payout_under_way`; `second_person_required`; `yourself` for the Admin's own request;
 * `state_conflict` when the values that the client shows contradict the request or the current exchange rate; `invalid_fields` for a decline without a reason.
 */
export async function decideWithdrawal(
  db: Db,
  withdrawalId: string,
  adminId: string,
  { status, reason = '', transactionId = '' }: Decision,
  shown: ShownValues,
): Promise<number> {
  if (status === 'declined' && reason === '') {
    throw new Refusal('invalid_fields.decline_reason', { field: 'reason' })
  }
  const key = shown.email === undefined ? null : (emailKey(shown.email) ?? '')
  const { modified } = await decideWithdrawalStatement(
    db,
    withdrawalId,
    adminId,
    status,
    status === 'declined' ? reason : '',
    key,
    shown.coins ?? null,
    shown.dollars ?? null,
    transactionId,
    shown.poisha === undefined ? null : (shown.poisha ?? 0),
  )
  return modified
}
