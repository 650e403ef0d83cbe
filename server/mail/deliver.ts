import { type Locale, localePath, OFFERED_LOCALES } from '#contract/locales.ts'
import { isEmailed, NOTIFICATION_KINDS } from '#contract/notification-kinds.ts'
import type { Config } from '#server/config.ts'
import { type Database, query } from '#server/database/database.ts'
import { type StoredNotification, textOf } from '#server/notifications/present.ts'
import { type Attachment, type Mailer, Undeliverable } from './mailer.ts'
import { type EmailCategory, preferencesOf } from './preferences.ts'
import { decryptMail, type QueuedMail } from './queue.ts'
import { composeReceipt } from './receipt-email.ts'
import { type EmailContent, render } from './render.ts'
import { emailContentOf, notificationEmail, reviewDigestEmail } from './templates.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

/**
 * The data of a mail job: a queued mail, the id of a notification or a receipt to mail, or the buyer to send a review digest
 * to.
 */
export type MailJob =
  | QueuedMail
  | { notice: number; kind: string }
  | { receipt: string }
  | { digestOf: string }

type Recipient = { id: string; name: string; email: string; locale: Locale }

// Optional mail is sent to verified emails only: a stranger may have signed up with somebody else's email.
const REACHABLE = 'users.deleted_at is null and identities.email_verified_at is not null'

const readNotification = query<Recipient & StoredNotification, [id: number]>(
  'mail_notification',
  `select users.id, users.name, identities.email, users.locale, kind, params, message, action_route, ref
     from notifications join users on users.id = notifications.user_id join identities on identities.id = users.id
    where notifications.id = $1 and ${REACHABLE}`,
)
const readPendingReviews = query<Recipient & { count: number; titles: string[] }, [buyer: string]>(
  'mail_pending_reviews',
  `select users.id, users.name, identities.email, users.locale, count(*) as count,
          array(select distinct tasks.title from submissions as pending join tasks on tasks.id = pending.task_id
                 where pending.buyer_id = users.id and pending.status = 'pending' order by tasks.title limit 5) as titles
     from submissions join users on users.id = submissions.buyer_id join identities on identities.id = users.id
    where submissions.buyer_id = $1 and submissions.status = 'pending' and ${REACHABLE}
    group by users.id, identities.id`,
)

type Context = { database: Database; config: Config }
export type Delivery = 'sent' | 'skipped' | { undeliverable: string }

/**
 * Composes and sends the mail of a job from current data. Returns `skipped` when it no longer applies: the user was
 * deleted or switched this category off, or the work was decided.
 * @throws on a temporary failure, so that the job is retried.
 */
export async function deliver(
  { database, config }: Context,
  mailer: Mailer,
  jobId: string,
  job: MailJob,
): Promise<Delivery> {
  const mail = await compose(database, config, job)
  if (mail === undefined) return 'skipped'
  const { to, content, attachments } = mail
  try {
    const messageId = `<${jobId}@${new URL(config.publicUrl).hostname}>`
    await mailer.send({
      to,
      messageId,
      ...render(inLocale(config, content), config.name),
      unsubscribeUrl: content.unsubscribeUrl,
      attachments,
    })
    return 'sent'
  } catch (error) {
    if (error instanceof Undeliverable) return { undeliverable: error.message }
    throw error
  }
}

/** Returns the content with a button that opens the page in the language of the email. */
function inLocale({ publicUrl }: Config, content: EmailContent): EmailContent {
  const { locale, button } = content
  if (!button?.url.startsWith(`${publicUrl}/`) || !OFFERED_LOCALES.includes(locale)) return content
  const url = publicUrl + localePath(locale, button.url.slice(publicUrl.length))
  return { ...content, button: { ...button, url } }
}

async function compose(
  database: Database,
  config: Config,
  job: MailJob,
): Promise<{ to: string; content: EmailContent; attachments?: Attachment[] } | undefined> {
  if ('receipt' in job) return composeReceipt(database, config, job.receipt)
  if ('template' in job) {
    const mail = decryptMail(config, job)
    return { to: mail.to, content: emailContentOf(mail, config.name) }
  }
  if ('notice' in job) {
    const [notification] = await readNotification(database, job.notice)
    if (notification === undefined) return undefined
    const { kind, name, locale } = notification
    if (!isEmailed(kind)) return undefined
    const { message, actionRoute } = textOf(notification, locale)
    const { preference } = NOTIFICATION_KINDS[kind].email
    const always = preference === 'always'
    const url = `${config.publicUrl}${actionRoute}`
    const content = notificationEmail(locale, { name, kind, message, url, always })
    if (always) return { to: notification.email, content }
    return composeOptional(database, config, notification, preference, content)
  }
  const [pending] = await readPendingReviews(database, job.digestOf)
  if (pending === undefined) return undefined
  const url = `${config.publicUrl}/dashboard/task-to-review`
  const content = reviewDigestEmail(pending.locale, { ...pending, url })
  return composeOptional(database, config, pending, 'workReceived', content)
}

async function composeOptional(
  database: Database,
  config: Config,
  recipient: Recipient,
  category: EmailCategory,
  content: EmailContent,
) {
  const preferences = await preferencesOf(database, recipient.id)
  if (!preferences[category]) return undefined
  const url = unsubscribeUrl(config, recipient.id, category)
  return { to: recipient.email, content: { ...content, unsubscribeUrl: url } }
}
