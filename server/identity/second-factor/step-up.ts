import type { AuthenticationResponse } from '#contract/second-factor.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/database.ts'
import { type Caller, sessionOf } from '#server/http/caller.ts'
import type { Client } from '#server/http/client.ts'
import { Refusal } from '#server/http/refusal.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { recordProof } from '../step-up.ts'
import { acceptCode, isRecoveryCode, wrongCode } from './accept-code.ts'
import { acceptPasskey } from './passkeys.ts'

/**
 * Confirms a signed-in user by a code of an authenticator app or a recovery code and records the proof.
 * @throws Refusal `invalid_fields`, `too_many_requests`
 */
export async function stepUpWithCode(
  database: Database,
  config: Config,
  client: Client,
  caller: Caller,
  code: string,
): Promise<void> {
  const { identityId } = caller
  const method = await acceptCode(database, config, identityId, code)
  if (method === undefined) {
    const params = { method: isRecoveryCode(code) ? ('recovery_code' as const) : ('totp' as const) }
    await logSecurityEvent(database, { kind: 'step_up_failed', params, client, identityId })
    throw wrongCode()
  }
  await recordProof(database, client, sessionOf(caller), { method })
}

/** Confirms a signed-in user by one of their passkeys and records the proof. @throws Refusal `invalid_fields` */
export async function stepUpWithPasskey(
  database: Database,
  config: Config,
  client: Client,
  caller: Caller,
  response: AuthenticationResponse,
): Promise<void> {
  const { identityId } = caller
  try {
    await acceptPasskey(database, config, 'step-up', identityId, response)
  } catch (error) {
    if (error instanceof Refusal) {
      const params = { method: 'passkey' as const }
      await logSecurityEvent(database, { kind: 'step_up_failed', params, client, identityId })
    }
    throw error
  }
  await recordProof(database, client, sessionOf(caller), { method: 'passkey' })
}
