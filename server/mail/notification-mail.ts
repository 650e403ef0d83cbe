import { randomUUID } from 'node:crypto'
import type { Locale } from '#contract/locales.ts'
import type { MailPreferences } from '#contract/mail.ts'
import { type EmailedKind, isEmailed, preferenceOf } from '#contract/notification-kinds.ts'
import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { hasGroupText, type StoredNotification, textOfAll } from '#server/notifications/present.ts'
import type { NotificationGroup } from '#server/notifications/relay.ts'
import type { EmailContent } from './render.ts'
import { notificationEmail } from './templates.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

/** An email about one notification of a user, or about several of one kind. Every attempt to send it has its id. */
export type NotificationMail = { id: string; kind: EmailedKind; notifications: number[] }

export type Recipient = { id: string; name: string; email: string; locale: Locale }

// Optional mail is sent to verified emails only: a stranger may have signed up with somebody else's email.
export const REACHABLE = 'users.deleted_at is null and identities.email_verified_at is not null'

type Row = Recipient &
  StoredNotification & { notification: number; is_verified: boolean; preferences: MailPreferences | null }

const readNotifications = query<Row, [ids: number[]]>(
  'mail_notifications',
  `select notifications.id as notification, users.id, users.name, identities.email, users.locale, kind, params, message,
          action_route, ref, identities.email_verified_at is not null as is_verified,
          case when mail_preferences.user_id is not null then jsonb_build_object(
            'workReceived', work_received, 'workDecided', work_decided, 'payouts', payouts) end as preferences
     from notifications join users on users.id = notifications.user_id join identities on identities.id = users.id
     left join mail_preferences on mail_preferences.user_id = users.id
    where notifications.id = any ($1::bigint[]) and users.deleted_at is null order by notifications.id`,
)

/** Returns the emails of notifications: one for those that one statement made for a user, where their kind has a sentence for several. */
export function notificationMails(groups: readonly NotificationGroup[]): NotificationMail[] {
  return groups.flatMap(({ ids, kind }) => {
    if (!isEmailed(kind)) return []
    const emails = hasGroupText(kind) ? [ids] : ids.map((id) => [id])
    return emails.map((notifications) => ({ id: randomUUID(), kind, notifications }))
  })
}

/**
 * Composes emails from current data, by their ids. Those that no longer apply are left out: the user was deleted, switched the
 * category off, or has an address that is not verified. Emails that protect the marketplace go to that address too.
 */
export async function composeNotificationMails(
  db: Db,
  config: Config,
  mails: readonly Omit<NotificationMail, 'kind'>[],
): Promise<Map<string, { to: string; content: EmailContent }>> {
  const rows = await readNotifications(
    db,
    mails.flatMap(({ notifications }) => notifications),
  )
  const byNotification = new Map(rows.map((row) => [row.notification, row]))
  const composed = mails.map(({ id, notifications }) => {
    const found = notifications.flatMap((notification) => byNotification.get(notification) ?? [])
    return [id, compose(config, found)] as const
  })
  return new Map(composed.flatMap(([id, mail]) => (mail === undefined ? [] : [[id, mail]])))
}

function compose(config: Config, rows: readonly Row[]): { to: string; content: EmailContent } | undefined {
  const [first] = rows
  if (first === undefined || !isEmailed(first.kind)) return undefined
  const { id, kind, name, email, locale, is_verified, preferences } = first
  const preference = preferenceOf(first)
  if (preference === undefined) return undefined
  const always = preference === 'always'
  if (!always && (!is_verified || preferences?.[preference] === false)) return undefined
  const { message, actionRoute } = textOfAll(rows, locale)
  const url = `${config.publicUrl}${actionRoute}`
  const content = notificationEmail(locale, { name, kind, message, url, always })
  if (always) return { to: email, content }
  return { to: email, content: { ...content, unsubscribeUrl: unsubscribeUrl(config, id, preference) } }
}
