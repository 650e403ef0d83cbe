import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { clientOf } from '#server/http/client.ts'
import { Refusal } from '#server/http/refusal.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { startSessionAfterSecondFactor } from '../sessions.ts'
import { acceptCode, wrongCode } from './accept-code.ts'
import { listFactors } from './factors.ts'
import { consumePendingSignIn, type PendingSignIn, readPendingSignIn } from './pending-sign-in.ts'
import { countRecoveryCodes } from './recovery-codes.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }
type Method = 'authenticator' | 'passkey' | 'recovery-code'

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
}

export async function logFailedSecondFactor(
  database: Database,
  request: FastifyRequest,
  { identity_id: identityId }: PendingSignIn,
): Promise<void> {
  const params = { reason: 'second_factor' as const }
  await logSecurityEvent(database, { kind: 'sign_in_failed', params, client: clientOf(request), identityId })
}
