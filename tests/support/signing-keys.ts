import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { openSigningKeys, type SigningKeys } from '#server/identity/signing-keys.ts'

/** AUTH_SECRET of the instances of this process. */
export const TEST_SECRET = 'a secret of the tests, long enough for anybody'

type KeyRow = { kid: string; public_jwk: object; private_encrypted: Buffer }

/** The first key that was created under TEST_SECRET. */
let first: KeyRow | undefined

/**
 * Opens the signing keys of an instance. Under TEST_SECRET a database without keys gets the first one of this process: to
 * create one takes 50 ms of processor time, more than most describe blocks use.
 */
export async function openTestKeys(database: Database, config: Config): Promise<SigningKeys> {
  if (config.authSecret === TEST_SECRET && first !== undefined)
    await database.pool.query(
      `insert into signing_keys (kid, public_jwk, private_encrypted)
       select $1, $2, $3 where not exists (select from signing_keys) on conflict (kid) do nothing`,
      [first.kid, JSON.stringify(first.public_jwk), first.private_encrypted],
    )
  const keys = await openSigningKeys(database, config)
  if (config.authSecret === TEST_SECRET && first === undefined) {
    const { rows } = await database.pool.query<KeyRow>(
      'select kid, public_jwk, private_encrypted from signing_keys',
    )
    first = rows[0]
  }
  return keys
}
