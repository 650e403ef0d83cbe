import { Link } from 'react-router'
import type { PartOf } from '#contract/endpoint.ts'
import type { adminStats } from '#contract/stats.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

type Books = PartOf<typeof adminStats, 'reply'>['books']

/** Where every coin is, and that they add up to what was given and bought. */
export function CoinDistribution({ heldByUsers, books }: { heldByUsers: number; books: Books }) {
  const balanced = books.difference === 0
  return (
    <section className="card p-5" aria-labelledby="coin-map">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 id="coin-map" className="text-lg">
          Where the coins are
        </h2>
        <StatusBadge tone={balanced ? 'success' : 'error'}>
          {balanced ? 'Books balance' : `Off by ${books.difference}`}
        </StatusBadge>
      </div>
      <StatList>
        <StatRow name="With people">
          <CoinAmount value={heldByUsers} />
        </StatRow>
        <StatRow name="In escrow for tasks">
          <CoinAmount value={books.inEscrow} />
        </StatRow>
        <StatRow name="On hold for withdrawals">
          <CoinAmount value={books.onHold} />
        </StatRow>
        <StatRow name="Paid out">
          <CoinAmount value={books.paidOut} />
        </StatRow>
        <StatRow name="Back with the house">
          <CoinAmount value={books.sweptToHouse} />
        </StatRow>
        <StatRow name="Given at sign-up" strong>
          <CoinAmount value={books.issuedAsBonus} />
        </StatRow>
        <StatRow name="Bought by card" strong>
          <CoinAmount value={books.boughtByCard} />
        </StatRow>
        {books.debts > 0 && (
          <StatRow name="Owed after card refunds">
            <CoinAmount value={books.debts} />
          </StatRow>
        )}
      </StatList>
      <p className="mt-3 text-sm">
        <Link to="/dashboard/books" className="link">
          See the whole audit
        </Link>
      </p>
    </section>
  )
}
