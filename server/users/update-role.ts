import type { Role } from '#contract/endpoint.ts'
import type { Config } from '#server/config.ts'
import { type Db, query, queryOne } from '#server/database/database.ts'
import type { Client } from '#server/http/client.ts'
import { Refusal } from '#server/http/refusal.ts'

const updateRoleStatement = queryOne<
  { modified: number },
  [user: string, role: Role, admin: string, network: string, device: string]
>(
  'update_role',
  `with updated as materialized (select update_role($1, $2, $3) as modified)
   select modified, case when modified = 1 then
     log_security_event('role_changed', $1, $4, $5, jsonb_build_object('role', $2::user_role), $3) end
     from updated`,
)

const readProtection = query<
  { is_verified: boolean; has_factor: boolean; password_suits: boolean | null },
  [user: string]
>(
  'update_role_protection',
  `select email_verified_at is not null as is_verified,
          (select id from second_factors where identity_id = identities.id limit 1) is not null as has_factor,
          password_hash is null or password_suits_admin as password_suits
     from identities join users using (id) where id = $1 and role <> 'Admin'`,
)

/**
 * Changes a user's role, notifies the user and writes the security log. A new Admin is also announced to all other Admins,
 * including the one who made the change. Returns 0 when the user has this role already. A new Admin's password is as long as those of
 * Admins. Where Admins need a second factor, a new Admin needs one before, and a verified email.
 * @throws Refusal `user_not_found`; `state_conflict` for a new Admin without them; `last_admin` when no Admin would remain;
 * `yourself` for the caller's own Admin role.
 */
export async function updateRole(
  db: Db,
  config: Config,
  userId: string,
  role: Role,
  adminId: string,
  { network, device }: Client,
): Promise<number> {
  if (role === 'Admin') await refuseUnprotected(db, config, userId)
  const { modified } = await updateRoleStatement(db, userId, role, adminId, network, device)
  return modified
}

const setReviewerStatement = queryOne<
  { modified: number },
  [user: string, isReviewer: boolean, admin: string, network: string, device: string]
>(
  'set_reviewer',
  `with updated as materialized (select set_reviewer($1, $2, $3) as modified)
   select modified, case when modified = 1 then
     log_security_event('reviewer_changed', $1, $4, $5, jsonb_build_object('reviewer', $2::boolean), $3) end
     from updated`,
)

/**
 * Gives a user the permission to review appeals, or takes it away, and notifies them. Returns 0 when nothing changes.
 * @throws Refusal `user_not_found`.
 */
export async function setReviewer(
  db: Db,
  userId: string,
  { isReviewer }: { isReviewer: boolean },
  adminId: string,
  { network, device }: Client,
): Promise<number> {
  const { modified } = await setReviewerStatement(db, userId, isReviewer, adminId, network, device)
  return modified
}

async function refuseUnprotected(db: Db, config: Config, userId: string): Promise<void> {
  const [user] = await readProtection(db, userId)
  if (user?.password_suits === false) throw new Refusal('state_conflict.promotion_password')
  if (user?.password_suits === null) throw new Refusal('state_conflict.promotion_password_unknown')
  if (config.adminSecondFactor !== 'required') return
  if (user?.is_verified === false) throw new Refusal('state_conflict.promotion_email')
  if (user?.has_factor === false) throw new Refusal('state_conflict.promotion_factor')
}
