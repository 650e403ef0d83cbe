import { t } from '@lingui/core/macro'
import { useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type EnteredRate, exchangeRate, exchangeRates } from '#contract/exchange-rates.ts'
import { formatTakaRate } from '#web/features/exchange-rates/format-taka-rate.ts'
import { RateForm } from '#web/features/exchange-rates/rate-form.tsx'
import { formatDateTime, formatTimeAgo } from '#web/lib/format-time.ts'
import { infiniteQueryOf, queryOf } from '#web/lib/queries.ts'
import { LoadMore } from '#web/ui/load-more.tsx'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

const COLUMNS: Column<EnteredRate>[] = [
  {
    header: t`Rate per dollar`,
    cell: ({ rate }) => <span className="font-number tabular-nums">{formatTakaRate(rate)}</span>,
  },
  { header: t`Source`, cell: ({ source }) => <span className="wrap-anywhere">{source}</span> },
  { header: t`Entered by`, cell: ({ enteredBy }) => enteredBy },
  { header: t`Entered`, cell: ({ enteredAt }) => formatDateTime(enteredAt), align: 'right' },
  { header: t`Valid until`, cell: ({ expiresAt }) => formatDateTime(expiresAt), align: 'right' },
]

/** Renders the current exchange rate, the form for a new one and the history. */
export default function ExchangeRateScreen() {
  const {
    data: { rate },
  } = useSuspenseQuery(queryOf(exchangeRate, {}))
  const query = useSuspenseInfiniteQuery(infiniteQueryOf(exchangeRates, {}))
  const history = query.data.pages.flatMap((page) => page.reply)
  const [expired] = history
  return (
    <Screen title={t`Exchange Rate`} subtitle={t`Taka for one dollar, for payouts in Bangladesh`}>
      <div className="grid grid-cols-1 items-start gap-5 @2xl:grid-cols-[minmax(0,1fr)_20rem]">
        <RateForm current={rate} />
        <section aria-labelledby="current-rate" className="card p-5 @max-2xl:order-first">
          <h2 id="current-rate" className="text-sm text-dim">
            {t`Current rate`}
          </h2>
          {rate === null && expired !== undefined ? (
            <>
              <p className="mt-1 flex flex-wrap items-center gap-3 text-title tabular-nums">
                {formatTakaRate(expired.rate)} <StatusBadge tone="error">{t`Expired`}</StatusBadge>
              </p>
              <p className="text-sm">
                {t`This rate expired ${{ time: formatDateTime(expired.expiresAt) }}. Payout batches cannot be released until you enter a new rate. Single payments are recorded in dollars, without an amount in taka.`}
              </p>
            </>
          ) : rate === null ? (
            <>
              <p className="mt-1 text-title">{t`None`}</p>
              <p className="text-sm text-dim">{t`Payouts are shown and released in dollars only.`}</p>
            </>
          ) : (
            <>
              <p className="mt-1 flex flex-wrap items-center gap-3 text-title tabular-nums">
                {formatTakaRate(rate.rate)} <StatusBadge tone="success">{t`Valid`}</StatusBadge>
              </p>
              <p className="text-sm wrap-anywhere text-dim">{rate.source}</p>
              <p className="mt-4 border-t border-line pt-4 text-xs text-dim">
                {t`Entered ${{ ago: formatTimeAgo(rate.enteredAt) }}, valid until ${{ time: formatDateTime(rate.expiresAt) }}. A payout batch keeps the rate at its release.`}
              </p>
            </>
          )}
        </section>
      </div>
      <section aria-labelledby="rates" className="mt-8">
        <h2 id="rates" className="mb-3 text-lg">
          {t`History`}
        </h2>
        {history.length === 0 ? (
          <p className="card p-5 text-sm text-dim">{t`No rate has been entered yet.`}</p>
        ) : (
          <ResponsiveList
            label={t`Exchange rates`}
            rows={history}
            rowKey={({ _id }) => _id}
            columns={COLUMNS}
            renderCard={(one) => (
              <div className="space-y-1 text-sm">
                <p className="font-number tabular-nums">{formatTakaRate(one.rate)}</p>
                <p className="wrap-anywhere">{one.source}</p>
                <p className="text-dim">
                  {t`${{ name: one.enteredBy }}, ${{ time: formatDateTime(one.enteredAt) }}. Valid until ${{ end: formatDateTime(one.expiresAt) }}`}
                </p>
              </div>
            )}
          />
        )}
        <LoadMore query={query} />
      </section>
    </Screen>
  )
}
