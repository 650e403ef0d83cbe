import { type Locale, localePath } from '#contract/locales.ts'
import { isEmailed, preferenceOf } from '#contract/notification-kinds.ts'
import { PUSH_SUBSCRIPTIONS_MAX } from '#contract/push-subscriptions.ts'
import type { Config } from '#server/config.ts'
import { type Database, type Db, MANY_ROWS, query } from '#server/database/database.ts'
import { AddressRefused, addressRules, requestPublic } from '#server/http/public-request.ts'
import { preferencesOf } from '#server/mail/preferences.ts'
import { hasGroupText, type StoredNotification, textOfAll } from '#server/notifications/present.ts'
import type { NotificationGroup } from '#server/notifications/relay.ts'
import { isPublicKey, pushKeys } from './keys.ts'
import { removeSubscription } from './subscriptions.ts'

/** A notification to be shown on one device; `others` are further ones that it stands for. */
export type PushJob = { notification: number; subscription: string; others?: number[] }

/** How long a push service keeps a notification for a device that is off. */
const TTL_SECONDS = 86_400
const TIMEOUT_MS = 15_000
/** A push service takes 4 kB, encrypted; a rejection's reason can be longer. */
const TEXT_MAX = 500
/** Not, or no longer, a subscription of this installation (RFC 8030, RFC 8292). */
const GONE = new Set([401, 403, 404, 410])

type Row = StoredNotification & {
  user_id: string
  locale: Locale
  endpoint: string
  public_key: string
  auth_secret: string
}

const ACTIVE = 'sessions.ended_at is null and sessions.expires_at > now()'

const subscriptionsOf = query<{ id: string; user_id: string }, [users: string[]]>(
  'push_subscriptions_of',
  `select subscription.id, user_id from unnest($1::uuid[]) as one (id)
     cross join lateral (select id, user_id, session_id from push_subscriptions where user_id = one.id limit ${PUSH_SUBSCRIPTIONS_MAX}) as subscription
     join sessions on sessions.id = session_id and ${ACTIVE}`,
  MANY_ROWS,
)
const readPush = query<Row, [notifications: number[], subscription: string]>(
  'push_notification',
  `select users.id as user_id, users.locale, kind, params, message, action_route, ref, endpoint, public_key, auth_secret
     from notifications join users on users.id = notifications.user_id and users.deleted_at is null
     join push_subscriptions on push_subscriptions.user_id = users.id
     join sessions on sessions.id = session_id and ${ACTIVE}
    where notifications.id = any ($1::bigint[]) and push_subscriptions.id = $2 order by notifications.id`,
)

/**
 * Returns a job for each device of the users of these notifications. Kinds that are mailed one by one are sent, and those that one
 * statement made for a user are one message, as they are one email.
 */
export async function pushJobsFor(db: Db, groups: readonly NotificationGroup[]): Promise<PushJob[]> {
  const pushed = groups.filter(({ kind }) => isEmailed(kind))
  if (pushed.length === 0) return []
  const subscriptions = await subscriptionsOf(db, [...new Set(pushed.map(({ user }) => user))])
  const byUser = Map.groupBy(subscriptions, ({ user_id }) => user_id)
  return pushed.flatMap(({ ids, kind, user }) => {
    const devices = byUser.get(user) ?? []
    const messages = hasGroupText(kind) ? [ids] : ids.map((id) => [id])
    return devices.flatMap(({ id: subscription }) =>
      messages.flatMap(([notification, ...others]) => {
        if (notification === undefined) return []
        return others.length === 0 ? { notification, subscription } : { notification, subscription, others }
      }),
    )
  })
}

/**
 * Sends a notification to a device through its push service, encrypted for it (RFC 8291). Returns `skipped` when the user
 * ended the session or switched the category off, and `gone` when the push service refuses the subscription, which is
 * then deleted.
 * @throws on a temporary failure, so that the job is retried.
 */
export async function sendPush(
  { database, config }: { database: Database; config: Config },
  { notification, subscription, others = [] }: PushJob,
): Promise<'sent' | 'skipped' | 'gone'> {
  const rows = await readPush(database, [notification, ...others], subscription)
  const [row] = rows
  if (row === undefined) return 'skipped'
  const preference = preferenceOf(row)
  if (preference === undefined) return 'skipped'
  if (preference !== 'always' && !(await preferencesOf(database, row.user_id))[preference]) return 'skipped'

  const status = await post(config, row, textOfAll(rows, row.locale))
  if (GONE.has(status)) {
    await removeSubscription(database, subscription)
    return 'gone'
  }
  if (status < 200 || status > 299) throw new Error(`The push service responded with ${status}`)
  return 'sent'
}

/**
 * Posts a notification to a push service and returns the status; 404 for an address that is not public, and for a key that was stored
 * before keys were checked.
 */
async function post(
  config: Config,
  row: Row,
  { message, actionRoute }: ReturnType<typeof textOfAll>,
): Promise<number> {
  if (!config.isDevelopment && !row.endpoint.startsWith('https:')) return 404
  if (!isPublicKey(row.public_key)) return 404
  // A device shows the latest of a kind, not one for each of two hundred approvals.
  const body = message.length > TEXT_MAX ? `${message.slice(0, TEXT_MAX - 1)}…` : message
  const route = localePath(row.locale, actionRoute)
  const payload = { title: config.name, body, route, tag: row.kind, lang: row.locale }
  const { default: webPush } = await import('web-push') // loaded by the first notification: most processes send none
  const request = webPush.generateRequestDetails(
    { endpoint: row.endpoint, keys: { p256dh: row.public_key, auth: row.auth_secret } },
    JSON.stringify(payload),
    {
      vapidDetails: { subject: `mailto:${config.mail.from}`, ...pushKeys(config) },
      TTL: TTL_SECONDS,
      urgency: 'high',
    },
  )
  try {
    return await requestPublic(
      request.endpoint,
      addressRules(config),
      { method: request.method, headers: request.headers, body: request.body, timeoutMs: TIMEOUT_MS },
      async ({ statusCode = 0 }) => statusCode,
    )
  } catch (error) {
    if (error instanceof AddressRefused) return 404
    throw error
  }
}
