import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { listPayoutBatches, type PayoutBatch } from '#contract/payouts.ts'
import { BatchStateBadge } from '#web/features/payouts/payout-status.tsx'
import { UserLink } from '#web/features/users/user-link.tsx'
import { formatDollars, pluralize } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** Renders the payout batches, newest first. */
export default function Payouts() {
  const query = useSuspenseInfiniteQuery(infiniteQueryOf(listPayoutBatches, {}))
  const batches = query.data.pages.flatMap((page) => page.reply)
  return (
    <Screen title="Payouts" subtitle="Batches of withdrawals that are paid together">
      {batches.length === 0 ? (
        <EmptyState
          title="No payout batches yet."
          action={
            <Link to="/dashboard/withdraw-request" className="link">
              Withdraw Request
            </Link>
          }
        >
          Select withdrawal requests and create a batch of them.
        </EmptyState>
      ) : (
        <>
          <ResponsiveList
            label="Payout batches, newest first"
            rows={batches}
            rowKey={({ _id }) => _id}
            columns={COLUMNS}
            renderCard={(batch) => (
              <div className="flex items-start justify-between gap-4 text-sm">
                <div className="min-w-0 space-y-1">
                  <BatchLink batch={batch} />
                  <p className="text-dim">
                    {progressOf(batch)} · <Creator batch={batch} />
                  </p>
                  <BatchStateBadge state={batch.state} />
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

const COLUMNS: Column<PayoutBatch>[] = [
  { header: 'Created', cell: (batch) => <BatchLink batch={batch} /> },
  { header: 'By', width: 'w-full', cell: (batch) => <Creator batch={batch} /> },
  { header: 'State', cell: ({ state }) => <BatchStateBadge state={state} /> },
  { header: 'Payouts', cell: (batch) => <span className="whitespace-nowrap">{progressOf(batch)}</span> },
  { header: 'Amount', align: 'right', cell: (batch) => <Amount batch={batch} /> },
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

/** Returns how many payouts a batch has and how many of them are settled. */
function progressOf({ counts }: PayoutBatch): string {
  const open = counts.queued + counts.sent + counts.unknown
  const settled = counts.confirmed + counts.failed
  const all = pluralize(open + settled, 'payout')
  return settled === 0 ? all : `${settled} of ${all} settled`
}
