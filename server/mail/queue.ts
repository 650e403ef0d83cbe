import { DESTINATION_CHANGES_PER_DAY } from '#contract/destinations.ts'
import type { Locale } from '#contract/locales.ts'
import type { Config } from '#server/config.ts'
import { query, type Tx } from '#server/database/database.ts'
import { emailKey } from '#server/email-key.ts'
import { decrypt, encrypt, keyFor } from '#server/encryption.ts'
import { consumeRateLimit, hashed } from '#server/http/rate-limit.ts'

/**
 * An email to one recipient: a template and its data. `link` is the URL of its button. It has the language of the user it is
 * queued for; `locale` is for an identity that is no user yet.
 */
export type Mail = {
  template: string
  to: string
  data: Record<string, string | number>
  link?: string
  locale?: Locale | undefined
}
/** A mail as it is stored in the outbox and in its job. `sealedLink` is the encrypted link, in base64. */
export type QueuedMail = Omit<Mail, 'link'> & { sealedLink?: string }

const insertMail = query<never, [userId: string, payload: string]>(
  'mail_queue',
  `insert into outbox (topic, user_id, payload)
   values ('mail', $1, $2::jsonb || coalesce((select jsonb_build_object('locale', locale) from users where id = $1), '{}'))`,
)

/**
 * The mails per hour to one address, whichever users cause them. Each kind has its own reserve, so that a stranger who
 * exhausts one cannot keep the owner from resetting the password (docs/decisions/0022-mail-per-address.md).
 */
const HOURLY_MAX = {
  notice: 10,
  verification: 6,
  'change-of-email': 3,
  reset: 4,
  // As many keys as a user can make in an hour.
  'api-key': 30,
  // Fewer than a user can create and change in an hour; the security log lists every change.
  webhook: 60,
  // At most DESTINATION_CHANGES_PER_DAY additions, each of which can be removed once.
  'payout-destination': 2 * DESTINATION_CHANGES_PER_DAY,
}

/**
 * Queues a mail in the caller's transaction: it is sent if and only if the transaction commits. The link grants access to
 * the account, so it is stored encrypted. A mail above the limit of its kind is not sent; the response must not say so,
 * because that would reveal which addresses are registered.
 */
export async function queueMail(
  tx: Tx,
  config: Config,
  userId: string,
  mail: Mail,
  kind: keyof typeof HOURLY_MAX = 'notice',
): Promise<void> {
  const address = hashed(emailKey(mail.to) ?? mail.to)
  const limit = { key: `mail:${kind}:${address}`, max: HOURLY_MAX[kind], seconds: 3600 }
  const [exceeded] = await consumeRateLimit(tx, [limit])
  if (exceeded) return

  const { link, ...rest } = mail
  // As it is compared (server/email-key.ts): in another form of its characters, it may be a stranger's address.
  const to = mail.to.normalize('NFKC')
  const queued: QueuedMail = {
    ...rest,
    to,
    ...(link !== undefined && { sealedLink: encryptLink(config, to, link) }),
  }
  await insertMail(tx, userId, JSON.stringify(queued))
}

/** Returns a queued mail with its link decrypted. @throws Error when AUTH_SECRET has changed since. */
export function decryptMail(config: Config, { sealedLink, ...rest }: QueuedMail): Mail {
  if (sealedLink === undefined) return rest
  const link = decrypt(Buffer.from(sealedLink, 'base64'), rest.to, keyFor('mail links', config))
  if (link === undefined) throw new Error('The link of this mail was encrypted with another AUTH_SECRET')
  return { ...rest, link }
}

function encryptLink(config: Config, to: string, link: string): string {
  return encrypt(link, to, keyFor('mail links', config)).toString('base64')
}
