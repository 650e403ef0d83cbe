import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import type { PartOf } from '#contract/endpoint.ts'
import type { adminStats } from '#contract/stats.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

type Books = PartOf<typeof adminStats, 'reply'>['books']

/** Renders the balances that all coins are in, and whether they add up to the coins issued and purchased. */
export function CoinDistribution({ heldByUsers, books }: { heldByUsers: number; books: Books }) {
  const balanced = books.difference === 0
  return (
    <section className="card p-5" aria-labelledby="coin-map">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 id="coin-map" className="text-lg">{t`Coin distribution`}</h2>
        <StatusBadge tone={balanced ? 'success' : 'error'}>
          {balanced ? t`Books balance` : t`Difference: ${{ coins: formatNumber(books.difference) }}`}
        </StatusBadge>
      </div>
      <StatList>
        <StatRow name={t`Held by users`}>
          <CoinAmount value={heldByUsers} />
        </StatRow>
        <StatRow name={t`In escrow for tasks`}>
          <CoinAmount value={books.inEscrow} />
        </StatRow>
        <StatRow name={t`On hold for withdrawals`}>
          <CoinAmount value={books.onHold} />
        </StatRow>
        <StatRow name={t`Paid out`}>
          <CoinAmount value={books.paidOut} />
        </StatRow>
        <StatRow name={t`Returned to the platform`}>
          <CoinAmount value={books.sweptToHouse} />
        </StatRow>
        <StatRow name={t`Starting coins`} strong>
          <CoinAmount value={books.issuedAsBonus} />
        </StatRow>
        <StatRow name={t`Purchased by card`} strong>
          <CoinAmount value={books.boughtByCard} />
        </StatRow>
        {books.debts > 0 && (
          <StatRow name={t`Debts from card refunds`}>
            <CoinAmount value={books.debts} />
          </StatRow>
        )}
      </StatList>
      <p className="mt-3 text-sm">
        <Link to="/dashboard/books" className="link">{t`View full audit`}</Link>
      </p>
    </section>
  )
}
