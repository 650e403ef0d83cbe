import { v7 as uuid } from 'uuid'
import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { emailKey } from './email-key.ts'
import { hashPassword } from './password.ts'
import { countAttempt, type Limit, networkOf, refuseUntil } from './throttle.ts'

const isTaken = query<{ id: string }, [emailKey: string]>(
  'identity_of_address',
  'select id from identities where email_key = $1',
)
const insertIdentity = query<
  { id: string },
  [id: string, name: string, email: string, emailKey: string, passwordHash: string]
>(
  'identity_insert',
  `insert into identities (id, name, email, email_key, password_hash) values ($1, $2, $3, $4, $5)
   on conflict (email_key) do nothing returning id`,
)

export type NewIdentity = { name: string; email: string; password: string }

/**
 * Makes somebody who can sign in with an e-mail address and a password. An address has one identity, whatever its
 * spelling, also when its person was deleted.
 * @throws Refusal `email_taken`; `too_many_requests` from a network that makes very many.
 */
export async function signUp(db: Db, config: Config, ip: string, person: NewIdentity): Promise<string> {
  // Each new person is given coins, so one network gets few; in development a test may make a whole town.
  const limit: Limit = {
    key: `sign-up:${networkOf(ip)}`,
    max: config.production ? 30 : 3000,
    seconds: 3600,
  }
  const [exceeded] = await countAttempt(db, [limit])
  if (exceeded) refuseUntil(exceeded.resetsAt)
  return makeIdentity(db, person)
}

/** Makes the identity itself and answers its id. @throws Refusal `email_taken`, `invalid_fields` for a non-address. */
export async function makeIdentity(db: Db, { name, email, password }: NewIdentity): Promise<string> {
  const key = keyOfAddress(email)
  const taken = await isTaken(db, key)
  if (taken.length > 0) throw addressTaken()
  const id = uuid()
  const made = await insertIdentity(db, id, name, email, key, await hashPassword(password))
  if (made.length === 0) throw addressTaken()
  return id
}

export function keyOfAddress(email: string): string {
  const key = emailKey(email)
  if (key === undefined) {
    throw new Refusal('invalid_fields', 'Invalid email format', { email: 'Invalid email format' })
  }
  return key
}

export function addressTaken(): Refusal {
  const message = 'Somebody already signed up with this email.'
  return new Refusal('email_taken', message, { email: message })
}
