import type { SecurityEventParams } from '#contract/security-log.ts'
import { type Db, query } from '#server/database/database.ts'
import { type Caller, sessionOf } from '#server/http/caller.ts'
import type { Client } from '#server/http/client.ts'
import { Refusal } from '#server/http/refusal.ts'
import { confirmPassword } from './confirm-password.ts'
import { listFactors } from './second-factor/factors.ts'

/** A proof of identity admits to endpoints whose access rule is `fresh` for this long. */
export const PROOF_MINUTES = 10

type Proof = SecurityEventParams<'stepped_up'>

const setProvedAt = query<never, [sessionId: string, network: string, device: string, event: Proof]>(
  'session_proved',
  `with proved as (
     update sessions set proved_at = now() where id = $1 and ended_at is null returning identity_id)
   select log_security_event('stepped_up', identity_id, $2, $3, $4) from proved`,
)

/** Records and logs that the session's user has just proved their identity (docs/specification/identity.md#step-up). */
export async function recordProof(db: Db, client: Client, sessionId: string, proof: Proof): Promise<void> {
  await setProvedAt(db, sessionId, client.network, client.device, proof)
}

/**
 * Requires a recent proof of identity from a user with a second factor, whose password alone must not change credentials
 * (docs/decisions/0025-second-factor.md). The endpoint checks the password in any case.
 * @throws Refusal `proof_required`
 */
export async function requireProofOfFactor(db: Db, caller: Caller): Promise<void> {
  if (!caller.fresh && (await listFactors(db, caller.identityId)).length > 0) {
    throw new Refusal('proof_required')
  }
}

/**
 * Confirms the password of a signed-in user without a second factor and records the proof.
 * @throws Refusal `invalid_fields`, `too_many_requests`, `state_conflict` for an identity with a second factor or
 * without a password.
 */
export async function stepUp(db: Db, client: Client, caller: Caller, password: string): Promise<void> {
  if ((await listFactors(db, caller.identityId)).length > 0) throw new Refusal('state_conflict.second_factor')
  await confirmPassword(db, client, caller.identityId, password)
  await recordProof(db, client, sessionOf(caller), { method: 'password' })
}
