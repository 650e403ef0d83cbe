import { dollarsText, formatNumber } from '#contract/amounts.en.ts'
import { wholeRate } from '#contract/product.ts'

export {
  coinsText as formatCoins,
  dollarsText as formatCents,
  formatDuration,
  formatNumber,
  PAYMENT_SYSTEM_NAMES,
  takaText as formatTaka,
} from '#contract/amounts.en.ts'

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const dateTimeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const relativeTimeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Returns a count with its noun: "1 worker", "12 workers". */
export function pluralize(value: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(value)} ${value === 1 ? singular : plural}`
}

/** Formats a price in dollars: 20 → "$20.00". */
export function formatDollars(value: number): string {
  return dollarsText(Math.round(value * 100))
}

/** Formats the price of one coin: 0.0667 → "6.7¢ per coin". */
export function formatCoinPrice(dollars: number): string {
  return `${(dollars * 100).toFixed(1)}¢ per coin`
}

/** Formats the value of coins at a withdrawal rate: 4820 at 5 cents → "$241.00". */
export function formatCoinValue(coinCount: number, centsPerCoin: number): string {
  return dollarsText(coinCount * centsPerCoin)
}

/** Formats a withdrawal rate: 5 → "20 coins = 1 dollar", 3 → "100 coins = 3 dollars". */
export function formatRate(centsPerCoin: number): string {
  const { coins, dollars } = wholeRate(centsPerCoin)
  return `${pluralize(coins, 'coin')} = ${pluralize(dollars, 'dollar')}`
}

/** Formats a calendar day without a time zone: "2026-12-18" → "18 Dec 2026". */
export function formatDay(isoDay: string): string {
  const date = new Date(`${isoDay}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? isoDay : abbreviateSeptember(dayFormat.format(date))
}

/** Shortens "Sept", the only month that en-GB abbreviates to four letters, so that dates align in columns. */
export function abbreviateSeptember(date: string): string {
  return date.replace('Sept', 'Sep')
}

/** Formats a time in the user's time zone: "18 Dec 2026, 14:05". */
export function formatDateTime(isoTime: string): string {
  return abbreviateSeptember(dateTimeFormat.format(new Date(isoTime)))
}

const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Formats a time relative to now: "2 minutes ago", "yesterday", "in 3 days". */
export function formatTimeAgo(isoTime: string, now = Date.now()): string {
  const seconds = (new Date(isoTime).getTime() - now) / 1000
  const step = UNITS.find(([, size]) => Math.abs(seconds) >= size)
  return step ? relativeTimeFormat.format(Math.trunc(seconds / step[1]), step[0]) : 'just now'
}

/** Formats a period in its largest whole unit: 72 → "3 days", 36 → "36 hours", 0.5 → "30 minutes". */
export function formatPeriod(hours: number): string {
  if (hours >= 24 && hours % 24 === 0) return pluralize(hours / 24, 'day')
  return hours < 1 ? pluralize(Math.ceil(hours * 60), 'minute') : pluralize(Math.round(hours), 'hour')
}

/** Rounds a duration to its largest unit: "3 minutes", "2 days"; "under a minute". */
export function formatRoundedDuration(seconds: number): string {
  const step = UNITS.find(([, size]) => seconds >= size)
  return step ? pluralize(Math.round(seconds / step[1]), step[0]) : 'under a minute'
}
