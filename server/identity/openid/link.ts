import { v7 as uuid } from 'uuid'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import type { OpenidError } from '#contract/openid-errors.en.ts'
import { revokeAllApiKeys } from '#server/api-keys/keys.ts'
import type { Config } from '#server/config.ts'
import { type Database, query, type Tx } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import type { Client } from '#server/http/client.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { deleteAllWebhookEndpoints } from '#server/webhooks/endpoints.ts'
import { deleteTokens } from '../mail-tokens.ts'
import { mailPasswordChanged } from '../reset-password.ts'
import { deleteAllFactors } from '../second-factor/factors.ts'
import { endAllSessions } from '../sessions.ts'
import { sendVerification } from '../verify-email.ts'
import type { IdTokenClaims } from './id-token-claims.ts'

const readLink = query<
  { id: string; version: number; verified: boolean; deleted: boolean },
  [issuer: string, subject: string]
>(
  'openid_link',
  `select identities.id, credentials_version as version, email_verified_at is not null as verified,
          users.deleted_at is not null as deleted
     from identity_links join identities on identities.id = identity_id
     left join users on users.id = identity_id where issuer = $1 and subject = $2`,
)
const insertLink = query<never, [issuer: string, subject: string, identityId: string]>(
  'openid_link_insert',
  'insert into identity_links (issuer, subject, identity_id) values ($1, $2, $3) on conflict do nothing',
)
const insertIdentity = query<
  { id: string },
  [id: string, name: string, email: string, emailKey: string, verified: boolean]
>(
  'openid_identity_insert',
  `insert into identities (id, name, email, email_key, email_verified_at)
   values ($1, $2, $3, $4, case when $5 then now() end) on conflict (email_key) do nothing returning id`,
)
const readIdentity = query<
  { id: string; name: string; email: string; version: number; verified: boolean; unlinkable: boolean },
  [emailKey: string]
>(
  'openid_identity_of_email',
  `select identities.id, identities.name, identities.email, credentials_version as version,
          email_verified_at is not null as verified,
          coalesce(users.role = 'Admin' or users.deleted_at is not null, false) as unlinkable
     from identities left join users on users.id = identities.id
    where identities.email_key = $1 for no key update of identities`,
)
const readOtherSubject = query<{ found: boolean }, [identityId: string, issuer: string, subject: string]>(
  'openid_other_subject',
  `select exists (select from identity_links
                   where identity_id = $1 and issuer = $2 and subject <> $3) as found`,
)
const resetCredentials = query<never, [id: string, name: string, issuer: string, subject: string]>(
  'openid_identity_reset_credentials',
  `with links as (delete from identity_links where identity_id = $1 and (issuer, subject) <> ($3, $4))
   update identities set password_hash = null, password_suits_admin = null, email_verified_at = now(), name = $2 where id = $1`,
)

/** A failed sign-in with an external issuer. The login page shows its reason. */
export class OpenidRefusal extends Error {
  readonly reason: OpenidError
  /** The language of the page where the sign-in was started, if it is known. */
  locale: Locale = DEFAULT_LOCALE

  constructor(reason: OpenidError, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

/** An identity and the version of its credentials. */
type LinkedIdentity = { id: string; version: number }

/**
 * Returns the identity linked to an issuer's subject; creates or links it at the first sign-in. Linking by email requires
 * that the issuer verified the email and is authoritative for it, and never reaches an Admin, a deleted user or an
 * identity that is linked to another subject of the same issuer: the mailbox may have been given to somebody else. If the
 * email was unverified here, password, sessions and links that a stranger may have created are removed first
 * (docs/specification/identity.md). `locale` is the language of the mails to an identity that is no user yet.
 * @throws OpenidRefusal, also for an unverified email where sign-in needs a verified one.
 */
export async function identityForClaims(
  database: Database,
  config: Config,
  client: Client,
  claims: IdTokenClaims,
  locale?: Locale,
): Promise<LinkedIdentity> {
  const [link] = await readLink(database, claims.issuer, claims.subject)
  if (link?.deleted) throw new OpenidRefusal('email-taken')
  if (link !== undefined) {
    requireVerified(config, link.verified)
    return link
  }
  const key = emailKey(claims.email)
  if (!claims.verified || key === undefined) throw new OpenidRefusal('email-not-verified')
  return database.transaction((tx) => linkByEmail(tx, config, client, claims, key, locale))
}

function requireVerified(config: Config, verified: boolean): void {
  if (config.verifyFor.has('sign-in') && !verified) throw new OpenidRefusal('email-unverified-here')
}

async function linkByEmail(
  tx: Tx,
  config: Config,
  client: Client,
  claims: IdTokenClaims,
  key: string,
  locale: Locale | undefined,
): Promise<LinkedIdentity> {
  const { issuer, subject, name, email, authoritative } = claims
  const [created] = await insertIdentity(tx, uuid(), name, email, key, authoritative)
  if (created !== undefined) {
    // Creates nothing then, so that the user can sign up with a password and the link that is sent.
    requireVerified(config, authoritative)
    await insertLink(tx, issuer, subject, created.id)
    await logSecurityEvent(tx, {
      kind: 'signed_up',
      params: { method: 'provider' },
      client,
      identityId: created.id,
    })
    const { id } = created
    if (!authoritative) await sendVerification(tx, config, { id, name, locale }, { email, emailKey: key })
    return { id, version: 0 }
  }

  const [existing] = await readIdentity(tx, key)
  if (existing === undefined || existing.unlinkable || !authoritative) {
    const [link] = await readLink(tx, issuer, subject) // created meanwhile in another tab of the same user
    if (link !== undefined && !link.deleted && link.id === existing?.id) return link
    throw new OpenidRefusal('email-taken')
  }
  // After the lock: a concurrent sign-in of another subject has committed.
  const [other] = await readOtherSubject(tx, existing.id, issuer, subject)
  if (other?.found) throw new OpenidRefusal('email-taken')
  await insertLink(tx, issuer, subject, existing.id)
  const event = { params: { provider: new URL(issuer).host }, client, identityId: existing.id }
  await logSecurityEvent(tx, { kind: 'provider_linked', ...event })
  if (existing.verified) return existing

  await resetCredentials(tx, existing.id, name, issuer, subject)
  await deleteTokens(tx, existing.id)
  await deleteAllFactors(tx, existing.id)
  await endAllSessions(tx, existing.id)
  await revokeAllApiKeys(tx, client, existing.id)
  await deleteAllWebhookEndpoints(tx, client, existing.id)
  await logSecurityEvent(tx, { kind: 'password_removed', ...event })
  await mailPasswordChanged(tx, config, existing.id, {
    name,
    email: existing.email,
    locale,
    method: 'provider',
  })
  return { id: existing.id, version: existing.version + 1 }
}
