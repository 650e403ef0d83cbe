import type { EnteredRate } from '#contract/exchange-rates.ts'
import type { ExchangeRateRow } from './queries.ts'

export function presentRate(row: ExchangeRateRow): EnteredRate {
  return {
    _id: row.id,
    currency: 'BDT',
    rate: row.rate.replace(/\.?0+$/, ''),
    source: row.source,
    enteredAt: row.entered_at,
    expiresAt: row.expires_at,
    enteredBy: row.admin_name,
  }
}
