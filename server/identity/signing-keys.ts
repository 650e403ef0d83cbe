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

/** A key is replaced after this long. */
const KEY_DAYS = 30
/** How long an instance caches the keys; another instance may create a new one meanwhile. */
const CACHE_MS = 60_000
/** The size of the cache of verified tokens: checking a signature is more expensive than hashing the token. */
const VERIFIED_MAX = 10_000
/** A new key is published this long before it signs, so that every verifier has it by then. */
const PUBLISHED_BEFORE_MINUTES = 5
/** A retired key verifies until every token it can have signed has expired, also on an instance with cached keys. */
export const RETIRED_KEY_VERIFIES = '1 hour'

/** The claims of an ID token: identity and session. Roles are not in it; they are read from the database. */
export type Claims = { sub: string; sid: string; email: string; name: string }

/** The keys of this installation. They sign and verify its ID tokens and are published as a JWKS. */
export type SigningKeys = {
  sign(claims: Claims, expiresAt: Date): Promise<string>
  /** Returns the claims of a valid token of this installation. @throws jose's errors for any other token. */
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
 * Loads the keys that sign ID tokens and creates the first. Private keys are stored in the database, encrypted under
 * AUTH_SECRET. A key that this secret cannot decrypt neither signs nor verifies, so a new secret invalidates all tokens.
 */
export async function openSigningKeys(database: Database, config: Config): Promise<SigningKeys> {
  const secret = keyFor('signing keys', config)
  let keys: Key[] = []
  const verified = new Map<string, JWTPayload>()
  let readAt = 0
  let refreshing: Promise<void> | undefined

  async function refresh(): Promise<void> {
    let rows = await readKeys(database, KEY_DAYS, RETIRED_KEY_VERIFIES)
    let decrypted = await Promise.all(rows.map((row) => decryptKey(row, secret)))
    const active = decrypted.findIndex((key) => key?.signsUntil === Number.POSITIVE_INFINITY)
    if (active === -1 || rows[active]?.due) {
      await createKey(database, secret)
      rows = await readKeys(database, KEY_DAYS, RETIRED_KEY_VERIFIES)
      decrypted = await Promise.all(rows.map((row) => decryptKey(row, secret)))
    }
    keys = decrypted.filter((key) => key !== undefined)
    verified.clear()
    readAt = Date.now()
  }

  /** Returns keys at most `maxAgeMs` old. Concurrent callers share one query. */
  async function keysWithin(maxAgeMs: number): Promise<Key[]> {
    if (Date.now() - readAt > maxAgeMs) {
      refreshing ??= refresh().finally(() => {
        refreshing = undefined
      })
      // Cached keys are used while the database is unavailable.
      await (keys.length === 0 ? refreshing : refreshing.catch(() => {}))
    }
    return keys
  }

  await keysWithin(0)

  return {
    async sign(claims, expiresAt) {
      const key = (await keysWithin(CACHE_MS)).find(({ signsUntil }) => signsUntil > Date.now())
      if (key === undefined) throw new Error('No signing key is available')
      return new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: key.kid })
        .setIssuer(config.publicUrl)
        .setAudience(AUDIENCE)
        .setIssuedAt()
        .setExpirationTime(expiresAt)
        .sign(key.privateKey)
    },
    async verify(token) {
      await keysWithin(CACHE_MS)
      const digest = hash('sha256', token)
      const cached = verified.get(digest)
      if (cached?.exp !== undefined && cached.exp * 1000 > Date.now()) return cached

      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const cachedKey = (await keysWithin(CACHE_MS)).find((key) => key.kid === kid)
          // Another instance may just have created a key. Unknown key ids cause at most one query per second.
          const key = cachedKey ?? (await keysWithin(1000)).find((candidate) => candidate.kid === kid)
          if (key === undefined) throw new Error('The key that signed this token is unknown')
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
    jwks: async () => (await keysWithin(CACHE_MS)).map(({ publicJwk }) => publicJwk),
  }
}

/**
 * Creates a signing key and retires the earlier keys of this secret once the new one has been published for
 * PUBLISHED_BEFORE_MINUTES. Does nothing when another instance has just done so.
 */
async function createKey(database: Database, secret: Buffer): Promise<void> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true })
  const jwk = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  const encrypted = encrypt(await exportPKCS8(pair.privateKey), kid, secret)

  await database.transaction(async (tx) => {
    await lock(tx, LOCK)
    const rows = await readKeys(tx, KEY_DAYS, RETIRED_KEY_VERIFIES)
    const activeRows = rows.filter(
      (row) => row.retired_at === null && decrypt(row.private_encrypted, row.kid, secret) !== undefined,
    )
    if (activeRows.some((row) => !row.due)) return
    for (const row of activeRows) await retireKey(tx, row.kid, PUBLISHED_BEFORE_MINUTES)
    await insertKey(tx, kid, JSON.stringify({ ...jwk, kid, alg: ALGORITHM, use: 'sig' }), encrypted)
  })
}

async function decryptKey(row: KeyRow, secret: Buffer): Promise<Key | undefined> {
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
