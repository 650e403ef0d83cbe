import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { exchangeRate, poishaOf } from '#contract/exchange-rates.ts'
import { formatCents, formatTaka } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { formatTakaRate } from './format-taka-rate.ts'

/** Renders an amount in dollars and in taka at the current rate; nothing while there is no rate. */
export function TakaEstimate({ cents }: { cents: number }) {
  const { data } = useQuery(queryOf(exchangeRate, {}))
  const rate = data?.rate
  if (!rate) return null
  const { source } = rate
  const dollars = formatCents(cents)
  const taka = formatTaka(poishaOf(cents, rate.rate))
  const price = formatTakaRate(rate.rate)
  const time = formatDateTime(rate.expiresAt)
  return (
    <p className="text-sm text-dim">
      <Trans>
        {dollars} is about <strong className="font-number text-ink tabular-nums">{taka}</strong> at {price}{' '}
        per dollar ({source}, valid until {time}). The rate is fixed when an Admin releases your payout. No
        fee is deducted.
      </Trans>
    </p>
  )
}
