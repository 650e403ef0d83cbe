import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Config } from '#server/config.ts'
import { type Database, type Db, query } from '#server/database/database.ts'
import { keyFor } from '#server/encryption.ts'
import { Refusal } from '#server/http/refusal.ts'
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
const takeSetup = query<{ value: string }, []>(
  'setup_take',
  `delete from installation where name = 'setup' returning value`,
)
const registerAdmin = query<never, [id: string, name: string, email: string, emailKey: string]>(
  'setup_register_admin',
  `select register_user($1, 'Admin', $2, $3, $4, '')`,
)

/**
 * The link under which the first Admin is made, while there is none. Its code is made of AUTH_SECRET and a value in
 * the database: every start and every instance prints the same, and neither of the two alone tells it.
 */
export async function setupLink(database: Database, config: Config): Promise<string | undefined> {
  const [admin] = await adminExists(database)
  if (admin?.exists) {
    await takeSetup(database)
    return undefined
  }
  await offerSetup(database, randomBytes(16).toString('hex'))
  const [setup] = await readSetup(database)
  return setup && `${config.publicUrl}/setup#code=${codeOf(setup.value, config)}`
}

/**
 * Makes the first Admin and answers their identity. The code dies with its first use, together with what it made.
 * @throws Refusal `link_expired` for a code that is wrong or was used, `email_taken`.
 */
export async function setupAdmin(
  database: Database,
  config: Config,
  { code, ...person }: NewIdentity & { code: string },
): Promise<string> {
  await refuseWrongCode(database, config, code) // before any work is done for a stranger
  const prepared = await prepareIdentity(database, person)
  return database.transaction(async (tx) => {
    const [setup] = await takeSetup(tx)
    const [admin] = await adminExists(tx)
    if (setup === undefined || admin?.exists || !isCode(code, setup.value, config)) throw expired()
    const id = await addIdentity(tx, config, prepared)
    await registerAdmin(tx, id, prepared.name, prepared.email, prepared.emailKey)
    return id
  })
}

async function refuseWrongCode(db: Db, config: Config, code: string): Promise<void> {
  const [setup] = await readSetup(db)
  if (setup === undefined || !isCode(code, setup.value, config)) throw expired()
}

function isCode(code: string, nonce: string, config: Config): boolean {
  const right = Buffer.from(codeOf(nonce, config))
  const given = Buffer.from(code)
  return given.length === right.length && timingSafeEqual(given, right)
}

function codeOf(nonce: string, config: Config): string {
  return createHmac('sha256', keyFor('setup code', config)).update(nonce).digest('base64url')
}

function expired(): Refusal {
  return new Refusal(
    'link_expired',
    'This link was used or is no longer valid. Start the program again for a new one.',
  )
}
