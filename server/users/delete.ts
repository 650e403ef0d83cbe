import { type Db, MANY_ROWS, query, queryOne } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'

const deleteUserStatement = queryOne<{ deleted: number }, [user: string, admin: string]>(
  'delete_user',
  'select delete_user($1, $2) as deleted',
  MANY_ROWS,
)

type Preview = {
  tasks_closed: number
  reservations_cancelled: number
  submissions_paid: number
  coins_paid: number
  slots_released: number
  withdrawals_cancelled: number
  coins_swept: number
}
const readPreview = query<Preview, [user: string]>('deletion_preview', 'select * from deletion_preview($1)')

/**
 * Deletes a user and settles what they owned in the same transaction (docs/specification/users.md). Returns 1 once,
 * 0 after that.
 * @throws Refusal `user_not_found` for an unknown id, `last_admin`, `yourself`.
 */
export async function deleteUser(db: Db, userId: string, adminId: string): Promise<number> {
  const { deleted } = await deleteUserStatement(db, userId, adminId)
  return deleted
}

/** Returns what deleting this user would change now. @throws Refusal `user_not_found`, also for a deleted user. */
export async function previewDeletion(db: Db, userId: string): Promise<Preview> {
  const [preview] = await readPreview(db, userId)
  if (preview === undefined) throw new Refusal('user_not_found.deleted')
  return preview
}
