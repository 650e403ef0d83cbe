import pg from 'pg'
import type { Locale } from '#contract/locales.ts'
import type { Config } from '#server/config.ts'
import { type Database, query, type Tx } from '#server/database/database.ts'
import type { Client } from '#server/http/client.ts'
import { consumeRateLimit } from '#server/http/rate-limit.ts'
import { Refusal } from '#server/http/refusal.ts'
import { queueMail } from '#server/mail/queue.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { changeUserEmail } from '#server/users/change-email.ts'
import { isPasswordOf } from './confirm-password.ts'
import { emailTaken } from './email-taken.ts'
import {
  createToken,
  type EmailWithKey,
  LINK_MINUTES,
  linkExpired,
  peekToken,
  redeemToken,
} from './mail-tokens.ts'

const markVerified = query<{ email: string }, [id: string, emailKey: string]>(
  'identity_mark_verified',
  `update identities set email_verified_at = coalesce(email_verified_at, now())
    where id = $1 and email_key = $2 returning email`,
)
const replaceEmail = query<
  { name: string; old_email: string },
  [id: string, email: string, emailKey: string]
>(
  'identity_replace_email',
  `with old as (select name, email from identities where id = $1)
   update identities set email = $2, email_key = $3, email_verified_at = now() where id = $1
   returning name, (select email from old) as old_email`,
)

/** Queues the mail whose link verifies an email: the identity's current one, or the one it changes to. */
export async function sendVerification(
  tx: Tx,
  config: Config,
  identity: { id: string; name: string; locale?: Locale | undefined },
  recipient: EmailWithKey,
  purpose: 'verify-email' | 'change-email' = 'verify-email',
): Promise<void> {
  const token = await createToken(tx, identity.id, purpose, recipient)
  const mail = {
    template: 'verify-email',
    to: recipient.email,
    data: { name: identity.name, hours: LINK_MINUTES[purpose] / 60, purpose },
    link: `${config.publicUrl}/verify#token=${token}`,
    locale: identity.locale,
  }
  const kind = purpose === 'change-email' ? 'change-of-email' : 'verification'
  await queueMail(tx, config, identity.id, mail, kind)
}

type MaybeVerified = { id: string; name: string; email: string; emailKey: string; emailVerified: boolean }

/**
 * Sends the verification mail again, unless the email is verified. Returns when the rate limit resets if it is exceeded.
 * @param locale the language of the mail for an identity that is no user yet.
 */
export async function resendVerification(
  database: Database,
  config: Config,
  identity: MaybeVerified,
  locale: Locale,
): Promise<Date | undefined> {
  if (identity.emailVerified) return undefined
  const limit = { key: `verify:${identity.id}`, max: 5, seconds: 3600 }
  const [exceeded] = await consumeRateLimit(database, [limit])
  if (exceeded) return exceeded.resetsAt
  await database.transaction((tx) => sendVerification(tx, config, { ...identity, locale }, identity))
  return undefined
}

/**
 * Verifies the email that the link was sent to. For a change of email it also replaces the email and notifies the old
 * one. The token is in the URL fragment and redeemed by a POST, so that mail scanners that open links do not consume it.
 * The session or the password must prove the identity: otherwise the owner of an email, by one click, would verify it for
 * a stranger who signed up with it.
 * @param viewerId the identity of the session in this browser.
 * @param locale the language of the mail to the old email for an identity that is no user yet.
 * @throws Refusal `link_expired`; `sign_in_required` without a session or password; `wrong_credentials`; `email_taken`
 * when another identity has taken the email meanwhile.
 */
export async function verifyEmail(
  database: Database,
  config: Config,
  client: Client,
  { token, password }: { token: string; password?: string | undefined },
  viewerId: string | undefined,
  locale: Locale,
): Promise<string> {
  const { identity_id: requestedBy } = await peekToken(database, token, 'verify-email', 'change-email')
  if (requestedBy !== viewerId) await requirePassword(database, client, requestedBy, password)
  try {
    return await database.transaction(async (tx) => {
      const {
        identity_id: id,
        purpose,
        email,
        email_key,
      } = await redeemToken(tx, token, 'verify-email', 'change-email')
      if (purpose === 'verify-email') {
        const [verified] = await markVerified(tx, id, email_key)
        if (verified === undefined) throw linkExpired()
        await logSecurityEvent(tx, { kind: 'email_verified', params: {}, client, identityId: id })
        return verified.email
      }
      const [changed] = await replaceEmail(tx, id, email, email_key)
      if (changed === undefined) throw linkExpired()
      await changeUserEmail(tx, id, email, email_key)
      await logSecurityEvent(tx, { kind: 'email_changed', params: {}, client, identityId: id })
      await queueMail(tx, config, id, {
        template: 'email-changed',
        to: changed.old_email,
        data: { name: changed.name, email },
        locale,
      })
      return email
    })
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.constraint?.endsWith('email_key')) throw emailTaken()
    throw error
  }
}

async function requirePassword(
  database: Database,
  client: Client,
  identityId: string,
  password: string | undefined,
): Promise<void> {
  if (password === undefined) {
    throw new Refusal('sign_in_required.password')
  }
  if (!(await isPasswordOf(database, client, identityId, password))) {
    throw new Refusal('wrong_credentials.link')
  }
}
