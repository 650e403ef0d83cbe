import { type Db, query, queryOne } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'

/** Somebody may leave behind as much as they ever did. */
const PATIENT = { timeoutMs: 60_000 }

const deleteUserRow = queryOne<{ deleted: number }, [user: string, admin: string]>(
  'delete_user',
  'select delete_user($1, $2) as deleted',
  PATIENT,
)

type Preview = {
  tasks_closed: number
  submissions_paid: number
  coins_paid: number
  slots_released: number
  withdrawals_cancelled: number
  coins_swept: number
}
const preview = query<Preview, [user: string]>('deletion_preview', 'select * from deletion_preview($1)')

/**
 * Deletes a user and settles what they owned in the same transaction (docs/specification/users.md). Returns 1 once,
 * 0 after that.
 * @throws Refusal `user_not_found` for an unknown id, `last_admin`, `yourself`.
 */
export async function deleteUser(db: Db, userId: string, adminId: string): Promise<number> {
  const { deleted } = await deleteUserRow(db, userId, adminId)
  return deleted
}

/** What deleting this person would do now. Refuses `user_not_found`, also for who is deleted already. */
export async function previewDeletion(db: Db, userId: string): Promise<Preview> {
  const [figures] = await preview(db, userId)
  if (figures === undefined) throw new Refusal('user_not_found', 'User not found or already deleted.')
  return figures
}
