import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { batchAgreementSummary } from '#contract/batch-agreement.ts'
import { formatPercent, percentOf } from '#web/lib/dashboard-format.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatTimeAgo } from '#web/lib/format-time.ts'
import { queryOf } from '#web/lib/queries.ts'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import { StatList, StatRow } from '#web/ui/stat-list.tsx'

/** Renders how far the answers to each question with options agree. Nothing before two workers answered an item. */
export function AgreementSummary({ batchId }: { batchId: string }) {
  const { data, isLoading } = useQuery({
    ...queryOf(batchAgreementSummary, { params: { id: batchId } }),
    staleTime: 0,
  })
  if (isLoading) return <ListSkeleton rows={1} />
  const questions = data?.questions.filter(({ items }) => items > 0) ?? []
  if (data === undefined || data.computedAt === null || questions.length === 0) return null
  return (
    <section aria-label={t`Agreement`} className="card p-5 sm:p-6">
      <h2 className="text-lg">{t`Agreement`}</h2>
      <p className="mt-1 text-sm text-dim">
        {t`Items with two answers or more, computed ${{ time: formatTimeAgo(data.computedAt) }}`}
      </p>
      <div className="mt-3 grid gap-x-8 gap-y-5 lg:grid-cols-2">
        {questions.map(({ name, label, items, unanimous, tied, share }) => (
          <div key={name} className="min-w-0">
            <h3 className="text-base wrap-anywhere">{label}</h3>
            <StatList>
              <StatRow name={t`Items`}>{formatNumber(items)}</StatRow>
              <StatRow
                name={t`All agree`}
              >{`${formatNumber(unanimous)} (${formatPercent(percentOf(unanimous, items))})`}</StatRow>
              <StatRow name={t`No majority`}>{formatNumber(tied)}</StatRow>
              <StatRow name={t`Mean share of the majority`}>{formatPercent(percentOf(share, 1))}</StatRow>
            </StatList>
          </div>
        ))}
      </div>
    </section>
  )
}
