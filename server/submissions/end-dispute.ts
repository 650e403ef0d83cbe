import { REVERSAL_DAYS } from '#contract/product.ts'
import { type Db, query } from '#server/database/database.ts'
import { daysInterval } from '#server/database/interval.ts'

type Values = [submission: string, user: string]

const reverseRejectionStatement = query<never, [...Values, period: string]>(
  'reverse_rejection',
  'select reverse_rejection($1, $2, $3)',
)

/**
 * Makes a rejection final before its appeal window ends, for the worker.
 * @throws Refusal `submission_not_found`; `state_conflict` in another state.
 */
export const acceptRejection = query<never, Values>('accept_rejection', 'select accept_rejection($1, $2)')

/**
 * Takes back a rejection that is not final, for the buyer: the worker is paid from escrow.
 * @throws Refusal `submission_not_found`; `state_conflict` in another state.
 */
export const concedeRejection = query<never, Values>('concede_rejection', 'select concede_rejection($1, $2)')

/**
 * Turns a final rejection into an approval within REVERSAL_DAYS, for the buyer, with coins from their balance.
 * @throws Refusal `submission_not_found`; `insufficient_coins`; `deadline_passed` later; `user_not_found` for a deleted
 * worker; `state_conflict` in another state.
 */
export async function reverseRejection(db: Db, submissionId: string, buyerId: string): Promise<void> {
  await reverseRejectionStatement(db, submissionId, buyerId, daysInterval(REVERSAL_DAYS))
}

/**
 * Adds a slot to an open task while a rejection is not final, with coins from the buyer's balance. They come back if the
 * rejection stands. Repeated calls add one slot.
 * @throws Refusal `submission_not_found`; `insufficient_coins`; `task_closed`; `state_conflict` in another state.
 */
export const reopenSlot = query<never, Values>('reopen_slot', 'select reopen_slot($1, $2)')
