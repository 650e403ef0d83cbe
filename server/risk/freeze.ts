import { type Db, query, queryOne } from '#server/database/database.ts'

export type Frozen = { freeze_id: string; is_new: boolean }

const freezeUserStatement = queryOne<Frozen, [user: string, reason: string, admin: string]>(
  'freeze_user',
  `select freeze_id, is_new from freeze_user($1, 'admin', $2, $3)`,
)
const freezeWithdrawalStatement = queryOne<Frozen, [withdrawal: string, reason: string, admin: string]>(
  'freeze_withdrawal',
  'select freeze_id, is_new from freeze_withdrawal($1, $2, $3)',
)
const endFreezeStatement = queryOne<{ modified: number }, [freeze: string, reason: string, admin: string]>(
  'end_freeze',
  'select end_freeze($1, $2, $3) as modified',
)

/**
 * Freezes a user, who is notified: no coins of theirs move until the freeze ends. A user whom an Admin has frozen stays
 * so, with the first reason.
 * @throws Refusal `user_not_found`; `yourself` for the Admin's own account.
 */
export function freezeUser(db: Db, userId: string, adminId: string, reason: string): Promise<Frozen> {
  return freezeUserStatement(db, userId, reason, adminId)
}

/**
 * Freezes a pending withdrawal request, whose worker is notified.
 * @throws Refusal `withdrawal_not_found`; `already_decided`; `yourself` for the Admin's own request.
 */
export function freezeWithdrawal(
  db: Db,
  withdrawalId: string,
  adminId: string,
  reason: string,
): Promise<Frozen> {
  return freezeWithdrawalStatement(db, withdrawalId, reason, adminId)
}

/**
 * Ends a freeze and notifies its user. Returns 0 when it has ended before.
 * @throws Refusal `not_found`; `yourself` for a freeze of the Admin's own.
 */
export async function endFreeze(db: Db, freezeId: string, adminId: string, reason: string): Promise<number> {
  return (await endFreezeStatement(db, freezeId, reason, adminId)).modified
}

/**
 * Stores what a user says to their live freeze and notifies the Admins.
 * @throws Refusal `not_found` for another user's freeze, and for one that has ended.
 */
export const respondToFreeze = query<never, [freeze: string, user: string, response: string]>(
  'respond_to_freeze',
  'select respond_to_freeze($1, $2, $3)',
)
