import type { Locale } from '#contract/locales.ts'
import type { Config } from '#server/config.ts'
import { type Database, query } from '#server/database/database.ts'
import type { Caller } from '#server/http/caller.ts'
import type { Client } from '#server/http/client.ts'
import { consumeRateLimit, throwRateLimited } from '#server/http/rate-limit.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { confirmPassword } from './confirm-password.ts'
import { requireEmailKey } from './email-taken.ts'
import { requireProofOfFactor } from './step-up.ts'
import { sendVerification } from './verify-email.ts'

const readEmailAvailable = query<{ available: boolean }, [emailKey: string]>(
  'identity_email_available',
  'select not exists (select from identities where email_key = $1) as available',
)

/**
 * Sends a link to the new email; the email changes when the link is followed. An email that is already in use gets no
 * mail and the same response.
 * @param locale the language of the mail for an identity that is no user yet.
 * @throws Refusal `invalid_fields` for a wrong password or an invalid email, `too_many_requests`, `proof_required` for an
 * identity with a second factor.
 */
export async function changeEmail(
  database: Database,
  config: Config,
  client: Client,
  caller: Caller,
  { email, currentPassword }: { email: string; currentPassword: string },
  locale: Locale,
): Promise<void> {
  await requireProofOfFactor(database, caller)
  const key = requireEmailKey(email)
  await confirmPassword(database, client, caller.identityId, currentPassword)
  const limit = { key: `change-email:${caller.identityId}`, max: 5, seconds: 3600 }
  const [exceeded] = await consumeRateLimit(database, [limit])
  if (exceeded) throwRateLimited(exceeded.resetsAt)
  await database.transaction(async (tx) => {
    await logSecurityEvent(tx, {
      kind: 'email_change_requested',
      params: {},
      client,
      identityId: caller.identityId,
    })
    const [row] = await readEmailAvailable(tx, key)
    if (!row?.available) return
    const identity = { id: caller.identityId, name: caller.name, locale }
    await sendVerification(tx, config, identity, { email, emailKey: key }, 'change-email')
  })
}
