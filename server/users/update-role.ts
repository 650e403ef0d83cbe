import type { Role } from '#contract/endpoint.ts'
import { type Db, queryOne } from '#server/database/database.ts'

const updateRoleRow = queryOne<{ modified: number }, [user: string, role: Role, admin: string]>(
  'update_role',
  'select update_role($1, $2, $3) as modified',
)

/**
 * An Admin gives a person another role; the person is told. Answers 0 when they had it already. Refuses
 * `user_not_found`, and `last_admin` or `yourself` when the marketplace or the caller would lose their Admin.
 */
export async function updateRole(db: Db, userId: string, role: Role, adminId: string): Promise<number> {
  const { modified } = await updateRoleRow(db, userId, role, adminId)
  return modified
}
