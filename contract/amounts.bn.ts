import type * as english from './amounts.en.ts'
import { DURATION_UNITS, daysInMilliseconds } from './amounts.en.ts'

/*
 * The formats of contract/amounts.en.ts in Bangla. Bangla has one form of a noun after a number.
 */

type Amounts = typeof english

export { DURATION_UNITS, daysInMilliseconds }

const numbers = new Intl.NumberFormat('bn-BD', { maximumFractionDigits: 0 })
const taka = new Intl.NumberFormat('bn-BD', {
  style: 'currency',
  currency: 'BDT',
  currencyDisplay: 'narrowSymbol',
})
const dollars = new Intl.NumberFormat('bn-BD', {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
})

/** Formats a number with Bangla digits and Indian digit groups: 500000 → "৫,০০,০০০". */
export const formatNumber: Amounts['formatNumber'] = (value) => numbers.format(value)
/** Formats coins in a sentence: "১টি কয়েন", "১,৫০০টি কয়েন". */
export const coinsText: Amounts['coinsText'] = (coins) => `${formatNumber(coins)}টি কয়েন`
/** Formats an amount of money: 2000 cents → "২০.০০$". */
export const dollarsText: Amounts['dollarsText'] = (cents) => dollars.format(cents / 100)
/** Formats an amount in taka: 121550 poisha → "১,২১৫.৫০৳". */
export const takaText: Amounts['takaText'] = (poisha) => taka.format(poisha / 100)
/** Formats a number of days: "১ দিন", "৭ দিন"; one with a part of a day in hours: 0.5 → "১২ ঘণ্টা". */
export const daysText: Amounts['daysText'] = (days) => formatMilliseconds(daysInMilliseconds(days))
/** Formats a number of hours: "১ ঘণ্টা", "১২ ঘণ্টা". */
export const hoursText: Amounts['hoursText'] = (hours) => `${formatNumber(hours)} ঘণ্টা`

/** Formats a duration in the largest unit that divides it: 900000 ms → "১৫ মিনিট". */
export const formatMilliseconds: Amounts['formatMilliseconds'] = (ms) => {
  const seconds = Math.round(ms / 1000)
  const [unit, size] = DURATION_UNITS.find(([, size]) => seconds % size === 0) ?? ['second', 1]
  return new Intl.NumberFormat('bn-BD', { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size)
}

/** The names of the payment systems. Brands keep their spelling. */
export const PAYMENT_SYSTEM_NAMES: Amounts['PAYMENT_SYSTEM_NAMES'] = {
  Bkash: 'bKash',
  Rocket: 'Rocket',
  Nagad: 'Nagad',
  Bank: 'ব্যাংক',
  Other: 'অন্যান্য',
}
