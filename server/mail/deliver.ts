import { isEmailed, NOTIFICATION_KINDS } from '#contract/notification-kinds.ts'
import type { Config } from '#server/config.ts'
import { type Database, query } from '#server/database/database.ts'
import { type StoredNotification, textOf } from '#server/notifications/present.ts'
import { type Mailer, Undeliverable } from './mailer.ts'
import { type Kind, preferencesOf } from './preferences.ts'
import { decryptMail, type QueuedMail } from './queue.ts'
import { type EmailContent, render } from './render.ts'
import { emailContentOf, notificationEmail, reviewDigestEmail } from './templates.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

/** What a job of the mail queues holds: a queued message, a notice to mail, or whose waiting work to sum up. */
export type MailJob = QueuedMail | { notice: number; kind: string } | { digestOf: string }

type Person = { id: string; name: string; email: string }

// Optional mail goes only to an address that its owner has confirmed: nobody gets mail because a stranger typed theirs.
const REACHABLE = 'users.deleted_at is null and identities.email_verified_at is not null'

const readNotification = query<Person & StoredNotification, [id: number]>(
  'mail_notification',
  `select users.id, users.name, identities.email, kind, params, message, action_route
     from notifications join users on users.id = notifications.user_id join identities on identities.id = users.id
    where notifications.id = $1 and ${REACHABLE}`,
)
const readWaiting = query<Person & { count: number; titles: string[] }, [buyer: string]>(
  'mail_waiting_work',
  `select users.id, users.name, identities.email, count(*) as count,
          array(select distinct tasks.title from submissions as more join tasks on tasks.id = more.task_id
                 where more.buyer_id = users.id and more.status = 'pending' order by tasks.title limit 5) as titles
     from submissions join users on users.id = submissions.buyer_id join identities on identities.id = users.id
    where submissions.buyer_id = $1 and submissions.status = 'pending' and ${REACHABLE}
    group by users.id, identities.id`,
)

type Context = { database: Database; config: Config }
export type Delivery = 'sent' | 'nobody wants it' | { undeliverable: string }

/**
 * Sends what a mail job is about, as things are now: who was deleted, decided or switched such mails off gets none.
 * @throws what keeps it from being sent for the moment; the job is then tried again.
 */
export async function deliver(
  { database, config }: Context,
  mailer: Mailer,
  jobId: string,
  job: MailJob,
): Promise<Delivery> {
  const mail = await write(database, config, job)
  if (mail === undefined) return 'nobody wants it'
  const { to, letter } = mail
  try {
    const messageId = `<${jobId}@${new URL(config.publicUrl).hostname}>`
    await mailer.send({
      to,
      messageId,
      ...render(letter, config.name),
      unsubscribeUrl: letter.unsubscribeUrl,
    })
    return 'sent'
  } catch (error) {
    if (error instanceof Undeliverable) return { undeliverable: error.message }
    throw error
  }
}

async function write(
  database: Database,
  config: Config,
  job: MailJob,
): Promise<{ to: string; letter: EmailContent } | undefined> {
  if ('template' in job) {
    const mail = decryptMail(config, job)
    return { to: mail.to, letter: emailContentOf(mail, config.name) }
  }
  if ('notice' in job) {
    const [notification] = await readNotification(database, job.notice)
    if (notification === undefined) return undefined
    const { kind, name } = notification
    if (!isEmailed(kind)) return undefined
    const { message, actionRoute } = textOf(notification)
    const content = notificationEmail({ name, kind, message, url: `${config.publicUrl}${actionRoute}` })
    return optional(database, config, notification, NOTIFICATION_KINDS[kind].email.preference, content)
  }
  const [waiting] = await readWaiting(database, job.digestOf)
  if (waiting === undefined) return undefined
  const url = `${config.publicUrl}/dashboard/task-to-review`
  return optional(database, config, waiting, 'workReceived', reviewDigestEmail({ ...waiting, url }))
}

async function optional(
  database: Database,
  config: Config,
  person: Person,
  kind: Kind,
  letter: EmailContent,
) {
  const wanted = await preferencesOf(database, person.id)
  if (!wanted[kind]) return undefined
  return { to: person.email, letter: { ...letter, unsubscribeUrl: unsubscribeUrl(config, person.id, kind) } }
}
