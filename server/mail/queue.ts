import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { decrypt, encrypt, keyFor } from '#server/encryption.ts'

/** A message to one address: which template, and what stands in it. `link` is where its button leads. */
export type Mail = { template: string; to: string; data: Record<string, string | number>; link?: string }
/** The same as it waits in the outbox. */
export type QueuedMail = Omit<Mail, 'link'> & { sealedLink?: string }

const insertMail = query<never, [userId: string, payload: string]>(
  'mail_queue',
  `insert into outbox (topic, user_id, payload) values ('mail', $1, $2)`,
)

/**
 * Queues a message in the caller's transaction: it goes out if and only if that commits. The link, which opens a door
 * for whoever has it, lies in the outbox and in the job encrypted.
 */
export async function queueMail(db: Db, config: Config, userId: string, mail: Mail): Promise<void> {
  const { link, ...rest } = mail
  const queued: QueuedMail =
    link === undefined ? rest : { ...rest, sealedLink: sealed(config, mail.to, link) }
  await insertMail(db, userId, JSON.stringify(queued))
}

/** What was queued, ready to be written and sent. @throws Error when AUTH_SECRET has changed since. */
export function decryptMail(config: Config, { sealedLink, ...rest }: QueuedMail): Mail {
  if (sealedLink === undefined) return rest
  const link = decrypt(Buffer.from(sealedLink, 'base64'), rest.to, keyFor('mail links', config))
  if (link === undefined) throw new Error('The link of this mail was sealed under another AUTH_SECRET')
  return { ...rest, link }
}

function sealed(config: Config, to: string, link: string): string {
  return encrypt(link, to, keyFor('mail links', config)).toString('base64')
}
