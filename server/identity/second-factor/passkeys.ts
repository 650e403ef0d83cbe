import type * as WebAuthn from '@simplewebauthn/server'
import { v7 as uuid } from 'uuid'
import type { AuthenticationResponse, RegistrationResponse } from '#contract/second-factor.ts'
import type { Config } from '#server/config.ts'
import { type Database, type Db, query } from '#server/database/database.ts'
import type { Caller } from '#server/http/caller.ts'
import type { Client } from '#server/http/client.ts'
import { Refusal } from '#server/http/refusal.ts'
import { acceptChallenge, storeChallenge } from './challenges.ts'
import { addFactor } from './factors.ts'

/** Loads the library when it is first used: it is a fifth of the modules of a start. */
const loadWebAuthn = () => import('@simplewebauthn/server')

/** WebAuthn's longest id of a credential, 1,023 bytes, in base64url. */
const CREDENTIAL_ID_MAX = 1364

type CredentialRow = {
  id: string
  identity_id: string
  credential_id: string
  public_key: Buffer
  sign_count: number
  transports: string[]
}

const readCredentials = query<CredentialRow, [identityId: string]>(
  'webauthn_credentials_of_identity',
  `select id, identity_id, credential_id, public_key, sign_count, transports
     from webauthn_credentials where identity_id = $1`,
)
const readCredential = query<CredentialRow, [credentialId: string]>(
  'webauthn_credential',
  `select id, identity_id, credential_id, public_key, sign_count, transports
     from webauthn_credentials where credential_id = $1`,
)
const insertCredential = query<
  { id: string },
  [
    id: string,
    identityId: string,
    credentialId: string,
    publicKey: Buffer,
    signCount: number,
    transports: string[],
    name: string,
  ]
>(
  'webauthn_credential_insert',
  `insert into webauthn_credentials (id, identity_id, credential_id, public_key, sign_count, transports, name)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict (credential_id) do nothing returning id`,
)
// An authenticator without a counter always sends 0. A counter that does not grow means a copied authenticator.
const recordUse = query<{ id: string }, [id: string, signCount: number]>(
  'webauthn_credential_use',
  `update webauthn_credentials set sign_count = $2, used_at = now()
    where id = $1 and (sign_count < $2 or (sign_count = 0 and $2 = 0)) returning id`,
)

/** Returns the options of a new passkey for the browser. */
export async function passkeyOptions(db: Db, config: Config, { identityId, email, name }: Caller) {
  const known = await readCredentials(db, identityId)
  const { generateRegistrationOptions } = await loadWebAuthn()
  const options = await generateRegistrationOptions({
    rpName: config.name,
    rpID: rpIdOf(config),
    userName: email,
    userDisplayName: name,
    userID: new Uint8Array(Buffer.from(identityId)),
    excludeCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  await storeChallenge(db, options.challenge, 'register', identityId)
  return { ...options }
}

/**
 * Adds the passkey that the browser created. Returns the recovery codes if these are the identity's first.
 * @throws Refusal `invalid_fields`, `state_conflict`
 */
export async function addPasskey(
  database: Database,
  config: Config,
  client: Client,
  { identityId }: Caller,
  { name, response }: { name: string; response: RegistrationResponse },
): Promise<string[] | null> {
  const expectedChallenge = await requireChallenge(database, 'register', identityId, response)
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const verified = await verifyRegistrationResponse({
    response: response as Parameters<typeof WebAuthn.verifyRegistrationResponse>[0]['response'],
    expectedChallenge,
    expectedOrigin: config.publicUrl,
    expectedRPID: rpIdOf(config),
    requireUserVerification: false,
  }).catch(refuse)
  if (!verified.verified || verified.registrationInfo.credential.id.length > CREDENTIAL_ID_MAX)
    throw refused()
  const { id: credentialId, publicKey, counter } = verified.registrationInfo.credential
  const transports = response.response.transports ?? []
  return database.transaction((tx) =>
    addFactor(tx, config, client, identityId, 'passkey', async () => {
      const key = Buffer.from(publicKey)
      const added = await insertCredential(
        tx,
        uuid(),
        identityId,
        credentialId,
        key,
        counter,
        transports,
        name,
      )
      if (added.length === 0) throw new Refusal('state_conflict.passkey')
    }),
  )
}

/**
 * Returns the options to prove a passkey for the browser: one of this identity's as a second factor, or without an
 * identity any passkey, which must then verify its user, because it stands for both factors.
 */
export async function passkeyRequest(
  db: Db,
  config: Config,
  purpose: 'second-factor' | 'step-up' | 'sign-in',
  identityId: string | null,
) {
  const known = identityId === null ? [] : await readCredentials(db, identityId)
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const options = await generateAuthenticationOptions({
    rpID: rpIdOf(config),
    allowCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    userVerification: identityId === null ? 'required' : 'preferred',
  })
  await storeChallenge(db, options.challenge, purpose, identityId)
  return { ...options }
}

/** Returns the identity that has the passkey with this credential id, if there is one. */
export async function ownerOfPasskey(db: Db, credentialId: string): Promise<string | undefined> {
  const [credential] = await readCredential(db, credentialId)
  return credential?.identity_id
}

/** Verifies a passkey's response to a challenge and returns whose passkey it is. @throws Refusal `invalid_fields` */
export async function acceptPasskey(
  database: Database,
  config: Config,
  purpose: 'second-factor' | 'step-up' | 'sign-in',
  identityId: string | null,
  response: AuthenticationResponse,
): Promise<string> {
  const [credential] = await readCredential(database, response.id)
  if (credential === undefined || (identityId !== null && credential.identity_id !== identityId)) {
    throw refused()
  }
  const expectedChallenge = await requireChallenge(database, purpose, identityId, response)
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as Parameters<typeof WebAuthn.verifyAuthenticationResponse>[0]['response'],
    expectedChallenge,
    expectedOrigin: config.publicUrl,
    expectedRPID: rpIdOf(config),
    credential: {
      id: credential.credential_id,
      publicKey: new Uint8Array(credential.public_key),
      counter: credential.sign_count,
    },
    requireUserVerification: identityId === null,
  }).catch(refuse)
  if (!verified) throw refused()
  const used = await recordUse(database, credential.id, authenticationInfo.newCounter)
  if (used.length === 0) throw refused()
  return credential.identity_id
}

function rpIdOf(config: Config): string {
  return new URL(config.publicUrl).hostname
}

/**
 * Consumes the challenge that a response names and returns it. Not a callback of the library's verification, whose
 * every error is a refusal: a failed query is none. @throws Refusal `invalid_fields`
 */
async function requireChallenge(
  db: Db,
  purpose: Parameters<typeof acceptChallenge>[2],
  identityId: string | null,
  { response }: { response: { clientDataJSON: string } },
): Promise<string> {
  const challenge = await challengeIn(response.clientDataJSON)
  if (challenge === undefined || !(await acceptChallenge(db, challenge, purpose, identityId))) throw refused()
  return challenge
}

async function challengeIn(clientDataJson: string): Promise<string | undefined> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers')
  try {
    const { challenge } = decodeClientDataJSON(clientDataJson) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

/** Replaces the plain errors that the library throws for every invalid response. */
function refuse(): never {
  throw refused()
}

function refused(): Refusal {
  return new Refusal('invalid_fields.passkey')
}
