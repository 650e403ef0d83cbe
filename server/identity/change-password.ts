import type { Locale } from '#contract/locales.ts'
import type { Config } from '#server/config.ts'
import { type Database, query } from '#server/database/database.ts'
import { type Caller, sessionOf } from '#server/http/caller.ts'
import type { Client } from '#server/http/client.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { confirmPassword, wrongPassword } from './confirm-password.ts'
import { deleteTokens } from './mail-tokens.ts'
import { hashPassword } from './password.ts'
import { requireStrongPassword, suitsAdmin } from './password-rules.ts'
import { mailPasswordChanged } from './reset-password.ts'
import { endOtherSessions } from './sessions.ts'
import { requireProofOfFactor } from './step-up.ts'

const replacePassword = query<
  { name: string; email: string },
  [id: string, oldHash: string, newHash: string, suitsAdmin: boolean]
>(
  'identity_replace_password',
  `update identities set password_hash = $3, password_suits_admin = $4
    where id = $1 and password_hash = $2 returning name, email`,
)

/**
 * Replaces the password after checking the current one. Ends the user's other sessions and invalidates pending links.
 * @param locale the language of the mail about it for an identity that is no user yet.
 * @throws Refusal `invalid_fields` for a wrong current password or a weak new one, `too_many_requests`, `state_conflict` for an identity
 * without a password, `proof_required` for one with a second factor.
 */
export async function changePassword(
  database: Database,
  config: Config,
  client: Client,
  caller: Caller,
  { currentPassword, password }: { currentPassword: string; password: string },
  locale: Locale,
): Promise<void> {
  await requireProofOfFactor(database, caller)
  const { email, viewer } = caller
  await requireStrongPassword(config, password, { email, admin: viewer?.role === 'Admin' })
  const oldHash = await confirmPassword(database, client, caller.identityId, currentPassword)
  const hash = await hashPassword(password)
  await database.transaction(async (tx) => {
    const [identity] = await replacePassword(tx, caller.identityId, oldHash, hash, suitsAdmin(password))
    if (identity === undefined) throw wrongPassword()
    await deleteTokens(tx, caller.identityId)
    await endOtherSessions(tx, caller.identityId, sessionOf(caller))
    await logSecurityEvent(tx, {
      kind: 'password_changed',
      params: { method: 'password' },
      client,
      identityId: caller.identityId,
    })
    await mailPasswordChanged(tx, config, caller.identityId, { ...identity, locale, method: 'password' })
  })
}
