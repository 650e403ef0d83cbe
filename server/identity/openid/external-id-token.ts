import { createHash } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { v7 as uuid } from 'uuid'
import type { Config } from '#server/config.ts'
import { type Database, query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'
import { type Issuer, issuersOf } from '#server/identity/providers.ts'
import { createDiscovery, isOutage } from './discovery.ts'
import { idTokenClaims } from './id-token-claims.ts'
import { identityForClaims, OpenidRefusal } from './link.ts'

const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'EdDSA',
  'Ed25519',
]

type SessionRow = { sid: string; sub: string }
const readSession = query<SessionRow, [hash: Buffer]>(
  'outside_session',
  'select id as sid, identity_id as sub from sessions where secret_hash = $1',
)
const insertSession = query<
  never,
  [id: string, identityId: string, hash: Buffer, device: string, issuedAt: number, expiresAt: number]
>(
  'outside_session_start',
  `insert into sessions (id, identity_id, secret_hash, device, expires_at)
   select $1, $2, $3, $4, to_timestamp($6) from identities where id = $2 and issuer_tokens_from <= to_timestamp($5)
   on conflict (secret_hash) do nothing`,
)

/**
 * Accepts ID tokens of OIDC_ISSUER, issued for us, in place of our own (docs/specification/identity.md). A valid token is
 * a session, so that it is listed, ended and revoked like any other. Its first use creates or links the identity by the
 * same rules as signing in.
 */
export function createExternalIdTokenVerifier(database: Database, config: Config) {
  const discover = createDiscovery()
  const accepted = issuersOf(config).filter(({ id, demonstration }) => id === 'oidc' && !demonstration)
  const keysOf = new Map<string, JWTVerifyGetKey>()

  async function verified(issuer: Issuer, token: string) {
    const server = (await discover(issuer)).serverMetadata()
    const address = server.jwks_uri ?? ''
    const keys = keysOf.get(address) ?? createRemoteJWKSet(new URL(address), { timeoutDuration: 5000 })
    keysOf.set(address, keys)
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer: server.issuer,
      audience: issuer.clientId,
      requiredClaims: ['sub', 'iat', 'exp'],
    })
    const forAnother =
      payload.azp !== undefined
        ? payload.azp !== issuer.clientId
        : Array.isArray(payload.aud) && payload.aud.length > 1
    // An access or logout token with our name in it is not a statement of who somebody is.
    const another = protectedHeader.typ !== undefined && protectedHeader.typ.toUpperCase() !== 'JWT'
    if (forAnother || another) throw new Error('This is no ID token for us')
    return payload
  }

  /** The session of an outside issuer's token; undefined when it is no token of such an issuer. */
  return async (token: string): Promise<SessionRow | undefined> => {
    const issuer = accepted.find(({ url }) => isOf(url, token))
    if (issuer === undefined) return undefined
    const payload = await verified(issuer, token).catch((error: unknown) => {
      if (!isOutage(error)) throw error
      throw new Refusal('unavailable', 'The sign-in service cannot be reached right now. Please try again.')
    })
    const hash = createHash('sha256').update(token).digest()
    const [known] = await readSession(database, hash)
    if (known !== undefined) return known

    const person = idTokenClaims(issuer, payload)
    if (person === undefined) return undefined
    const { id: identityId } = await identityForClaims(database, config, person).catch(refused)
    const { iat = 0, exp = 0 } = payload
    await insertSession(database, uuid(), identityId, hash, `Token of ${issuer.label}`, iat, exp)
    const [made] = await readSession(database, hash)
    return made
  }
}

function isOf(url: string, token: string): boolean {
  try {
    return decodeJwt(token).iss?.replace(/\/$/, '') === url.replace(/\/$/, '')
  } catch {
    return false
  }
}

function refused(error: unknown): never {
  if (!(error instanceof OpenidRefusal)) throw error
  if (error.reason === 'email-not-verified') {
    throw new Refusal('email_not_verified', 'The sign-in service has not verified your email address.')
  }
  throw new Refusal('forbidden', 'This email already has an account here. Sign in with your password.')
}
