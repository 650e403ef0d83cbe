import { hash } from 'node:crypto'
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importJWK,
  importPKCS8,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'
import type { Config } from '#server/config.ts'
import { type Database, query } from '#server/database/database.ts'
import { decrypt, encrypt, keyFor } from '#server/encryption.ts'

export const TOKEN_MINUTES = 10
const AUDIENCE = 'tallywork-api'
const ALGORITHM = 'RS256'

/** A key signs for this long before another takes its place. */
const KEY_DAYS = 30
/** How long one instance may work with what it read before; another may have made a new key since. */
const FRESH_MS = 60_000
/** So many verified tokens are remembered until the keys are read again: a signature is dearer than a hash. */
const VERIFIED_MAX = 10_000
/** A new key is published this long before it signs, so that everybody who verifies has it by then. */
const NOTICE_MINUTES = 5
/** A retired key verifies until the last token it can have signed has expired, on an instance that noticed late. */
export const RETIRED_KEY_VERIFIES = '1 hour'

/** What an ID token says: whom it is about and in which session. Who may do what is read from the record. */
export type Claims = { sub: string; sid: string; email: string; name: string }

/** The keys of this installation: they sign and verify its ID tokens, and are published as a JWKS. */
export type SigningKeys = {
  sign(claims: Claims, expiresAt: Date): Promise<string>
  /** The claims of a token of ours that has not expired. @throws jose's errors for any other. */
  verify(token: string): Promise<JWTPayload & { sid?: unknown }>
  jwks(): Promise<JWK[]>
}

type Key = { kid: string; publicJwk: JWK; publicKey: CryptoKey; privateKey: CryptoKey; signsUntil: number }
type KeyRow = {
  kid: string
  public_jwk: JWK
  private_encrypted: Buffer
  retired_at: string | null
  due: boolean
}

const LOCK = 7_461_010
const lock = query<never, [number]>('signing_keys_lock', 'select pg_advisory_xact_lock($1)')
const readKeys = query<KeyRow, [keyDays: number, verifies: string]>(
  'signing_keys',
  `select kid, public_jwk, private_encrypted, retired_at, created_at < now() - make_interval(days => $1) as due
     from signing_keys where retired_at is null or retired_at > now() - $2::interval order by created_at`,
)
const insertKey = query<never, [kid: string, publicJwk: string, privateEncrypted: Buffer]>(
  'signing_key_insert',
  'insert into signing_keys (kid, public_jwk, private_encrypted) values ($1, $2, $3)',
)
const retireKey = query<never, [kid: string, minutes: number]>(
  'signing_key_retire',
  `update signing_keys set retired_at = now() + make_interval(mins => $2) where kid = $1 and retired_at is null`,
)

/**
 * Opens the keys that ID tokens are signed with, and makes the first. The private parts lie in the database encrypted
 * under AUTH_SECRET; a key that this secret does not open neither signs nor verifies here, so that a new secret ends
 * what the old one could sign.
 */
export async function openSigningKeys(database: Database, config: Config): Promise<SigningKeys> {
  const secret = keyFor('signing keys', config)
  let keys: Key[] = []
  const verified = new Map<string, JWTPayload>()
  let readAt = 0
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    let rows = await readKeys(database, KEY_DAYS, RETIRED_KEY_VERIFIES)
    let opened = await Promise.all(rows.map((row) => open(row, secret)))
    const lasting = opened.findIndex((key) => key?.signsUntil === Number.POSITIVE_INFINITY)
    if (lasting === -1 || rows[lasting]?.due) {
      await makeKey(database, secret)
      rows = await readKeys(database, KEY_DAYS, RETIRED_KEY_VERIFIES)
      opened = await Promise.all(rows.map((row) => open(row, secret)))
    }
    keys = opened.filter((key) => key !== undefined)
    verified.clear()
    readAt = Date.now()
  }

  /** The keys, read again when what we have is older than that; one reading serves all who wait for it. */
  async function keysWithin(ms: number): Promise<Key[]> {
    if (Date.now() - readAt > ms) {
      reading ??= read().finally(() => {
        reading = undefined
      })
      // With keys at hand, a database that is away for a moment stops nobody here.
      await (keys.length === 0 ? reading : reading.catch(() => {}))
    }
    return keys
  }

  await keysWithin(0)

  return {
    async sign(claims, expiresAt) {
      const key = (await keysWithin(FRESH_MS)).find(({ signsUntil }) => signsUntil > Date.now())
      if (key === undefined) throw new Error('There is no key to sign with')
      return new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: key.kid })
        .setIssuer(config.publicUrl)
        .setAudience(AUDIENCE)
        .setIssuedAt()
        .setExpirationTime(expiresAt)
        .sign(key.privateKey)
    },
    async verify(token) {
      await keysWithin(FRESH_MS)
      const digest = hash('sha256', token)
      const known = verified.get(digest)
      if (known?.exp !== undefined && known.exp * 1000 > Date.now()) return known

      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const known = (await keysWithin(FRESH_MS)).find((key) => key.kid === kid)
          // Another instance may have made a key a moment ago; strangers' key ids make us look once a second at most.
          const key = known ?? (await keysWithin(1000)).find((one) => one.kid === kid)
          if (key === undefined) throw new Error('This token is signed with a key that is not ours')
          return key.publicKey
        },
        {
          algorithms: [ALGORITHM],
          typ: 'JWT',
          issuer: config.publicUrl,
          audience: AUDIENCE,
          requiredClaims: ['sub', 'sid', 'iat', 'exp'],
        },
      )
      for (const oldest of verified.keys()) {
        if (verified.size < VERIFIED_MAX) break
        verified.delete(oldest)
      }
      verified.set(digest, payload)
      return payload
    },
    jwks: async () => (await keysWithin(FRESH_MS)).map(({ publicJwk }) => publicJwk),
  }
}

/**
 * Makes a new signing key, and has the others that this secret opens retire when it has been known for a while, unless
 * another instance just did.
 */
async function makeKey(database: Database, secret: Buffer): Promise<void> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true })
  const jwk = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  const sealed = encrypt(await exportPKCS8(pair.privateKey), kid, secret)

  await database.transaction(async (tx) => {
    await lock(tx, LOCK)
    const rows = await readKeys(tx, KEY_DAYS, RETIRED_KEY_VERIFIES)
    const ours = rows.filter(
      (row) => row.retired_at === null && decrypt(row.private_encrypted, row.kid, secret) !== undefined,
    )
    if (ours.some((row) => !row.due)) return
    for (const row of ours) await retireKey(tx, row.kid, NOTICE_MINUTES)
    await insertKey(tx, kid, JSON.stringify({ ...jwk, kid, alg: ALGORITHM, use: 'sig' }), sealed)
  })
}

async function open(row: KeyRow, secret: Buffer): Promise<Key | undefined> {
  const pkcs8 = decrypt(row.private_encrypted, row.kid, secret)
  if (pkcs8 === undefined) return undefined
  return {
    kid: row.kid,
    publicJwk: row.public_jwk,
    publicKey: (await importJWK(row.public_jwk, ALGORITHM)) as CryptoKey,
    privateKey: await importPKCS8(pkcs8, ALGORITHM),
    signsUntil: row.retired_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.retired_at),
  }
}
