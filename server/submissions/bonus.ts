import { v7 as newId } from 'uuid'
import { type Db, query } from '#server/database/database.ts'

type Bonus = { coins: number; message: string }

const payBonusStatement = query<
  never,
  [id: string, submission: string, buyer: string, coins: number, message: string]
>('pay_bonus', 'select pay_bonus($1, $2, $3, $4, $5)')

/**
 * Pays a bonus for approved work from the buyer's balance. Every call is another bonus; an idempotency key makes a
 * repeated request one (docs/specification/api.md#idempotency). Returns the bonus's id.
 * @throws Refusal `submission_not_found`; `state_conflict` for work that is not approved; `insufficient_coins`;
 * `user_not_found` for a deleted worker.
 */
export async function payBonus(
  db: Db,
  submissionId: string,
  buyerId: string,
  { coins, message }: Bonus,
): Promise<string> {
  const id = newId()
  await payBonusStatement(db, id, submissionId, buyerId, coins, message)
  return id
}
