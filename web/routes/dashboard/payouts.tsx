import { plural, t } from '@lingui/core/macro'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import {
  listPayoutBatches,
  type PayoutBatch,
  PayoutBatchFilter,
  payoutBatchesFile,
  payoutBatchTotals,
} from '#contract/payouts.ts'
import { PAYOUT_BATCH_STATE_OPTIONS, PayoutBatchStateBadge } from '#web/features/payouts/payout-state.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { download, type Reply } from '#web/lib/api.ts'
import { formatDollars, formatNumber } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { infiniteQueryOf, keepPreviousRows, queryOf } from '#web/lib/queries.ts'
import { useSearchParams, withParam } from '#web/lib/search-params.ts'
import { type DataColumn, DataTable } from '#web/ui/data-table.tsx'
import { DayRange } from '#web/ui/day-range.tsx'
import { DownloadButton } from '#web/ui/download-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** Renders the payout batches, newest first. */
export default function Payouts() {
  const [search, setSearch] = useSearchParams()
  const parameter = (name: string) => search.get(name) || undefined
  const { shape } = PayoutBatchFilter
  const filter = {
    state: shape.state.safeParse(parameter('state')).data,
    from: shape.from.safeParse(parameter('from')).data,
    to: shape.to.safeParse(parameter('to')).data,
  }
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const set = (name: string) => (value: string) =>
    setSearch((current) => withParam(current, name, value), { replace: true, preventScrollReset: true })
  const query = useInfiniteQuery({
    ...infiniteQueryOf(listPayoutBatches, { query: filter }),
    placeholderData: keepPreviousRows,
  })
  const totals = useQuery({
    ...queryOf(payoutBatchTotals, { query: filter }),
    placeholderData: keepPreviousData,
  }).data
  const batches = query.data?.pages.flatMap((page) => page.reply)
  return (
    <Screen
      title={t`Payouts`}
      subtitle={totals === undefined ? t`Withdrawals that are paid together` : totalsText(totals)}
      action={
        <DownloadButton
          label={t`Download CSV`}
          fileName="payout-batches.csv"
          isDated
          load={() => download(payoutBatchesFile, { query: filter })}
          failure={t`Could not download the payout batches`}
        />
      }
    >
      <div className="mb-5 flex flex-wrap items-center gap-3">
        <NativeSelect
          label={t`Filter by state`}
          className="w-full sm:w-56"
          data={[{ value: '', label: t`All states` }, ...PAYOUT_BATCH_STATE_OPTIONS]}
          value={filter.state ?? ''}
          onChange={set('state')}
        />
        <DayRange from={filter.from} to={filter.to} set={set} />
      </div>
      {batches === undefined ? (
        <QueryState query={query} skeleton={<ListSkeleton rows={8} />} />
      ) : batches.length === 0 && isFiltered ? (
        <EmptyState title={t`No payout batches found.`}>{t`No payout batches match your filter.`}</EmptyState>
      ) : batches.length === 0 ? (
        <EmptyState
          title={t`No payout batches yet.`}
          action={
            <Link to="/dashboard/withdraw-request" className="link">
              {t`Withdraw Request`}
            </Link>
          }
        >
          {t`Select withdrawal requests and create a payout batch of them.`}
        </EmptyState>
      ) : (
        <>
          <DataTable
            label={t`Payout batches, newest first`}
            rows={batches}
            rowKey={({ _id }) => _id}
            columns={COLUMNS}
            renderCard={(batch) => (
              <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 text-sm">
                <div className="min-w-0 flex-1 basis-40 space-y-1">
                  <BatchLink batch={batch} />
                  <p className="text-dim">
                    {progressOf(batch)} · <Creator batch={batch} />
                  </p>
                  <PayoutBatchStateBadge state={batch.state} />
                </div>
                <Amount batch={batch} />
              </div>
            )}
          />
          <LoadMore query={query} />
        </>
      )}
    </Screen>
  )
}

const COLUMNS: DataColumn<PayoutBatch>[] = [
  { header: t`Created`, cell: (batch) => <BatchLink batch={batch} /> },
  { header: t`By`, width: 'w-full', cell: (batch) => <Creator batch={batch} /> },
  { header: t`State`, cell: ({ state }) => <PayoutBatchStateBadge state={state} /> },
  { header: t`Payouts`, cell: (batch) => <span className="whitespace-nowrap">{progressOf(batch)}</span> },
  { header: t`Amount`, align: 'right', cell: (batch) => <Amount batch={batch} /> },
]

function BatchLink({ batch: { _id, createdAt } }: { batch: PayoutBatch }) {
  return (
    <Link to={`/dashboard/payouts/${_id}`} className="link whitespace-nowrap">
      {formatDateTime(createdAt)}
    </Link>
  )
}

function Creator({ batch: { createdBy } }: { batch: PayoutBatch }) {
  return createdBy && <UserLink id={createdBy._id} name={createdBy.name} />
}

function Amount({ batch: { cents } }: { batch: PayoutBatch }) {
  return <span className="font-number whitespace-nowrap tabular-nums">{formatDollars(cents / 100)}</span>
}

function totalsText({ batches, payouts, cents }: Reply<typeof payoutBatchTotals>): string {
  return [
    plural(batches, { one: '# payout batch', other: '# payout batches' }),
    plural(payouts, { one: '# payout', other: '# payouts' }),
    formatDollars(cents / 100),
  ].join(' · ')
}

/** Returns how many payouts a batch has and how many of them are settled. */
function progressOf({ counts }: PayoutBatch): string {
  const open = counts.queued + counts.sent + counts.unknown
  const settled = counts.confirmed + counts.failed
  const all = open + settled
  return settled === 0
    ? plural(all, { one: '# payout', other: '# payouts' })
    : t`${{ settled: formatNumber(settled) }} of ${plural(all, { one: '# payout', other: '# payouts' })} settled`
}
