import { v7 as uuid } from 'uuid'
import type { OpenidError } from '#contract/auth.ts'
import type { Config } from '#server/config.ts'
import { type Database, query, type Tx } from '#server/database/database.ts'
import { emailKey } from '../email-key.ts'
import { deleteTokens } from '../mail-tokens.ts'
import { mailPasswordChanged } from '../reset-password.ts'
import { endAllSessions } from '../sessions.ts'
import { sendVerification } from '../verify-email.ts'
import type { IdTokenClaims } from './id-token-claims.ts'

const readLink = query<{ id: string; version: number; deleted: boolean }, [issuer: string, subject: string]>(
  'openid_link',
  `select identities.id, credentials_version as version, users.deleted_at is not null as deleted
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
  { id: string; name: string; email: string; version: number; verified: boolean; closed: boolean },
  [emailKey: string]
>(
  'openid_identity_of_address',
  `select identities.id, identities.name, identities.email, credentials_version as version,
          email_verified_at is not null as verified,
          coalesce(users.role = 'Admin' or users.deleted_at is not null, false) as closed
     from identities left join users on users.id = identities.id
    where identities.email_key = $1 for no key update of identities`,
)
const takeOver = query<never, [id: string, name: string, issuer: string, subject: string]>(
  'openid_identity_take_over',
  `with links as (delete from identity_links where identity_id = $1 and (issuer, subject) <> ($3, $4))
   update identities set password_hash = null, email_verified_at = now(), name = $2 where id = $1`,
)

/** A refusal on the way back from an issuer; the login page says it. */
export class OpenidRefusal extends Error {
  readonly reason: OpenidError

  constructor(reason: OpenidError, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

/** An identity, and the version of its credentials that was found. */
type Found = { id: string; version: number }

/**
 * Whose identity an issuer vouches for, made at their first visit. Somebody known by the issuer's own name for them is
 * simply that person. Otherwise the address decides, and only where the issuer has verified it and it is the issuer's
 * to give: never into an Admin, never into a deleted person, and where nobody had verified the address here, what an
 * earlier stranger may have set up on it (password, sessions, links) ends first.
 * @throws OpenidRefusal
 */
export async function identityForClaims(
  database: Database,
  config: Config,
  person: IdTokenClaims,
): Promise<Found> {
  const [link] = await readLink(database, person.issuer, person.subject)
  if (link?.deleted) throw new OpenidRefusal('email-taken')
  if (link !== undefined) return link
  const key = emailKey(person.email)
  if (!person.verified || key === undefined) throw new OpenidRefusal('email-not-verified')
  return database.transaction((tx) => linkByAddress(tx, config, person, key))
}

async function linkByAddress(tx: Tx, config: Config, person: IdTokenClaims, key: string): Promise<Found> {
  const { issuer, subject, name, email, authoritative } = person
  const [made] = await insertIdentity(tx, uuid(), name, email, key, authoritative)
  if (made !== undefined) {
    await insertLink(tx, issuer, subject, made.id)
    if (!authoritative) await sendVerification(tx, config, { id: made.id, name }, { email, emailKey: key })
    return { id: made.id, version: 0 }
  }

  const [known] = await readIdentity(tx, key)
  if (known === undefined || known.closed || !authoritative) {
    const [link] = await readLink(tx, issuer, subject) // made a moment ago, by the same person's other tab
    if (link !== undefined && !link.deleted && link.id === known?.id) return link
    throw new OpenidRefusal('email-taken')
  }
  await insertLink(tx, issuer, subject, known.id)
  if (known.verified) return known

  await takeOver(tx, known.id, name, issuer, subject)
  await deleteTokens(tx, known.id)
  await endAllSessions(tx, known.id)
  await mailPasswordChanged(tx, config, known.id, { name, email: known.email })
  return { id: known.id, version: known.version + 1 }
}
