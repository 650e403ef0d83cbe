import { type Db, query } from '#server/database/database.ts'
import type { Client } from '#server/http/client.ts'
import { consumeRateLimit, resetRateLimit, throwRateLimited } from '#server/http/rate-limit.ts'
import { Refusal } from '#server/http/refusal.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { verifyPassword } from './password.ts'

const readHash = query<{ password_hash: string | null }, [id: string]>(
  'identity_password',
  'select password_hash from identities where id = $1',
)

/**
 * Checks the password of a signed-in user again and returns its hash.
 * @throws Refusal `invalid_fields`, `too_many_requests`, `state_conflict` for an identity without a password.
 */
export async function confirmPassword(
  db: Db,
  client: Client,
  identityId: string,
  password: string,
): Promise<string> {
  const hash = await readPasswordHash(db, identityId)
  if (hash === null) throw new Refusal('state_conflict.no_password')
  if (!(await isCorrect(db, client, identityId, password, hash))) throw wrongPassword()
  return hash
}

/** Returns whether this is the password of the identity. @throws Refusal `too_many_requests` after ten failures. */
export async function isPasswordOf(
  db: Db,
  client: Client,
  identityId: string,
  password: string,
): Promise<boolean> {
  return isCorrect(db, client, identityId, password, await readPasswordHash(db, identityId))
}

export function wrongPassword(): Refusal {
  return new Refusal('invalid_fields.current_password', { field: 'currentPassword' })
}

async function readPasswordHash(db: Db, identityId: string): Promise<string | null> {
  const [identity] = await readHash(db, identityId)
  return identity?.password_hash ?? null
}

async function isCorrect(
  db: Db,
  client: Client,
  identityId: string,
  password: string,
  hash: string | null,
): Promise<boolean> {
  const limit = { key: `password:${identityId}`, max: 10, seconds: 900 }
  const [exceeded] = await consumeRateLimit(db, [limit])
  if (exceeded) throwRateLimited(exceeded.resetsAt)
  const correct = await verifyPassword(password, hash)
  if (correct) await resetRateLimit(db, limit.key)
  else await logSecurityEvent(db, { kind: 'password_check_failed', params: {}, client, identityId })
  return correct
}
