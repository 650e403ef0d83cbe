import { localePath, OFFERED_LOCALES } from '#contract/locales.ts'
import type { Config } from '#server/config.ts'
import { type Database, query } from '#server/database/database.ts'
import { type Attachment, type Mailer, Undeliverable } from './mailer.ts'
import {
  composeNotificationMails,
  type NotificationMail,
  REACHABLE,
  type Recipient,
} from './notification-mail.ts'
import { preferencesOf } from './preferences.ts'
import { decryptMail, type QueuedMail } from './queue.ts'
import { composeReceipt } from './receipt-email.ts'
import { type EmailContent, render } from './render.ts'
import { emailContentOf, reviewDigestEmail } from './templates.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

/**
 * The data of a mail job: a queued mail, the id of a receipt to mail, the buyer to send a review digest to, or the id of a
 * notification, in jobs of version 0.3 and earlier.
 */
export type MailJob =
  | QueuedMail
  | { notice: number; kind: string }
  | { receipt: string }
  | { digestOf: string }

// Work of a former Buyer is approved automatically: they have no screen to review it.
const readPendingReviews = query<Recipient & { count: number; titles: string[] }, [buyer: string]>(
  'mail_pending_reviews',
  `select users.id, users.name, identities.email, users.locale, count(*) as count,
          array(select distinct tasks.title from submissions as pending join tasks on tasks.id = pending.task_id
                 where pending.buyer_id = users.id and pending.status = 'pending' order by tasks.title limit 5) as titles
     from submissions join users on users.id = submissions.buyer_id join identities on identities.id = users.id
    where submissions.buyer_id = $1 and submissions.status = 'pending' and users.role = 'Buyer' and ${REACHABLE}
    group by users.id, identities.id`,
)

type Context = { database: Database; config: Config }
type Composed = { to: string; content: EmailContent; attachments?: Attachment[] }
export type Delivery = 'sent' | 'skipped' | { undeliverable: string }
/** The outcome of one of several emails: `failed` is a temporary failure. */
export type NotificationDelivery = { mail: NotificationMail; delivery: Delivery | { failed: unknown } }

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
  const mail = await compose(database, config, jobId, job)
  return mail === undefined ? 'skipped' : send(config, mailer, jobId, mail)
}

/**
 * Composes emails about notifications from current data and sends them. Calls `onSent` after each that was sent. Returns an outcome for
 * each.
 * @throws when they could not be composed; none was sent then.
 */
export async function deliverNotifications(
  { database, config }: Context,
  mailer: Mailer,
  mails: readonly NotificationMail[],
  onSent: (mail: NotificationMail) => Promise<void>,
): Promise<NotificationDelivery[]> {
  const composed = await composeNotificationMails(database, config, mails)
  return Promise.all(
    mails.map(async (mail) => {
      const content = composed.get(mail.id)
      if (content === undefined) return { mail, delivery: 'skipped' as const }
      try {
        const delivery = await send(config, mailer, mail.id, content)
        if (delivery === 'sent') await onSent(mail)
        return { mail, delivery }
      } catch (error) {
        return { mail, delivery: { failed: error } }
      }
    }),
  )
}

/** Sends an email, whose id makes its Message-ID. @throws on a temporary failure. */
async function send(
  config: Config,
  mailer: Mailer,
  id: string,
  { to, content, attachments }: Composed,
): Promise<Delivery> {
  try {
    const messageId = `<${id}@${new URL(config.publicUrl).hostname}>`
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
  jobId: string,
  job: MailJob,
): Promise<Composed | undefined> {
  if ('receipt' in job) return composeReceipt(database, config, job.receipt)
  if ('template' in job) {
    const mail = decryptMail(config, job)
    return { to: mail.to, content: emailContentOf(mail, config.name) }
  }
  if ('notice' in job) {
    const mails = await composeNotificationMails(database, config, [
      { id: jobId, notifications: [job.notice] },
    ])
    return mails.get(jobId)
  }
  const [pending] = await readPendingReviews(database, job.digestOf)
  if (pending === undefined || !(await preferencesOf(database, pending.id)).workReceived) return undefined
  const content = reviewDigestEmail(pending.locale, {
    ...pending,
    url: `${config.publicUrl}/dashboard/task-to-review`,
  })
  const unsubscribe = unsubscribeUrl(config, pending.id, 'workReceived')
  return { to: pending.email, content: { ...content, unsubscribeUrl: unsubscribe } }
}
