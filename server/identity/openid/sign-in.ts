import type { FastifyReply, FastifyRequest } from 'fastify'
import * as client from 'openid-client'
import { finishOpenid } from '#contract/auth.ts'
import { pathOf } from '#contract/endpoint.ts'
import { localePath, splitLocale } from '#contract/locales.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { clientOf } from '#server/http/client.ts'
import { clientSite, NETWORKS_PER_SITE } from '#server/http/client-network.ts'
import { consumeRateLimit } from '#server/http/rate-limit.ts'
import { Refusal } from '#server/http/refusal.ts'
import { returnPath } from '#server/http/return-path.ts'
import { type Issuer, issuersOf } from '../providers.ts'
import { endSession, sessionHashOf, startSession } from '../sessions.ts'
import { isOutage } from './discovery.ts'
import { type IdTokenClaims, idTokenClaims } from './id-token-claims.ts'
import { identityForClaims, OpenidRefusal } from './link.ts'
import { type Attempt, redeemSignInAttempt, storeSignInAttempt } from './sign-in-attempt.ts'

/** Sign-ins that a network may start in 15 minutes. Each stores an attempt. */
const STARTS_MAX = 300

export type Discover = (issuer: Issuer) => Promise<client.Configuration>
type Exchange = { database: Database; config: Config; request: FastifyRequest; reply: FastifyReply }

/** Returns the configured issuer with this id, if there is one. */
export function findIssuer(config: Config, id: string): Issuer | undefined {
  return issuersOf(config).find((issuer) => issuer.id === id)
}

/**
 * Returns the issuer's authorization URL for a new sign-in attempt (authorization code with PKCE, state and nonce).
 * @throws OpenidRefusal
 */
export async function startSignIn(
  issuer: Issuer,
  discover: Discover,
  returnTo: string | undefined,
  { database, config, request, reply }: Exchange,
): Promise<URL> {
  const limitOf = (network: string, max: number) => ({ key: `openid:${network}`, max, seconds: 900 })
  const site = clientSite(request.ip)
  const exceeded = await consumeRateLimit(database, [
    limitOf(clientOf(request).network, STARTS_MAX),
    ...(site === undefined ? [] : [limitOf(site, STARTS_MAX * NETWORKS_PER_SITE)]),
  ])
  if (exceeded.length > 0) throw new OpenidRefusal('too-many-attempts')

  const configuration = await discover(issuer).catch((error: unknown) => {
    throw new OpenidRefusal('service-unavailable', error)
  })
  const attempt = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    codeVerifier: client.randomPKCECodeVerifier(),
    returnTo: returnPath(config, returnTo) ?? '/dashboard',
    sessionHash: sessionHashOf(config, request),
  }
  await storeSignInAttempt(database, config, issuer.id, attempt, request, reply)
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackOf(config, issuer),
    scope: 'openid email profile',
    response_type: 'code',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(attempt.codeVerifier),
    code_challenge_method: 'S256',
    ...(issuer.id === 'google' && { prompt: 'select_account' }),
  })
}

/**
 * Handles the callback of the issuer: consumes the attempt of this browser, exchanges the code for an ID token, verifies it and starts a session, which ends the browser's previous one. Returns the path to open:
 * for an identity with a second factor, the login page's second step.
 * @throws OpenidRefusal
 */
export async function finishSignIn(
  issuer: Issuer,
  discover: Discover,
  { database, config, request, reply }: Exchange,
): Promise<string> {
  const states = new URL(request.url, config.publicUrl).searchParams.getAll('state')
  const [state = ''] = states
  const attempt = await redeemSignInAttempt(database, config, issuer.id, state, request)
  if (attempt === undefined || states.length !== 1) throw new OpenidRefusal('sign-in-expired')

  const { locale } = splitLocale(attempt.returnTo)
  const { id, version } = await identify(issuer, discover, attempt, {
    database,
    config,
    request,
    reply,
  }).catch((error: unknown) => {
    throw error instanceof OpenidRefusal ? Object.assign(error, { locale }) : error
  })
  try {
    await startSession(config, { db: database, request, reply }, id, { method: 'provider' }, version)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code !== 'second_factor_required') throw new OpenidRefusal('sign-in-expired')
    const query = new URLSearchParams({ step: 'second-factor', returnTo: attempt.returnTo }).toString()
    return `${localePath(locale, '/login')}?${query}`
  }
  const { network, device } = clientOf(request)
  if (attempt.sessionHash) await endSession(database, attempt.sessionHash, network, device)
  return attempt.returnTo
}

/** Returns the identity of the user who signed in at the issuer. */
async function identify(
  issuer: Issuer,
  discover: Discover,
  attempt: Attempt,
  { database, config, request }: Exchange,
) {
  const callback = new URL(callbackOf(config, issuer))
  callback.search = new URL(request.url, config.publicUrl).search
  const claims = await fetchClaims(issuer, discover, callback, attempt)
  return identityForClaims(database, config, clientOf(request), claims, splitLocale(attempt.returnTo).locale)
}

async function fetchClaims(
  issuer: Issuer,
  discover: Discover,
  callback: URL,
  attempt: { state: string; nonce: string; codeVerifier: string },
): Promise<IdTokenClaims> {
  try {
    const configuration = await discover(issuer)
    const tokens = await client.authorizationCodeGrant(configuration, callback, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.codeVerifier,
      idTokenExpected: true,
    })
    const tokenClaims = tokens.claims()
    if (tokenClaims === undefined) throw new OpenidRefusal('sign-in-refused')
    // Some issuers return the email from their userinfo endpoint only.
    const userInfo =
      tokenClaims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
        ? await client.fetchUserInfo(configuration, tokens.access_token, tokenClaims.sub)
        : {}
    const claims = idTokenClaims(issuer, { ...userInfo, ...tokenClaims })
    if (claims === undefined) throw new OpenidRefusal('sign-in-refused')
    return claims
  } catch (error) {
    throw asRefusal(error)
  }
}

function asRefusal(error: unknown): OpenidRefusal {
  if (error instanceof OpenidRefusal) return error
  if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied')
    return new OpenidRefusal('sign-in-cancelled', error)
  const unavailable = error instanceof client.ResponseBodyError ? error.status >= 500 : isOutage(error)
  return new OpenidRefusal(unavailable ? 'service-unavailable' : 'sign-in-refused', error)
}

export function callbackOf(config: Config, issuer: Issuer): string {
  return config.publicUrl + pathOf(finishOpenid, { id: issuer.id })
}
