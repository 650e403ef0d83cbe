import { abbreviateSeptember, formatDay } from '#web/lib/format.ts'

/* Formats that only the dashboard needs, so that public pages load without them. */

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

/** Formats a size: 1536000 → "1.5 MB". With `exceptZero` it has a sign: "+1.5 MB". */
export function formatBytes(bytes: number, signDisplay: 'auto' | 'exceptZero' = 'auto'): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(1, Math.abs(bytes))) / 3), BYTE_UNITS.length - 1)
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: BYTE_UNITS[power] as string,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
    signDisplay,
  }).format(bytes / 1000 ** power)
}

const compactNumbers = new Intl.NumberFormat('en-IN', { notation: 'compact' })
const compactDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
})

/** Formats a number of an axis: 1500 → "1.5K", 500000 → "5L". */
export function formatCompactNumber(value: number): string {
  return compactNumbers.format(value)
}

/** Formats a price of an axis: 15 → "$15", 12500 → "$13K". */
export function formatCompactDollars(value: number): string {
  return compactDollars.format(value)
}

/** Formats a share: 7.5 → "7.5 %". */
export function formatPercent(percent: number): string {
  return `${percent} %`
}

const dayAndMonthFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Formats a calendar day without its year, for an axis: "2026-12-18" → "18 Dec". */
export function formatDayAndMonth(isoDay: string): string {
  return abbreviateSeptember(dayAndMonthFormat.format(new Date(isoDay)))
}

/** Formats a month: "2026-11" → "November 2026". */
export function formatMonth(isoMonth: string): string {
  return monthFormat.format(new Date(`${isoMonth}-01T00:00:00Z`))
}

const clockFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })

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
  return daysAgo === 0 ? 'Today' : daysAgo === 1 ? 'Yesterday' : formatDay(isoDay)
}
