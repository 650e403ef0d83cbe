import { type Db, query } from '#server/database/database.ts'
import type { Caller } from '#server/http/caller.ts'
import { confirmPassword } from './confirm-password.ts'

/** A proof of identity admits to endpoints whose access rule is `fresh` for this long. */
export const PROOF_MINUTES = 10

const setProvedAt = query<never, [sessionId: string]>(
  'session_proved',
  'update sessions set proved_at = now() where id = $1 and ended_at is null',
)

/** Records that the session's user has just proved their identity (docs/specification/identity.md#step-up). */
export async function recordProof(db: Db, sessionId: string): Promise<void> {
  await setProvedAt(db, sessionId)
}

/**
 * Confirms the password of a signed-in user and records the proof.
 * @throws Refusal `invalid_fields`, `too_many_requests`, `state_conflict` for an identity without a password.
 */
export async function stepUp(db: Db, caller: Caller, password: string): Promise<void> {
  await confirmPassword(db, caller.identityId, password)
  await recordProof(db, caller.sessionId)
}
