import type { PaymentSystem } from './product.ts'

/*
 * The formats of numbers, coins, money and durations on screens, in notifications and in error messages.
 */

const numbers = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 0 })
const taka = new Intl.NumberFormat('en-IN', {
  style: 'currency',
  currency: 'BDT',
  currencyDisplay: 'narrowSymbol',
})
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Formats a number with Indian digit groups: 500000 → "5,00,000". */
export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** Formats coins in a sentence: "1 coin", "1,500 coins". */
export function coinsText(coins: number): string {
  return `${formatNumber(coins)} ${coins === 1 ? 'coin' : 'coins'}`
}

/** Formats an amount of money: 2000 cents → "$20.00". */
export function dollarsText(cents: number): string {
  return dollars.format(cents / 100)
}

/** Formats an amount in taka: 121550 poisha → "৳1,215.50". */
export function takaText(poisha: number): string {
  return taka.format(poisha / 100)
}

/** Formats a number of days: "1 day", "7 days"; one with a part of a day in hours: 0.5 → "12 hours". */
export function daysText(days: number): string {
  return formatMilliseconds(daysInMilliseconds(days))
}

/** Returns a number of days in milliseconds: in whole hours, or in whole minutes where it is less than one. */
export function daysInMilliseconds(days: number): number {
  const unit = days * 24 < 1 ? 60_000 : 3_600_000
  return Math.round((days * 86_400_000) / unit) * unit
}

/** Formats a number of hours: "1 hour", "12 hours". */
export function hoursText(hours: number): string {
  return `${formatNumber(hours)} ${hours === 1 ? 'hour' : 'hours'}`
}

/** The units of a duration, the largest first, with their seconds. */
export const DURATION_UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Formats a duration in the largest unit that divides it: 30000 ms → "30 seconds", 900000 ms → "15 minutes". */
export function formatMilliseconds(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const [unit, size] = DURATION_UNITS.find(([, size]) => seconds % size === 0) ?? ['second', 1]
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size)
}

/** The names of the payment systems, as they spell themselves. */
export const PAYMENT_SYSTEM_NAMES: Record<PaymentSystem, string> = {
  Bkash: 'bKash',
  Rocket: 'Rocket',
  Nagad: 'Nagad',
  Bank: 'Bank',
  Other: 'Other',
}
