import { formatNumber as banglaNumber } from '#contract/amounts.bn.ts'
import { formatNumber } from '#contract/amounts.en.ts'
import type { Locale } from '#contract/locales.ts'
import {
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationTextParams,
} from '#contract/notification-kinds.ts'
import {
  NOTIFICATION_TEXTS as BANGLA,
  GROUP_TEXTS as BANGLA_GROUPS,
} from '#contract/notification-texts.bn.ts'
import { NOTIFICATION_TEXTS as ENGLISH, GROUP_TEXTS } from '#contract/notification-texts.en.ts'
import type { ListedNotification, Notification } from '#contract/notifications.ts'
import type { StoredRefusal } from '#contract/refusals.en.ts'
import { Refusal } from '#server/http/refusal.ts'

const TEXTS = { en: ENGLISH, bn: BANGLA }
const GROUPS = {
  en: { texts: GROUP_TEXTS, format: formatNumber },
  bn: { texts: BANGLA_GROUPS, format: banglaNumber },
}

/** A stored notification. `message` and `action_route` are set where `params` is null: in rows of version 0.2 and earlier. */
export type StoredNotification = {
  kind: NotificationKind
  params: object | null
  message: string | null
  action_route: string | null
  /** The id of the row that it is about. */
  ref: string | null
}

export type NotificationRow = StoredNotification & { id: string; created_at: string; read: boolean }

/** Returns the sentence and the route of a stored notification. Rows of version 0.2 and earlier are in English. */
export function textOf(stored: StoredNotification, locale: Locale): { message: string; actionRoute: string } {
  const { kind, params, message, action_route, ref } = stored
  if (params === null) return { message: message ?? '', actionRoute: action_route ?? '' }
  return render(locale, kind, withSentences(params, locale) as NotificationTextParams<typeof kind>, ref ?? '')
}

/** Returns whether several notifications of this kind have one sentence, whatever they are about, and one page. */
export function hasGroupText(kind: NotificationKind): boolean {
  return GROUP_TEXTS[kind]?.rest !== undefined && typeof NOTIFICATION_KINDS[kind].route === 'string'
}

/** Returns the sentence and the route of notifications of one kind: of the only one, or with the number and the coins of all. */
export function textOfAll(
  stored: readonly StoredNotification[],
  locale: Locale,
): { message: string; actionRoute: string } {
  const [first] = stored
  if (first === undefined) throw new Error('There is no notification')
  const one = textOf(first, locale)
  const { texts, format } = GROUPS[locale]
  const together = texts[first.kind]?.rest
  if (stored.length === 1 || together === undefined) return one
  const total = (name: 'count' | 'coins', without: number) =>
    stored.reduce((sum, { params }) => sum + ((params as Partial<Groupable> | null)?.[name] ?? without), 0)
  return { ...one, message: together(format(total('count', 1)), total('coins', 0)) }
}

function render<Kind extends NotificationKind>(
  locale: Locale,
  kind: Kind,
  params: NotificationTextParams<Kind>,
  ref: string,
) {
  const { route } = NOTIFICATION_KINDS[kind]
  return {
    message: TEXTS[locale][kind](params),
    actionRoute: typeof route === 'string' ? route : route(params as never, ref),
  }
}

/** Returns the parameters with the sentence of each stored refusal. */
function withSentences(params: object, locale: Locale): object {
  const entries = Object.entries(params).map(([name, value]) =>
    isStoredRefusal(value) ? [name, Refusal.of(value).in(locale).message] : [name, value],
  )
  return Object.fromEntries(entries)
}

function isStoredRefusal(value: unknown): value is StoredRefusal {
  return typeof value === 'object' && value !== null && 'key' in value
}

export function presentNotification(row: NotificationRow, locale: Locale): Notification {
  const { message, actionRoute } = textOf(row, locale)
  return { _id: row.id, message, time: row.created_at, actionRoute, read: row.read }
}

/** Adds what the notifications page groups by. Rows of version 0.2 and earlier have only their kind. */
export function presentListed(row: NotificationRow, locale: Locale): ListedNotification {
  const { title, worker, buyer, admin, coins, count } = (row.params ?? {}) as Partial<Groupable>
  return {
    ...presentNotification(row, locale),
    kind: row.kind,
    title: title ?? null,
    actor: worker ?? buyer ?? admin ?? null,
    coins: coins ?? null,
    count: count ?? null,
  }
}

/** The parameters of notifications that the page groups by. */
type Groupable = {
  title: string
  worker: string
  buyer: string
  admin: string | null
  count: number
  coins: number
}
