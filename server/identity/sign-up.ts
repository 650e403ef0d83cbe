import { v7 as uuid } from 'uuid'
import type { Config } from '#server/config.ts'
import { type Database, type Db, query, type Tx } from '#server/database/database.ts'
import { emailKeyInUse, emailTaken } from './email-taken.ts'
import { attempts } from './gate.ts'
import { hashPassword } from './password.ts'
import { consumeRateLimit, type Limit, networkOf, throwRateLimited } from './rate-limit.ts'
import { sendVerification } from './verify-email.ts'

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
type PreparedIdentity = { name: string; email: string; emailKey: string; passwordHash: string }

/**
 * Makes somebody who can sign in with an e-mail address and a password, and queues the mail that verifies the address.
 * An address has one identity, whatever its spelling, also when its person was deleted.
 * @throws Refusal `email_taken`; `too_many_requests` from a network that makes very many.
 */
export async function signUp(
  database: Database,
  config: Config,
  ip: string,
  person: NewIdentity,
): Promise<string> {
  // Each new person is given coins, so one network gets few; in development a test may make a whole town.
  const limit: Limit = {
    key: `sign-up:${networkOf(ip)}`,
    max: config.production ? 30 : 3000,
    seconds: 3600,
  }
  return attempts(async () => {
    const [exceeded] = await consumeRateLimit(database, [limit])
    if (exceeded) throwRateLimited(exceeded.resetsAt)
    const prepared = await prepareIdentity(database, person)
    return database.transaction((tx) => addIdentity(tx, config, prepared))
  })
}

/**
 * The slow part, outside of any transaction: hashes the password.
 * @throws Refusal `email_taken`, `invalid_fields` for what is no address, `unavailable` when too many wait.
 */
export async function prepareIdentity(
  db: Db,
  { name, email, password }: NewIdentity,
): Promise<PreparedIdentity> {
  const key = emailKeyInUse(email)
  const taken = await isTaken(db, key)
  if (taken.length > 0) throw emailTaken()
  return { name, email, emailKey: key, passwordHash: await hashPassword(password) }
}

/** @throws Refusal `email_taken` when somebody was quicker. */
export async function addIdentity(tx: Tx, config: Config, person: PreparedIdentity): Promise<string> {
  const { name, email, emailKey: key, passwordHash } = person
  const id = uuid()
  const made = await insertIdentity(tx, id, name, email, key, passwordHash)
  if (made.length === 0) throw emailTaken()
  await sendVerification(tx, config, { id, name }, person)
  return id
}
