import { t } from '@lingui/core/macro'
import type { PartOf } from '#contract/endpoint.ts'
import type { adminStats } from '#contract/stats.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { LossWarning } from '#web/features/operator-settings/package-margins.tsx'
import { useWithdrawalRate } from '#web/features/site/site.ts'
import { formatCents, formatRate } from '#web/lib/format.ts'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'

type SolvencyStats = PartOf<typeof adminStats, 'reply'>['solvency']

/** Renders the value of all coins at the withdrawal rate against the cash received (docs/specification/statistics.md). */
export function Solvency({ solvency }: { solvency: SolvencyStats }) {
  const rate = useWithdrawalRate()
  const covered = solvency.coverCents >= 0
  return (
    <section className="card p-5" aria-labelledby="solvency">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 id="solvency" className="text-lg">{t`Solvency`}</h2>
        <StatusBadge tone={covered ? 'success' : 'error'}>
          {covered ? t`Covered` : t`Not covered`}
        </StatusBadge>
      </div>
      <StatList>
        <StatRow name={t`Coins outstanding`}>
          <CoinAmount value={solvency.coinsOutstanding} />
        </StatRow>
        <StatRow name={t`Owed at ${{ rate: formatRate(rate) }}`}>{formatCents(solvency.owedCents)}</StatRow>
        <StatRow name={t`Received by card`}>{formatCents(solvency.receivedCents)}</StatRow>
        {solvency.unmatchedCents !== 0 && (
          <StatRow name={t`Of these, neither credited nor refunded`}>
            {formatCents(solvency.unmatchedCents)}
          </StatRow>
        )}
        {solvency.feeCents !== 0 && (
          <StatRow name={t`Card and dispute fees`}>{formatCents(solvency.feeCents)}</StatRow>
        )}
        {solvency.taxCents !== 0 && <StatRow name={t`Tax owed`}>{formatCents(solvency.taxCents)}</StatRow>}
        <StatRow name={t`Paid out`}>{formatCents(solvency.paidOutCents)}</StatRow>
        <StatRow name={covered ? t`Surplus` : t`Shortfall`} strong>
          <span className={covered ? '' : 'text-danger'}>{formatCents(Math.abs(solvency.coverCents))}</span>
        </StatRow>
      </StatList>
      <div className="mt-4">
        <LossWarning />
      </div>
      <p className="text-xs text-dim">{t`Starting coins are free. Check the source of the coins before you pay a withdrawal.`}</p>
    </section>
  )
}
