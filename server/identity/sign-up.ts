import { v7 as uuid } from 'uuid'
import type { Locale } from '#contract/locales.ts'
import type { SecurityEventParams } from '#contract/security-log.ts'
import type { Config } from '#server/config.ts'
import { type Database, type Db, query, type Tx } from '#server/database/database.ts'
import type { Client } from '#server/http/client.ts'
import { limitSignIns } from './concurrency-limits.ts'
import { emailTaken, requireEmailKey } from './email-taken.ts'
import { hashPassword } from './password.ts'
import { requireStrongPassword, suitsAdmin } from './password-rules.ts'
import { sendVerification } from './verify-email.ts'

const readIdentityId = query<{ id: string }, [emailKey: string]>(
  'identity_of_email',
  'select id from identities where email_key = $1',
)
const insertIdentity = query<
  { id: string },
  [
    id: string,
    name: string,
    email: string,
    emailKey: string,
    passwordHash: string,
    suitsAdmin: boolean,
    network: string,
    device: string,
    event: SecurityEventParams<'signed_up'>,
  ]
>(
  'identity_insert',
  `with created as (
     insert into identities (id, name, email, email_key, password_hash, password_suits_admin) values ($1, $2, $3, $4, $5, $6)
     on conflict (email_key) do nothing returning id)
   select id, log_security_event('signed_up', id, $7, $8, $9) from created`,
)

export type NewIdentity = { name: string; email: string; password: string; locale?: Locale }
type PreparedIdentity = {
  name: string
  email: string
  emailKey: string
  passwordHash: string
  suitsAdmin: boolean
  locale: Locale | undefined
}

/**
 * Creates an identity with an email and a password and queues the verification mail. An email key belongs to one
 * identity, also after its user was deleted.
 * @throws Refusal `email_taken`.
 */
export async function signUp(
  database: Database,
  config: Config,
  client: Client,
  identity: NewIdentity,
): Promise<string> {
  return limitSignIns(async () => {
    const prepared = await prepareIdentity(database, config, identity)
    return database.transaction((tx) => addIdentity(tx, config, client, prepared, 'password'))
  })
}

/**
 * Hashes the password, which is slow and therefore happens outside of transactions.
 * @throws Refusal `email_taken`, `invalid_fields` for an invalid email or a weak password, `unavailable` when too many requests wait.
 */
export async function prepareIdentity(
  db: Db,
  config: Config,
  { name, email, password, locale }: NewIdentity,
  { admin = false } = {},
): Promise<PreparedIdentity> {
  const key = requireEmailKey(email)
  await requireStrongPassword(config, password, { email, admin })
  const existing = await readIdentityId(db, key)
  if (existing.length > 0) throw emailTaken()
  const passwordHash = await hashPassword(password)
  return { name, email, emailKey: key, passwordHash, suitsAdmin: suitsAdmin(password), locale }
}

/** Inserts the identity and returns its id. @throws Refusal `email_taken` when a concurrent sign-up was first. */
export async function addIdentity(
  tx: Tx,
  config: Config,
  { network, device }: Client,
  identity: PreparedIdentity,
  method: SecurityEventParams<'signed_up'>['method'],
): Promise<string> {
  const { name, email, emailKey: key, passwordHash, suitsAdmin: suits, locale } = identity
  const id = uuid()
  const event = { method }
  const inserted = await insertIdentity(tx, id, name, email, key, passwordHash, suits, network, device, event)
  if (inserted.length === 0) throw emailTaken()
  await sendVerification(tx, config, { id, name, locale }, identity)
  return id
}
