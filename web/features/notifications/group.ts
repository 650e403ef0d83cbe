import type { NotificationKind } from '#contract/notification-kinds.ts'
import { GROUP_TEXTS, type GroupTexts } from '#contract/notification-texts.en.ts'
import type { ListedNotification } from '#contract/notifications.ts'
import { formatNumber } from '#web/lib/format.ts'
import { localDay } from '#web/lib/format-time.ts'

/** `wasUnread`: it was unread when the page first showed it. */
export type ShownNotification = ListedNotification & { wasUnread: boolean }

/** One row of the page: a notification, or several with a sentence for all of them. */
export type NotificationGroup = {
  key: string
  text: string
  /** The page that all of them open; null where each opens another. */
  route: string | null
  notifications: ShownNotification[]
}
export type NotificationDay = { day: string; groups: NotificationGroup[] }

/** What the notifications of a group have in common besides their kind. */
type Subject = keyof GroupTexts
/** Those about one task or from one user come first; the rest of a kind is one group. */
const ROUNDS: Subject[][] = [['title', 'actor'], ['rest']]
type Bucket = { key: string; kind: string; subject: Subject; name: string; rows: ShownNotification[] }

/**
 * Groups notifications, newest first, by the day in the user's time zone. Those of a day that were unread and of one kind
 * become as few groups as possible: about one task, from one user, or of the rest
 * (docs/decisions/0060-notification-groups.md). A group has the place of its newest. `hasMore`: older ones are not loaded,
 * so that the groups of the last day may be larger.
 */
export function groupNotifications(
  notifications: readonly ShownNotification[],
  hasMore: boolean,
): NotificationDay[] {
  const days: { day: string; rows: ShownNotification[] }[] = []
  for (const notification of notifications) {
    const day = localDay(notification.time)
    const last = days.at(-1)
    if (last?.day === day) last.rows.push(notification)
    else days.push({ day, rows: [notification] })
  }
  return days.map(({ day, rows }, index) => ({
    day,
    groups: groupsOf(day, rows, hasMore && index === days.length - 1),
  }))
}

function groupsOf(day: string, rows: ShownNotification[], mayBeLarger: boolean): NotificationGroup[] {
  const bucketOf = new Map<ShownNotification, Bucket>()
  for (const subjects of ROUNDS) {
    for (;;) {
      const left = rows.filter((row) => row.wasUnread && !bucketOf.has(row))
      const largest = largestBucket(left, subjects)
      if (largest === undefined || largest.rows.length < 2) break
      for (const row of largest.rows) bucketOf.set(row, largest)
    }
  }
  return rows.flatMap((row) => {
    const bucket = bucketOf.get(row)
    if (bucket === undefined)
      return { key: row._id, text: row.message, route: row.actionRoute, notifications: [row] }
    return bucket.rows[0] === row ? groupOf(day, bucket, mayBeLarger) : []
  })
}

function largestBucket(rows: readonly ShownNotification[], subjects: Subject[]): Bucket | undefined {
  const buckets = new Map<string, Bucket>()
  for (const row of rows) {
    const texts = textsOf(row.kind)
    for (const subject of subjects) {
      const name = subject === 'rest' ? '' : row[subject]
      if (texts[subject] === undefined || name === null) continue
      const key = `${row.kind} ${subject} ${name}`
      const bucket = buckets.get(key)
      if (bucket) bucket.rows.push(row)
      else buckets.set(key, { key, kind: row.kind, subject, name, rows: [row] })
    }
  }
  return [...buckets.values()].sort((a, b) => b.rows.length - a.rows.length)[0]
}

function groupOf(day: string, bucket: Bucket, mayBeLarger: boolean): NotificationGroup {
  const { rows, subject, name } = bucket
  const texts = textsOf(bucket.kind)
  const number = rows.reduce((sum, row) => sum + (row.count ?? 1), 0)
  const count = `${formatNumber(number)}${mayBeLarger ? '+' : ''}`
  const coins = mayBeLarger ? null : rows.reduce((sum, row) => sum + (row.coins ?? 0), 0)
  const text = subject === 'rest' ? texts.rest?.(count, coins) : texts[subject]?.(count, name)
  const route = rows[0]?.actionRoute ?? null
  return {
    key: `${day} ${bucket.key}`,
    text: text ?? '',
    route: rows.every(({ actionRoute }) => actionRoute === route) ? route : null,
    notifications: rows,
  }
}

const textsOf = (kind: string): GroupTexts => GROUP_TEXTS[kind as NotificationKind] ?? {}
