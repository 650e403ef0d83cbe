import type { NotificationKind } from '#contract/notification-kinds.ts'
import { GROUP_TEXTS } from '#contract/notification-texts.en.ts'
import type { ListedNotification } from '#contract/notifications.ts'
import { formatNumber } from '#web/lib/format.ts'
import { localDay } from '#web/lib/format-time.ts'

/** `wasUnread`: it was unread when the page first showed it. */
export type ShownNotification = ListedNotification & { wasUnread: boolean }

/** One row of the page: a notification, or several with a sentence for all of them. */
export type NotificationGroup = { key: string; text: string; notifications: ShownNotification[] }
export type NotificationDay = { day: string; groups: NotificationGroup[] }

/**
 * Groups notifications, newest first, by the day in the user's time zone; consecutive ones of a day that were unread, of
 * the same kind and about the same task, become one group (docs/decisions/0060-notification-groups.md). `hasMore`: older
 * ones are not loaded, so that the last group may be larger.
 */
export function groupNotifications(
  notifications: readonly ShownNotification[],
  hasMore: boolean,
): NotificationDay[] {
  const days: { day: string; runs: ShownNotification[][] }[] = []
  for (const notification of notifications) {
    const day = localDay(notification.time)
    const runs = days.at(-1)?.day === day ? days.at(-1)?.runs : undefined
    const run = runs?.at(-1)
    if (runs === undefined) days.push({ day, runs: [[notification]] })
    else if (run?.[0] && belongTogether(run[0], notification)) run.push(notification)
    else runs.push([notification])
  }
  const last = days.at(-1)?.runs.at(-1)
  return days.map(({ day, runs }) => ({
    day,
    groups: runs.map((run) => groupOf(run, hasMore && run === last)),
  }))
}

function belongTogether(one: ShownNotification, other: ShownNotification): boolean {
  return (
    one.wasUnread &&
    other.wasUnread &&
    one.kind === other.kind &&
    one.title === other.title &&
    groupText(one.kind) !== undefined
  )
}

function groupOf(run: ShownNotification[], mayBeLarger: boolean): NotificationGroup {
  const [newest] = run as [ShownNotification]
  const count = `${formatNumber(run.length)}${mayBeLarger ? '+' : ''}`
  const text = run.length === 1 ? undefined : groupText(newest.kind)?.(count, newest.title ?? '')
  // The oldest keeps its key while newer ones join its group.
  const key = (run.at(-1) ?? newest)._id
  return { key, text: text ?? newest.message, notifications: run }
}

const groupText = (kind: string) => GROUP_TEXTS[kind as NotificationKind]
