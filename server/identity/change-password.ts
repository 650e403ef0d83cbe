import type { Config } from '#server/config.ts'
import { type Database, query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Caller } from './caller.ts'
import { dropTokens } from './mail-tokens.ts'
import { hashPassword, isPassword } from './password.ts'
import { tellPasswordChanged } from './reset-password.ts'
import { endOtherSessions } from './sessions.ts'
import { clearThrottle, countAttempt, refuseUntil } from './throttle.ts'

const readPassword = query<{ password_hash: string | null }, [id: string]>(
  'identity_password',
  'select password_hash from identities where id = $1',
)
const replacePassword = query<{ name: string; email: string }, [id: string, old: string, hash: string]>(
  'identity_replace_password',
  'update identities set password_hash = $3 where id = $1 and password_hash = $2 returning name, email',
)

/**
 * A new password in place of one that the person knows. Their other sessions end, and pending links with them.
 * @throws Refusal `wrong_credentials`, `too_many_requests`, `state_conflict` for who has no password.
 */
export async function changePassword(
  database: Database,
  config: Config,
  caller: Caller,
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<void> {
  const old = await confirmPassword(database, caller.identityId, currentPassword)
  const hash = await hashPassword(password)
  await database.transaction(async (tx) => {
    const [identity] = await replacePassword(tx, caller.identityId, old, hash)
    if (identity === undefined) throw wrongPassword()
    await dropTokens(tx, caller.identityId)
    await endOtherSessions(tx, caller.identityId, caller.sessionId)
    await tellPasswordChanged(tx, config, caller.identityId, identity)
  })
}

/** Asks a signed-in person for their password once more, and answers its hash. */
export async function confirmPassword(
  database: Database,
  identityId: string,
  password: string,
): Promise<string> {
  const limit = { key: `password:${identityId}`, max: 10, seconds: 900 }
  const [exceeded] = await countAttempt(database, [limit])
  if (exceeded) refuseUntil(exceeded.resetsAt)
  const [identity] = await readPassword(database, identityId)
  const hash = identity?.password_hash ?? null
  if (hash === null) {
    const message = 'You have no password here yet. Ask for a reset link to choose one.'
    throw new Refusal('state_conflict', message)
  }
  if (!(await isPassword(password, hash))) throw wrongPassword()
  await clearThrottle(database, limit.key)
  return hash
}

function wrongPassword(): Refusal {
  const message = 'This is not your current password.'
  return new Refusal('invalid_fields', message, { currentPassword: message })
}
