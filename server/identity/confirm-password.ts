import { type Db, query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { isPassword } from './password.ts'
import { consumeRateLimit, resetRateLimit, throwRateLimited } from './rate-limit.ts'

const readPassword = query<{ password_hash: string | null }, [id: string]>(
  'identity_password',
  'select password_hash from identities where id = $1',
)

/**
 * Asks a signed-in person for their password once more, and answers its hash.
 * @throws Refusal `invalid_fields`, `too_many_requests`, `state_conflict` for who has no password.
 */
export async function confirmPassword(db: Db, identityId: string, password: string): Promise<string> {
  const hash = await hashOf(db, identityId)
  if (hash === null) {
    const message = 'You have no password here yet. Ask for a reset link to choose one.'
    throw new Refusal('state_conflict', message)
  }
  if (!(await isRight(db, identityId, password, hash))) throw wrongPassword()
  return hash
}

/** Whether this is the person's password. @throws Refusal `too_many_requests` after ten failures. */
export async function isPasswordOf(db: Db, identityId: string, password: string): Promise<boolean> {
  return isRight(db, identityId, password, await hashOf(db, identityId))
}

export function wrongPassword(): Refusal {
  const message = 'This is not your current password.'
  return new Refusal('invalid_fields', message, { currentPassword: message })
}

async function hashOf(db: Db, identityId: string): Promise<string | null> {
  const [identity] = await readPassword(db, identityId)
  return identity?.password_hash ?? null
}

async function isRight(db: Db, identityId: string, password: string, hash: string | null): Promise<boolean> {
  const limit = { key: `password:${identityId}`, max: 10, seconds: 900 }
  const [exceeded] = await consumeRateLimit(db, [limit])
  if (exceeded) throwRateLimited(exceeded.resetsAt)
  const right = await isPassword(password, hash)
  if (right) await resetRateLimit(db, limit.key)
  return right
}
