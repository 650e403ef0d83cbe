import type { FastifyRequest } from 'fastify'
import { createRemoteJWKSet, decodeJwt, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { v7 as uuid } from 'uuid'
import type { Config } from '#server/config.ts'
import { type Database, query } from '#server/database/database.ts'
import { clientNetwork } from '#server/http/client-network.ts'
import { Refusal } from '#server/http/refusal.ts'
import { type Issuer, issuersOf } from '#server/identity/providers.ts'
import { secretHash } from '#server/secrets.ts'
import { listFactors } from '../second-factor/factors.ts'
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
  'external_session',
  'select id as sid, identity_id as sub from sessions where secret_hash = $1',
)
const insertSession = query<
  never,
  [
    id: string,
    identityId: string,
    hash: Buffer,
    network: string,
    device: string,
    issuedAt: number,
    expiresAt: number,
    provedAt: number,
  ]
>(
  'external_session_start',
  `with started as (
     insert into sessions (id, identity_id, secret_hash, network, device, expires_at, proved_at)
     select $1, id, $3, $4, $5, to_timestamp($7), least(to_timestamp($8), now()) from identities
      where id = $2 and issuer_tokens_from <= to_timestamp($6)
        and not exists (select from second_factors where identity_id = $2)
     on conflict (secret_hash) do nothing returning identity_id, network, device)
   select log_security_event('signed_in', identity_id, network, device, '{"method": "external_token"}') from started`,
)

/**
 * Returns a function that accepts ID tokens issued to this client by OIDC_ISSUER (docs/specification/identity.md). Each
 * valid token gets a session, so that it can be listed and ended like any other. Its first use creates or links the
 * identity by the same rules as sign-in. A token of an identity with a second factor starts no session.
 */
export function createExternalIdTokenVerifier(database: Database, config: Config) {
  const discover = createDiscovery()
  const accepted = issuersOf(config).filter(({ id, demonstration }) => id === 'oidc' && !demonstration)
  const keysByUri = new Map<string, JWTVerifyGetKey>()

  async function verifyToken(issuer: Issuer, token: string) {
    const metadata = (await discover(issuer)).serverMetadata()
    const jwksUri = metadata.jwks_uri ?? ''
    const keys = keysByUri.get(jwksUri) ?? createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: 5000 })
    keysByUri.set(jwksUri, keys)
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer: metadata.issuer,
      audience: issuer.clientId,
      requiredClaims: ['sub', 'iat', 'exp'],
    })
    const forAnotherClient =
      payload.azp !== undefined
        ? payload.azp !== issuer.clientId
        : Array.isArray(payload.aud) && payload.aud.length > 1
    // Access and logout tokens with this audience are not ID tokens.
    const otherType = protectedHeader.typ !== undefined && protectedHeader.typ.toUpperCase() !== 'JWT'
    if (forAnotherClient || otherType) throw new Error('The token is not an ID token for this client')
    return payload
  }

  /** Returns the session of an external issuer's token, or undefined for a token of any other issuer. */
  return async (token: string, { ip }: FastifyRequest): Promise<SessionRow | undefined> => {
    const issuer = accepted.find(({ url }) => isIssuedBy(url, token))
    if (issuer === undefined) return undefined
    const payload = await verifyToken(issuer, token).catch((error: unknown) => {
      if (!isOutage(error)) throw error
      throw new Refusal('unavailable.sign_in_service')
    })
    const hash = secretHash(token)
    const [existing] = await readSession(database, hash)
    if (existing !== undefined) return existing

    const claims = idTokenClaims(issuer, payload)
    if (claims === undefined) return undefined
    const client = { network: clientNetwork(ip), device: `Token of ${issuer.label}` }
    const { id: identityId } = await identityForClaims(database, config, client, claims).catch(toRefusal)
    const { iat = 0, exp = 0, auth_time: authTime } = payload
    const provedAt = typeof authTime === 'number' ? authTime : iat
    await insertSession(database, uuid(), identityId, hash, client.network, client.device, iat, exp, provedAt)
    const [created] = await readSession(database, hash)
    if (created === undefined && (await listFactors(database, identityId)).length > 0) {
      throw new Refusal('second_factor_required.token')
    }
    return created
  }
}

function isIssuedBy(url: string, token: string): boolean {
  try {
    return decodeJwt(token).iss?.replace(/\/$/, '') === url.replace(/\/$/, '')
  } catch {
    return false
  }
}

function toRefusal(error: unknown): never {
  if (!(error instanceof OpenidRefusal)) throw error
  if (error.reason === 'email-not-verified') throw new Refusal('email_not_verified.service')
  if (error.reason === 'email-unverified-here') throw new Refusal('email_not_verified.here')
  throw new Refusal('forbidden.email_has_account')
}
