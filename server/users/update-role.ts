import type { Role } from '#contract/endpoint.ts'
import { type Db, queryOne } from '#server/database/database.ts'

const updateRoleRow = queryOne<{ modified: number }, [user: string, role: Role, admin: string]>(
  'update_role',
  'select update_role($1, $2, $3) as modified',
)

/**
 * Changes a user's role and notifies the user. Returns 0 when the user has this role already.
 * @throws Refusal `user_not_found`; `last_admin` when no Admin would remain; `yourself` for the caller's own Admin role.
 */
export async function updateRole(db: Db, userId: string, role: Role, adminId: string): Promise<number> {
  const { modified } = await updateRoleRow(db, userId, role, adminId)
  return modified
}
