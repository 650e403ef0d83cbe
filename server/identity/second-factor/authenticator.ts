import { v7 as uuid } from 'uuid'
import type { Config } from '#server/config.ts'
import { type Database, type Db, query, type Tx } from '#server/database/database.ts'
import { decrypt, encrypt, keyFor } from '#server/encryption.ts'
import type { Caller } from '#server/http/caller.ts'
import type { Client } from '#server/http/client.ts'
import { consumeRateLimit, throwRateLimited } from '#server/http/rate-limit.ts'
import { Refusal } from '#server/http/refusal.ts'
import { addFactor } from './factors.ts'

/** Codes of the previous and the next 30 seconds are accepted too, for clocks that are slightly off. */
const TOLERANCE_SECONDS = 30

type SecretRow = { id: string; secret_encrypted: Buffer; last_step: number | null }

// An identity has at most one unconfirmed secret.
const insertSecret = query<never, [id: string, identityId: string, encrypted: Buffer]>(
  'totp_insert',
  `with old as (delete from totp_secrets where identity_id = $2 and confirmed_at is null)
   insert into totp_secrets (id, identity_id, secret_encrypted) values ($1, $2, $3)`,
)
const readUnconfirmed = query<SecretRow, [id: string, identityId: string]>(
  'totp_unconfirmed',
  `select id, secret_encrypted, last_step from totp_secrets
    where id = $1 and identity_id = $2 and confirmed_at is null and created_at > now() - interval '1 hour'`,
)
const confirmSecret = query<{ id: string }, [id: string, step: number]>(
  'totp_confirm',
  `update totp_secrets set confirmed_at = now(), last_step = $2 where id = $1 and confirmed_at is null returning id`,
)
const readSecrets = query<SecretRow, [identityId: string]>(
  'totp_of_identity',
  'select id, secret_encrypted, last_step from totp_secrets where identity_id = $1 and confirmed_at is not null',
)
const recordStep = query<{ id: string }, [id: string, step: number]>(
  'totp_record_step',
  `update totp_secrets set last_step = $2, used_at = now()
    where id = $1 and (last_step is null or last_step < $2) returning id`,
)

/** Creates an unconfirmed secret. Returns it as text and as the URI of the QR code. */
export async function createAuthenticator(db: Db, config: Config, { identityId, email }: Caller) {
  const { generateSecret, generateURI } = await import('otplib')
  const secret = generateSecret()
  const id = uuid()
  await insertSecret(db, id, identityId, encrypt(secret, id, keyOf(config)))
  return { _id: id, secret, uri: generateURI({ issuer: config.name, label: email, secret }) }
}

/**
 * Adds the authenticator app after checking its first code. Returns the recovery codes if these are the identity's first.
 * @throws Refusal `not_found`, `invalid_fields`, `too_many_requests`, `state_conflict`
 */
export async function confirmAuthenticator(
  database: Database,
  config: Config,
  client: Client,
  { identityId }: Caller,
  id: string,
  code: string,
): Promise<string[] | null> {
  const limit = { key: `authenticator:${identityId}`, max: 20, seconds: 900 }
  const [exceeded] = await consumeRateLimit(database, [limit])
  if (exceeded) throwRateLimited(exceeded.resetsAt)
  return database.transaction((tx) =>
    addFactor(tx, config, client, identityId, 'totp', async () => {
      const [row] = await readUnconfirmed(tx, id, identityId)
      if (row === undefined) {
        // The response to an earlier confirmation was lost, and with it the recovery codes.
        const isAdded = (await readSecrets(tx, identityId)).some((secret) => secret.id === id)
        throw new Refusal(isAdded ? 'state_conflict.authenticator' : 'not_found.authenticator')
      }
      const step = await stepOf(config, row, code)
      if (step === undefined) throw new Refusal('invalid_fields.second_factor_code', { field: 'code' })
      await confirmSecret(tx, id, step)
    }),
  )
}

/** Returns whether this is a current code of one of the identity's authenticator apps, and accepts it only once. */
export async function acceptAuthenticatorCode(
  tx: Tx,
  config: Config,
  identityId: string,
  code: string,
): Promise<boolean> {
  for (const row of await readSecrets(tx, identityId)) {
    const step = await stepOf(config, row, code)
    if (step !== undefined) return (await recordStep(tx, row.id, step)).length > 0
  }
  return false
}

/** Returns the time step of a valid code, or undefined for a wrong or used one. */
async function stepOf(config: Config, row: SecretRow, code: string): Promise<number | undefined> {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const secret = decrypt(row.secret_encrypted, row.id, keyOf(config))
  if (secret === undefined) throw new Error('This authenticator was encrypted with another AUTH_SECRET')
  const { verify } = await import('otplib')
  const result = await verify({
    secret,
    token,
    epochTolerance: TOLERANCE_SECONDS,
    ...(row.last_step !== null && { afterTimeStep: row.last_step }),
  })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

function keyOf(config: Config): Buffer {
  return keyFor('authenticator secrets', config)
}
