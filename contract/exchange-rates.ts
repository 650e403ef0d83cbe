import * as z from 'zod/mini'
import { latinDigits } from './digits.ts'
import { endpoint } from './endpoint.ts'
import { Id, Inserted, line, Paging, Time, whole } from './shapes.ts'

const MICROS = 1_000_000n
const MESSAGE = 'Enter the taka for one dollar, like 121.50'

/** Returns a rate in millionths, exactly. */
function microsOf(rate: string): bigint {
  const [whole = '', fraction = ''] = rate.split('.')
  return BigInt(whole) * MICROS + BigInt(fraction.padEnd(6, '0'))
}

/**
 * Returns an amount in poisha at a rate, rounded half up to a whole poisha (docs/specification/exchange-rates.md).
 * The SQL function poisha_of has the same rule.
 */
export function poishaOf(cents: number, rate: string): number {
  return Number((BigInt(cents) * microsOf(rate) + MICROS / 2n) / MICROS)
}

/** Taka for one dollar as a decimal text with at most 6 decimals, because a JSON number would be inexact. */
export const Rate = z.string().check(
  z.overwrite(latinDigits),
  z.trim(),
  z.regex(/^\d{1,4}(\.\d{1,6})?$/, MESSAGE),
  z.refine((rate) => {
    if (!/^\d{1,4}(\.\d{1,6})?$/.test(rate)) return true
    const micros = microsOf(rate)
    return micros >= MICROS && micros <= 1000n * MICROS
  }, 'Enter a rate from 1 to 1000'),
)

export const ExchangeRate = z.object({
  _id: Id,
  currency: z.literal('BDT'),
  rate: z.string(),
  source: z.string(),
  enteredAt: Time,
  expiresAt: Time,
})
export type ExchangeRate = z.infer<typeof ExchangeRate>

export const EnteredRate = z.extend(ExchangeRate, { enteredBy: z.string() })
export type EnteredRate = z.infer<typeof EnteredRate>

/** `rate` is null while there is none or the newest has expired: payouts are then in dollars only. */
export const exchangeRate = endpoint({
  method: 'GET',
  path: '/exchange-rate',
  summary: 'The current rate from dollars to taka',
  access: { who: 'signed-in' },
  reply: z.object({ rate: z.nullable(ExchangeRate) }),
})

export const exchangeRates = endpoint({
  method: 'GET',
  path: '/exchange-rates',
  summary: 'Every exchange rate that was entered, newest first',
  access: { who: ['Admin'] },
  query: Paging,
  reply: z.array(EnteredRate),
})

/** The rate expires after `hours`. */
export const ExchangeRateEntry = z.object({
  rate: Rate,
  source: line(200, 'Enter where the rate is from'),
  hours: whole(1, 744),
})

export const enterExchangeRate = endpoint({
  method: 'POST',
  path: '/exchange-rates',
  summary: 'Enter the exchange rate of the following payouts',
  access: { who: ['Admin'], fresh: true },
  limit: { perUser: 60, perNetwork: 600 },
  body: ExchangeRateEntry,
  reply: Inserted,
  status: 201,
})
