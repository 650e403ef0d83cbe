import { useQuery } from '@tanstack/react-query'
import { exchangeRate, poishaOf } from '#contract/exchange-rates.ts'
import { formatCents, formatTaka } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'

/** Renders an amount in dollars and in taka at the current rate; nothing while there is no rate. */
export function TakaEstimate({ cents }: { cents: number }) {
  const { data } = useQuery(queryOf(exchangeRate, {}))
  const rate = data?.rate
  if (!rate) return null
  return (
    <p className="text-sm text-dim">
      {formatCents(cents)} is about{' '}
      <strong className="font-number text-ink tabular-nums">{formatTaka(poishaOf(cents, rate.rate))}</strong>{' '}
      at ৳{rate.rate} for $1 ({rate.source}, valid until {formatDateTime(rate.expiresAt)}). The rate is fixed
      when an admin releases your payout. No fee is deducted.
    </p>
  )
}
