import type { Config } from '#server/config.ts'
import { type Database, query, type Tx } from '#server/database/database.ts'
import type { Caller } from '#server/http/caller.ts'
import type { Client } from '#server/http/client.ts'
import { Refusal } from '#server/http/refusal.ts'
import { queueMail } from '#server/mail/queue.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { countRecoveryCodes, createRecoveryCodes } from './recovery-codes.ts'

/** A change of an identity's second factors, as the mail about it says. */
type FactorChange =
  | 'authenticator-added'
  | 'passkey-added'
  | 'factor-removed'
  | 'recovery-codes-replaced'
  | 'recovery-code-used'
  | 'all-removed'

type Kind = 'authenticator' | 'passkey'
export type FactorRow = {
  id: string
  kind: Kind
  name: string
  created_at: string
  used_at: string | null
}

const FACTORS_MAX = 10

/** Returns the second factors of an identity, oldest first. */
export const listFactors = query<FactorRow, [identityId: string]>(
  'second_factors',
  'select id, kind, name, created_at, used_at from second_factors where identity_id = $1 order by created_at, id',
)
const lockIdentity = query<{ name: string; email: string }, [identityId: string]>(
  'second_factor_lock_identity',
  'select name, email from identities where id = $1 for no key update',
)
const deleteAuthenticator = query<{ id: string }, [identityId: string, id: string]>(
  'totp_delete',
  'delete from totp_secrets where identity_id = $1 and id = $2 and confirmed_at is not null returning id',
)
const deletePasskey = query<{ id: string }, [identityId: string, id: string]>(
  'webauthn_credential_delete',
  'delete from webauthn_credentials where identity_id = $1 and id = $2 returning id',
)
const deleteRecoveryCodes = query<never, [identityId: string]>(
  'recovery_codes_delete',
  'delete from recovery_codes where identity_id = $1',
)
const deleteAll = query<never, [identityId: string]>(
  'second_factors_delete',
  `with secrets as (delete from totp_secrets where identity_id = $1),
        credentials as (delete from webauthn_credentials where identity_id = $1)
   delete from recovery_codes where identity_id = $1`,
)

/**
 * Runs `add` with the identity's row locked, notifies the user, and creates recovery codes if there are none.
 * Returns the new codes, or null.
 * @throws Refusal `state_conflict` when the identity has FACTORS_MAX factors.
 */
export async function addFactor(
  tx: Tx,
  config: Config,
  client: Client,
  identityId: string,
  factor: 'totp' | 'passkey',
  add: () => Promise<void>,
): Promise<string[] | null> {
  await lockIdentity(tx, identityId)
  if ((await listFactors(tx, identityId)).length >= FACTORS_MAX) throw new Refusal('state_conflict.factors')
  await add()
  await mailFactorChange(tx, config, identityId, factor === 'totp' ? 'authenticator-added' : 'passkey-added')
  await logSecurityEvent(tx, { kind: 'factor_added', params: { factor }, client, identityId })
  if ((await countRecoveryCodes(tx, identityId)) > 0) return null
  await logSecurityEvent(tx, { kind: 'recovery_codes_created', params: {}, client, identityId })
  return createRecoveryCodes(tx, identityId)
}

/**
 * Removes a second factor and notifies the user. With the last factor the recovery codes are deleted.
 * @throws Refusal `not_found`; `state_conflict` for the last factor of an Admin where Admins need one
 */
export async function removeFactor(
  database: Database,
  config: Config,
  client: Client,
  { identityId, viewer }: Caller,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockIdentity(tx, identityId)
    const factor = await deleteFactor(tx, identityId, id)
    if ((await listFactors(tx, identityId)).length === 0) {
      if (config.adminSecondFactor === 'required' && viewer?.role === 'Admin') {
        throw new Refusal('state_conflict.last_factor')
      }
      await deleteRecoveryCodes(tx, identityId)
    }
    await mailFactorChange(tx, config, identityId, 'factor-removed')
    await logSecurityEvent(tx, { kind: 'factor_removed', params: { factor }, client, identityId })
  })
}

async function deleteFactor(tx: Tx, identityId: string, id: string): Promise<'totp' | 'passkey'> {
  if ((await deleteAuthenticator(tx, identityId, id)).length > 0) return 'totp'
  if ((await deletePasskey(tx, identityId, id)).length > 0) return 'passkey'
  throw new Refusal('not_found.factor')
}

/** Replaces the recovery codes and notifies the user. @throws Refusal `state_conflict` without a second factor. */
export async function replaceRecoveryCodes(
  database: Database,
  config: Config,
  client: Client,
  { identityId }: Caller,
): Promise<string[]> {
  return database.transaction(async (tx) => {
    await lockIdentity(tx, identityId)
    if ((await listFactors(tx, identityId)).length === 0) throw new Refusal('state_conflict.no_factor')
    await mailFactorChange(tx, config, identityId, 'recovery-codes-replaced')
    await logSecurityEvent(tx, { kind: 'recovery_codes_created', params: {}, client, identityId })
    return createRecoveryCodes(tx, identityId)
  })
}

/** Deletes every second factor and recovery code of an identity. */
export async function deleteAllFactors(tx: Tx, identityId: string): Promise<void> {
  await deleteAll(tx, identityId)
}

/** Queues the mail that notifies a user of a change of their second factors. */
export async function mailFactorChange(
  tx: Tx,
  config: Config,
  identityId: string,
  change: FactorChange,
): Promise<void> {
  const [identity] = await lockIdentity(tx, identityId)
  if (identity === undefined) throw new Error(`Identity ${identityId} does not exist`)
  await queueMail(tx, config, identityId, {
    template: 'second-factor-changed',
    to: identity.email,
    data: { name: identity.name, change },
    link: `${config.publicUrl}/reset`,
  })
}
