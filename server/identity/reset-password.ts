import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Locale } from '#contract/locales.ts'
import { revokeAllApiKeys } from '#server/api-keys/keys.ts'
import type { Config } from '#server/config.ts'
import { type Database, query, type Tx } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { type Client, clientOf } from '#server/http/client.ts'
import { consumeRateLimit, hashed, type Limit } from '#server/http/rate-limit.ts'
import { queueMail } from '#server/mail/queue.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { deleteAllWebhookEndpoints, pauseAllWebhookEndpoints } from '#server/webhooks/endpoints.ts'
import { limitSignIns } from './concurrency-limits.ts'
import {
  createToken,
  deleteTokens,
  LINK_MINUTES,
  linkExpired,
  peekToken,
  redeemToken,
} from './mail-tokens.ts'
import { hashPassword } from './password.ts'
import { isAdmin, requireStrongPassword, suitsAdmin } from './password-rules.ts'
import { deleteAllFactors } from './second-factor/factors.ts'
import { endAllSessions } from './sessions.ts'
import { resetFailures } from './sign-in.ts'

type IdentityRow = { id: string; name: string; email: string; email_key: string }

const readIdentity = query<IdentityRow, [emailKey: string]>(
  'identity_to_reset',
  `select identities.id, identities.name, identities.email, identities.email_key
     from identities left join users on users.id = identities.id
    where identities.email_key = $1 and users.deleted_at is null`,
)
const setPassword = query<
  { name: string; email: string; was_verified: boolean; is_admin: boolean },
  [id: string, emailKey: string, passwordHash: string, suitsAdmin: boolean]
>(
  'identity_reset_password',
  `with old as (select email_verified_at is not null as was_verified from identities where id = $1)
   update identities set password_hash = $3, password_suits_admin = $4, email_verified_at = coalesce(email_verified_at, now())
    where id = $1 and email_key = $2 returning name, email, (select was_verified from old) as was_verified,
          exists (select from users where users.id = identities.id and role = 'Admin') as is_admin`,
)
const deleteLinks = query<never, [identityId: string]>(
  'identity_links_delete',
  'delete from identity_links where identity_id = $1',
)

/** The minimum response time, so that timing does not reveal whether an email is registered. */
const RESPONSE_MS_MIN = 250

/**
 * Sends a link to choose a new password, if the email is registered. Response and timing are the same for an
 * unregistered email. A fifth mail within an hour is silently not sent: four valid links exist.
 * @param locale the language of the mail for an identity that is no user yet.
 */
export async function requestReset(
  database: Database,
  config: Config,
  client: Client,
  email: string,
  locale: Locale,
): Promise<void> {
  const key = emailKey(email) ?? ''
  await Promise.all([
    limitSignIns(() => sendReset(database, config, client, key, locale)),
    sleep(RESPONSE_MS_MIN),
  ])
}

async function sendReset(
  database: Database,
  config: Config,
  client: Client,
  key: string,
  locale: Locale,
): Promise<void> {
  const perEmail: Limit = { key: `reset:${hashed(key)}`, max: 4, seconds: 3600, soft: true }
  const [exceeded] = await consumeRateLimit(database, [perEmail])
  if (exceeded) return

  await database.transaction(async (tx) => {
    const [identity] = await readIdentity(tx, key)
    if (identity === undefined) return
    const { id, name, email } = identity
    await logSecurityEvent(tx, { kind: 'password_reset_requested', params: {}, client, identityId: id })
    const token = await createToken(tx, id, 'reset-password', { email, emailKey: key })
    const mail = {
      template: 'reset-password',
      to: email,
      data: { name, minutes: LINK_MINUTES['reset-password'] },
      // The page says what an Admin's password needs before it is sent.
      link: `${config.publicUrl}/reset#token=${token}${(await isAdmin(tx, id)) ? '&role=Admin' : ''}`,
      locale,
    }
    await queueMail(tx, config, id, mail, 'reset')
  })
}

/**
 * Sets a new password with the link's token, verifies the email, ends every session, revokes every API key and pauses
 * every webhook endpoint. If the email was unverified, a stranger may have created the identity, so its links to external
 * issuers, its webhook endpoints and its second factors are deleted. An Admin keeps the second factors: the mailbox alone does not give access to an Admin.
 * @param locale the language of the mail about it for an identity that is no user yet.
 * @throws Refusal `link_expired`, `invalid_fields` for a weak password.
 */
export async function resetPassword(
  database: Database,
  config: Config,
  request: FastifyRequest,
  { token, password }: { token: string; password: string },
  locale: Locale,
): Promise<void> {
  const peeked = await peekToken(database, token, 'reset-password') // before the expensive password hash
  const admin = await isAdmin(database, peeked.identity_id)
  await requireStrongPassword(config, password, { email: peeked.email_key, admin })
  const hash = await hashPassword(password)
  const client = clientOf(request)
  const key = await database.transaction(async (tx) => {
    const { identity_id: id, email_key } = await redeemToken(tx, token, 'reset-password')
    const [identity] = await setPassword(tx, id, email_key, hash, suitsAdmin(password))
    if (identity === undefined) throw linkExpired()
    await deleteTokens(tx, id)
    await endAllSessions(tx, id)
    await revokeAllApiKeys(tx, client, id)
    if (identity.was_verified) await pauseAllWebhookEndpoints(tx, id)
    else await deleteAllWebhookEndpoints(tx, client, id)
    if (!identity.was_verified) await deleteLinks(tx, id)
    if (!identity.was_verified && !identity.is_admin) await deleteAllFactors(tx, id)
    await logSecurityEvent(tx, {
      kind: 'password_changed',
      params: { method: 'link' },
      client,
      identityId: id,
    })
    await mailPasswordChanged(tx, config, id, { ...identity, locale, method: 'link' })
    return email_key
  })
  await resetFailures(database, key, request)
}

/**
 * Queues the mail that notifies a user of a changed password, with a link to reset it. `method`: they typed the current one, opened a
 * link, or an external issuer confirmed the email and the password was removed.
 */
export async function mailPasswordChanged(
  tx: Tx,
  config: Config,
  id: string,
  {
    name,
    email,
    locale,
    method,
  }: { name: string; email: string; locale: Locale | undefined; method: 'password' | 'link' | 'provider' },
): Promise<void> {
  await queueMail(tx, config, id, {
    template: 'password-changed',
    to: email,
    data: { name, method },
    link: `${config.publicUrl}/reset`,
    locale,
  })
}
