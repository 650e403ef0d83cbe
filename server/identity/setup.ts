import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Config } from '#server/config.ts'
import { type Database, type Db, query } from '#server/database/database.ts'
import { signText } from '#server/encryption.ts'
import type { Client } from '#server/http/client.ts'
import { Refusal } from '#server/http/refusal.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { registerUser } from '#server/users/register.ts'
import { addIdentity, type NewIdentity, prepareIdentity } from './sign-up.ts'

const adminExists = query<{ exists: boolean }, []>(
  'setup_admin_exists',
  `select exists (select from users where role = 'Admin' and deleted_at is null) as exists`,
)
const offerSetup = query<never, [nonce: string]>(
  'setup_offer',
  `insert into installation (name, value) values ('setup', to_jsonb($1::text)) on conflict (name) do nothing`,
)
const readSetup = query<{ value: string }, []>(
  'setup_read',
  `select value from installation where name = 'setup'`,
)
const consumeSetup = query<{ value: string }, []>(
  'setup_consume',
  `delete from installation where name = 'setup' returning value`,
)

/**
 * Returns the link that creates the first Admin, or undefined when an Admin exists. Its code is an HMAC of a value in the
 * database, keyed by AUTH_SECRET: every start and every instance prints the same link, and neither part alone reveals it.
 */
export async function setupLink(database: Database, config: Config): Promise<string | undefined> {
  const [admin] = await adminExists(database)
  if (admin?.exists) {
    await consumeSetup(database)
    return undefined
  }
  await offerSetup(database, randomBytes(16).toString('hex'))
  const [setup] = await readSetup(database)
  return setup && `${config.publicUrl}/setup#code=${codeOf(setup.value, config)}`
}

/**
 * Creates the first Admin and returns their identity id. The code is consumed in the same transaction.
 * @throws Refusal `link_expired` for a wrong or used code, `email_taken`.
 */
export async function setupAdmin(
  database: Database,
  config: Config,
  client: Client,
  { code, ...identity }: NewIdentity & { code: string },
): Promise<string> {
  await refuseWrongCode(database, config, code) // before the expensive password hash
  const prepared = await prepareIdentity(database, config, identity, { admin: true })
  return database.transaction(async (tx) => {
    const [setup] = await consumeSetup(tx)
    const [admin] = await adminExists(tx)
    if (setup === undefined || admin?.exists || !isCode(code, setup.value, config)) throw expired()
    const id = await addIdentity(tx, config, client, prepared, 'setup_link')
    const { name, email, emailKey } = prepared
    await registerUser(tx, { id, role: 'Admin', name, email, emailKey, image: '' })
    await logSecurityEvent(tx, { kind: 'role_changed', params: { role: 'Admin' }, client, identityId: id })
    return id
  })
}

async function refuseWrongCode(db: Db, config: Config, code: string): Promise<void> {
  if (!(await isUsableSetupCode(db, config, code))) throw expired()
}

/** Returns whether the first Admin can be created with this code. */
export async function isUsableSetupCode(db: Db, config: Config, code: string): Promise<boolean> {
  const [setup] = await readSetup(db)
  return setup !== undefined && isCode(code, setup.value, config)
}

function isCode(code: string, nonce: string, config: Config): boolean {
  const expected = Buffer.from(codeOf(nonce, config))
  const actual = Buffer.from(code)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

function codeOf(nonce: string, config: Config): string {
  return signText(nonce, 'setup code', config).toString('base64url')
}

function expired(): Refusal {
  return new Refusal('link_expired.setup')
}
