import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuthenticationResponse } from '#contract/second-factor.ts'
import type { Config } from '#server/config.ts'
import { type Database, query } from '#server/database/database.ts'
import { clientOf } from '#server/http/client.ts'
import { Refusal } from '#server/http/refusal.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { requireEmailKey } from '../email-taken.ts'
import { rememberDevice } from '../known-devices.ts'
import { requireVerifiedEmail } from '../require-verified-email.ts'
import { startSessionAfterSecondFactor } from '../sessions.ts'
import { acceptCode, wrongCode } from './accept-code.ts'
import { listFactors } from './factors.ts'
import { acceptPasskey, ownerOfPasskey, passkeyRequest } from './passkeys.ts'
import { consumePendingSignIn, type PendingSignIn, readPendingSignIn } from './pending-sign-in.ts'
import { countRecoveryCodes } from './recovery-codes.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }
type Method = 'authenticator' | 'passkey' | 'recovery-code'

const readIdentity = query<
  { name: string; email: string; email_verified: boolean; version: number },
  [identityId: string]
>(
  'identity_of_passkey',
  `select identities.name, identities.email, email_verified_at is not null as email_verified,
          credentials_version as version
     from identities left join users on users.id = identities.id
    where identities.id = $1 and users.deleted_at is null`,
)

/** Returns how the browser's pending sign-in can be completed; nothing when there is none. */
export async function pendingMethods(
  database: Database,
  config: Config,
  request: FastifyRequest,
): Promise<Method[]> {
  const pending = await readPendingSignIn(config, { db: database, request })
  if (pending === undefined) return []
  const factors = await listFactors(database, pending.identity_id)
  const codesLeft = await countRecoveryCodes(database, pending.identity_id)
  return [...new Set(factors.map(({ kind }) => kind)), ...(codesLeft > 0 ? ['recovery-code' as const] : [])]
}

/**
 * Completes the browser's pending sign-in with a code of an authenticator app or a recovery code, and starts the session.
 * @throws Refusal `sign_in_required`, `invalid_fields`, `too_many_requests`, `wrong_credentials`
 */
export async function completeSignInWithCode(
  database: Database,
  config: Config,
  { request, reply }: Exchange,
  code: string,
): Promise<PendingSignIn> {
  const pending = await requirePendingSignIn(database, config, request)
  const secondFactor = await acceptCode(database, config, pending.identity_id, code)
  if (secondFactor === undefined) {
    await logFailedSecondFactor(database, request, pending)
    throw wrongCode()
  }
  await finishPendingSignIn(database, config, { request, reply }, pending, secondFactor)
  return pending
}

/** Returns the options to sign in with a passkey: as the pending sign-in's second step, or without a password. */
export async function passkeySignInRequest(database: Database, config: Config, request: FastifyRequest) {
  const pending = await pendingForPasskey(database, config, request)
  return pending === undefined
    ? passkeyRequest(database, config, 'sign-in', null)
    : passkeyRequest(database, config, 'second-factor', pending.identity_id)
}

/**
 * Completes the browser's pending sign-in with a passkey, or signs in with a passkey that verified its user.
 * @throws Refusal `invalid_fields`, `wrong_credentials`, `email_not_verified`
 */
export async function signInWithPasskey(
  database: Database,
  config: Config,
  exchange: Exchange,
  response: AuthenticationResponse,
): Promise<{ name: string; email: string }> {
  const { request, reply } = exchange
  const pending = await pendingForPasskey(database, config, request)
  if (pending !== undefined) {
    try {
      await acceptPasskey(database, config, 'second-factor', pending.identity_id, response)
    } catch (error) {
      if (error instanceof Refusal) await logFailedSecondFactor(database, request, pending)
      throw error
    }
    await finishPendingSignIn(database, config, exchange, pending, 'passkey')
    return pending
  }
  const identityId = await acceptPasskeyAlone(database, config, request, response)
  const [identity] = await readIdentity(database, identityId)
  if (identity === undefined) throw new Refusal('invalid_fields.passkey')
  requireVerifiedEmail(config, { emailVerified: identity.email_verified }, 'sign-in')
  const event = { method: 'passkey' as const }
  const session = { db: database, request, reply }
  await startSessionAfterSecondFactor(config, session, identityId, event, identity.version)
  return identity
}

/** Returns the browser's pending sign-in if a passkey can complete it. */
async function pendingForPasskey(
  database: Database,
  config: Config,
  request: FastifyRequest,
): Promise<PendingSignIn | undefined> {
  const pending = await readPendingSignIn(config, { db: database, request })
  if (pending === undefined) return undefined
  const factors = await listFactors(database, pending.identity_id)
  return factors.some(({ kind }) => kind === 'passkey') ? pending : undefined
}

/** Accepts a passkey without a password and returns whose it is. A failure is logged if its owner is known. */
async function acceptPasskeyAlone(
  database: Database,
  config: Config,
  request: FastifyRequest,
  response: AuthenticationResponse,
): Promise<string> {
  try {
    return await acceptPasskey(database, config, 'sign-in', null, response)
  } catch (error) {
    const identityId = error instanceof Refusal ? await ownerOfPasskey(database, response.id) : undefined
    if (identityId !== undefined) {
      const params = { reason: 'passkey' as const }
      const client = clientOf(request)
      await logSecurityEvent(database, { kind: 'sign_in_failed', params, client, identityId })
    }
    throw error
  }
}

/** Returns the browser's pending sign-in. @throws Refusal `sign_in_required` when there is none or it has expired. */
export async function requirePendingSignIn(
  database: Database,
  config: Config,
  request: FastifyRequest,
): Promise<PendingSignIn> {
  const pending = await readPendingSignIn(config, { db: database, request })
  if (pending === undefined) throw new Refusal('sign_in_required.second_factor')
  return pending
}

/** Consumes the pending sign-in, whose second factor was accepted, and starts the session. */
export async function finishPendingSignIn(
  database: Database,
  config: Config,
  { request, reply }: Exchange,
  pending: PendingSignIn,
  secondFactor: 'totp' | 'recovery_code' | 'passkey',
): Promise<void> {
  const exchange = { db: database, request, reply }
  if (!(await consumePendingSignIn(config, exchange))) throw new Refusal('sign_in_required.second_factor')
  const { identity_id: identityId, method, credentials_version: version } = pending
  await startSessionAfterSecondFactor(config, exchange, identityId, { method, secondFactor }, version)
  if (method === 'password') rememberDevice(config, exchange, requireEmailKey(pending.email))
}

export async function logFailedSecondFactor(
  database: Database,
  request: FastifyRequest,
  { identity_id: identityId }: PendingSignIn,
): Promise<void> {
  const params = { reason: 'second_factor' as const }
  await logSecurityEvent(database, { kind: 'sign_in_failed', params, client: clientOf(request), identityId })
}
