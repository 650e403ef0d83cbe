import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { decrypt, encrypt, keyFor } from '#server/encryption.ts'

/** An email to one recipient: a template and its data. `link` is the URL of its button. */
export type Mail = { template: string; to: string; data: Record<string, string | number>; link?: string }
/** A mail as it is stored in the outbox and in its job. `sealedLink` is the encrypted link, in base64. */
export type QueuedMail = Omit<Mail, 'link'> & { sealedLink?: string }

const insertMail = query<never, [userId: string, payload: string]>(
  'mail_queue',
  `insert into outbox (topic, user_id, payload) values ('mail', $1, $2)`,
)

/**
 * Queues a mail in the caller's transaction: it is sent if and only if the transaction commits. The link grants access to
 * the account, so it is stored encrypted.
 */
export async function queueMail(db: Db, config: Config, userId: string, mail: Mail): Promise<void> {
  const { link, ...rest } = mail
  const queued: QueuedMail =
    link === undefined ? rest : { ...rest, sealedLink: encryptLink(config, mail.to, link) }
  await insertMail(db, userId, JSON.stringify(queued))
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
