import { centsOf } from '#contract/product.ts'

const grouped = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 0 })
const dollarsFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const wholeDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})
const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const momentFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** 500000 → "5,00,000". */
export function number(value: number): string {
  return grouped.format(value)
}

/** "1 coin", "500 coins", for sentences; on its own an amount is a `CoinAmount`. */
export function coins(value: number): string {
  return `${number(value)} ${value === 1 ? 'coin' : 'coins'}`
}

/** "1 worker", "12 workers": the count and its noun. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`
}

/** Dollars as a price: 20 → "$20", 12.5 → "$12.50". */
export function dollars(value: number): string {
  return Number.isInteger(value) ? wholeDollars.format(value) : dollarsFormat.format(value)
}

/** What coins are worth at withdrawal: 4820 → "$241.00". */
export function worth(coinCount: number): string {
  return dollarsFormat.format(centsOf(coinCount) / 100)
}

/** A calendar day, "2026-12-18" → "18 Dec 2026". It has no time zone and gets none. */
export function day(isoDay: string): string {
  const date = new Date(`${isoDay}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? isoDay : threeLetters(dayFormat.format(date))
}

/** British English writes "Sept", the one month of four letters, which breaks columns of dates. */
function threeLetters(date: string): string {
  return date.replace('Sept', 'Sep')
}

/** A moment in the reader's own time: "18 Dec 2026, 14:05". */
export function moment(isoTime: string): string {
  return threeLetters(momentFormat.format(new Date(isoTime)))
}

const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** "2 minutes ago", "yesterday", "in 3 days". */
export function ago(isoTime: string, now = Date.now()): string {
  const seconds = (new Date(isoTime).getTime() - now) / 1000
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size)
  return step ? relative.format(Math.trunc(seconds / step[1]), step[0]) : 'just now'
}
