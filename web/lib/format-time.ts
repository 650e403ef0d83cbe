import { plural, t } from '@lingui/core/macro'
import { DEFAULT_LOCALE } from '#contract/locales.ts'
import { LOCALE } from '#web/lib/locale.ts'

const DATES = LOCALE === DEFAULT_LOCALE ? 'en-GB' : LOCALE

const dayFormat = new Intl.DateTimeFormat(DATES, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const dateTimeFormat = new Intl.DateTimeFormat(DATES, {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
})

/** Formats a calendar day without a time zone: "2026-12-18" → "18 Dec 2026". */
export function formatDay(isoDay: string): string {
  const date = new Date(`${isoDay}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? isoDay : abbreviateSeptember(dayFormat.format(date))
}

/** Shortens "Sept", the only month that en-GB abbreviates to four letters, so that dates align in columns. */
function abbreviateSeptember(date: string): string {
  return date.replace('Sept', 'Sep')
}

/** Formats a time in the user's time zone: "18 Dec 2026, 14:05". */
export function formatDateTime(isoTime: string): string {
  return abbreviateSeptember(dateTimeFormat.format(new Date(isoTime)))
}

const dayAndMonthFormat = new Intl.DateTimeFormat(DATES, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const monthFormat = new Intl.DateTimeFormat(DATES, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Formats a calendar day without its year, for an axis: "2026-12-18" → "18 Dec". */
export function formatDayAndMonth(isoDay: string): string {
  return abbreviateSeptember(dayAndMonthFormat.format(new Date(isoDay)))
}

/** Formats a month: "2026-11" → "November 2026". */
export function formatMonth(isoMonth: string): string {
  return monthFormat.format(new Date(`${isoMonth}-01T00:00:00Z`))
}

const clockFormat = new Intl.DateTimeFormat(DATES, { timeStyle: 'short', hourCycle: 'h23' })

/** Formats the time of day in the user's time zone: "14:05". */
export function formatClock(isoTime: string): string {
  return clockFormat.format(new Date(isoTime))
}

const localDayFormat = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short' })

/** Returns the calendar day of a time in the user's time zone: "2026-12-18". */
export function localDay(isoTime: string | number): string {
  return localDayFormat.format(new Date(isoTime))
}

/** Formats a calendar day as a heading: "Today", "Yesterday", "18 Dec 2026". */
export function formatDayHeading(isoDay: string, now = Date.now()): string {
  const today = new Date(`${localDay(now)}T00:00:00Z`)
  const daysAgo = (today.getTime() - Date.parse(`${isoDay}T00:00:00Z`)) / 86_400_000
  return daysAgo === 0 ? t`Today` : daysAgo === 1 ? t`Yesterday` : formatDay(isoDay)
}

const relativeTimeFormat = new Intl.RelativeTimeFormat(LOCALE)

const UNITS: [unit: 'year' | 'month' | 'day' | 'hour' | 'minute', seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Formats a time relative to now in its largest whole unit: "2 minutes ago", "1 day ago", "in 3 days". */
export function formatTimeAgo(isoTime: string, now = Date.now()): string {
  const seconds = (new Date(isoTime).getTime() - now) / 1000
  const step = UNITS.find(([, size]) => Math.abs(seconds) >= size)
  return step ? relativeTimeFormat.format(Math.trunc(seconds / step[1]), step[0]) : t`just now`
}

/** Formats a period in its largest whole unit: 72 → "3 days", 36 → "36 hours", 0.5 → "30 minutes". */
export function formatPeriod(hours: number): string {
  if (hours >= 24 && hours % 24 === 0) return unitText(hours / 24, 'day')
  return hours < 1 ? unitText(Math.ceil(hours * 60), 'minute') : unitText(Math.round(hours), 'hour')
}

/** Formats minutes in their two largest units: 90 → "1 hour 30 minutes". */
export function formatMinutes(total: number): string {
  const [days, hours, minutes] = [Math.floor(total / 1440), Math.floor((total % 1440) / 60), total % 60]
  const texts = [
    days > 0 && plural(days, { one: '# day', other: '# days' }),
    hours > 0 && plural(hours, { one: '# hour', other: '# hours' }),
    days === 0 && minutes > 0 && plural(minutes, { one: '# minute', other: '# minutes' }),
  ]
  return texts.filter((text) => text !== false).join(' ')
}

/** Rounds a duration to its largest unit: "3 minutes", "2 days"; "under a minute". */
export function formatRoundedDuration(seconds: number): string {
  const step = UNITS.find(([, size]) => seconds >= size)
  return step ? unitText(Math.round(seconds / step[1]), step[0]) : t`under a minute`
}

/** Formats a number with a unit of time: "1 day", "21 days". */
function unitText(value: number, unit: string): string {
  const locale = LOCALE === DEFAULT_LOCALE ? 'en-IN' : LOCALE
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}
