import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { newSecret, secretHash } from '#server/secrets.ts'
import { cookieOf, secretIn } from '../cookies.ts'

/**
 * A sign-in in progress while the user is at the issuer. `sessionHash` is of the session that the browser had when it was
 * started: like any Strict cookie, its cookie is not sent with the redirect back.
 */
export type Attempt = {
  state: string
  nonce: string
  codeVerifier: string
  returnTo: string
  sessionHash: Buffer | null
}

const ATTEMPT_SECONDS = 600

// Lax, because the redirect back comes from the issuer's site, where browsers do not send a Strict cookie.
const cookieFor = (config: Config) => cookieOf(config, 'tallywork-openid', 'lax')

const insertAttempt = query<
  never,
  [
    state: Buffer,
    browser: Buffer,
    issuer: string,
    nonce: string,
    verifier: string,
    to: string,
    session: Buffer | null,
    seconds: number,
  ]
>(
  'openid_attempt_insert',
  `insert into openid_attempts (state_hash, browser_hash, issuer_id, nonce, code_verifier, return_to, session_hash, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))`,
)
const consumeAttempt = query<
  { nonce: string; code_verifier: string; return_to: string; session_hash: Buffer | null },
  [state: Buffer, browser: Buffer, issuer: string]
>(
  'openid_attempt_consume',
  `delete from openid_attempts where state_hash = $1 and browser_hash = $2 and issuer_id = $3 and expires_at > now()
   returning nonce, code_verifier, return_to, session_hash`,
)

/** Stores an attempt and binds it to this browser by a cookie. Several tabs may sign in concurrently. */
export async function storeSignInAttempt(
  db: Db,
  config: Config,
  issuerId: string,
  attempt: Attempt,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const cookie = cookieFor(config)
  const browser = secretIn(request, cookie) ?? newSecret()
  const { state, nonce, codeVerifier, returnTo, sessionHash } = attempt
  await insertAttempt(
    db,
    secretHash(state),
    secretHash(browser),
    issuerId,
    nonce,
    codeVerifier,
    returnTo,
    sessionHash,
    ATTEMPT_SECONDS,
  )
  reply.setCookie(cookie.name, browser, { ...cookie.options, maxAge: ATTEMPT_SECONDS })
}

/** Consumes and returns the attempt of this browser with this state, or undefined when there is none. */
export async function redeemSignInAttempt(
  db: Db,
  config: Config,
  issuerId: string,
  state: string,
  request: FastifyRequest,
): Promise<Attempt | undefined> {
  const browser = secretIn(request, cookieFor(config))
  if (browser === undefined) return undefined
  const [row] = await consumeAttempt(db, secretHash(state), secretHash(browser), issuerId)
  return (
    row && {
      state,
      nonce: row.nonce,
      codeVerifier: row.code_verifier,
      returnTo: row.return_to,
      sessionHash: row.session_hash,
    }
  )
}
