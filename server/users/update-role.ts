import type { Role } from '#contract/endpoint.ts'
import { type Db, queryOne } from '#server/database/database.ts'
import type { Client } from '#server/http/client.ts'

const updateRoleRow = queryOne<
  { modified: number },
  [user: string, role: Role, admin: string, network: string, device: string]
>(
  'update_role',
  `with updated as materialized (select update_role($1, $2, $3) as modified)
   select modified, case when modified = 1 then
     log_security_event('role_changed', $1, $4, $5, jsonb_build_object('role', $2::user_role), $3) end
     from updated`,
)

/**
 * Changes a user's role, notifies the user and writes the security log. Returns 0 when the user has this role already.
 * @throws Refusal `user_not_found`; `last_admin` when no Admin would remain; `yourself` for the caller's own Admin role.
 */
export async function updateRole(
  db: Db,
  userId: string,
  role: Role,
  adminId: string,
  { network, device }: Client,
): Promise<number> {
  const { modified } = await updateRoleRow(db, userId, role, adminId, network, device)
  return modified
}
