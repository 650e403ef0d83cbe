import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { PAYOUTS_PER_BATCH_MAX } from '#contract/payouts.ts'
import { pendingWithdrawals, WithdrawalStatus, withdrawalRequestsFile } from '#contract/withdrawals.ts'
import { PayoutBatchSelection } from '#web/features/payouts/payout-batch-selection.tsx'
import { useWithdrawalDecisions } from '#web/features/withdrawals/use-withdrawal-decisions.ts'
import { isSelectable, WithdrawalRequestRow } from '#web/features/withdrawals/withdrawal-request-row.tsx'
import { download } from '#web/lib/api.ts'
import { infiniteQueryOf, keepPreviousRows } from '#web/lib/queries.ts'
import { useSearchParams } from '#web/lib/search-params.ts'
import { useUserData } from '#web/lib/session.tsx'
import { DownloadButton } from '#web/ui/download-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterLinks } from '#web/ui/filter-links.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { RowList } from '#web/ui/row-list.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { SearchInput, useSearchQuery } from '#web/ui/search-input.tsx'
import { GridSkeleton } from '#web/ui/skeleton.tsx'
import { useRowSelection } from '#web/ui/use-row-selection.ts'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

const STATUS_OPTIONS = [
  { value: '', label: t`Pending` },
  { value: 'approved', label: t`Paid` },
  { value: 'declined', label: t`Declined` },
  { value: 'cancelled', label: t`Cancelled` },
]

/** Renders withdrawal requests, oldest first. An Admin checks the source of the coins, pays, then marks as paid. */
export default function WithdrawRequest() {
  const [search] = useSearchParams()
  const status = WithdrawalStatus.safeParse(search.get('status')).data ?? 'pending'
  const [q, setQuery] = useSearchQuery()
  const query = useInfiniteQuery({
    ...infiniteQueryOf(pendingWithdrawals, { query: { status, q: q || undefined } }),
    placeholderData: keepPreviousRows,
  })
  const actions = useWithdrawalDecisions()
  const requests = query.data?.pages.flatMap((page) => page.reply)
  const { _id: viewerId } = useUserData()
  const selection = useRowSelection(
    requests?.filter((request) => isSelectable(request, viewerId)) ?? [],
    PAYOUTS_PER_BATCH_MAX,
  )

  return (
    <Screen
      title={t`Withdraw Request`}
      subtitle={t`Send the payment, then mark it as paid`}
      action={
        <DownloadButton
          label={t`Download CSV`}
          fileName={`withdrawal-requests-${status}.csv`}
          isDated
          load={() => download(withdrawalRequestsFile, { query: { status, q: q || undefined } })}
          failure={t`Could not download the requests`}
        />
      }
    >
      <search className="filter-row">
        <FilterLinks label={t`Filter by status`} name="status" options={STATUS_OPTIONS} />
        <SearchInput label={t`Search by name or email`} value={q} onChange={setQuery} />
      </search>
      {requests === undefined ? (
        <QueryState query={query} skeleton={<GridSkeleton cards={2} height="h-72" />} />
      ) : requests.length === 0 ? (
        <EmptyState
          title={status === 'pending' ? t`No pending requests found.` : t`No requests found.`}
          action={
            q !== '' && (
              <Button variant="default" onClick={() => setQuery('')}>
                {t`Show all`}
              </Button>
            )
          }
        >
          {q === '' ? t`Withdrawal requests of workers appear here.` : t`No requests match your search.`}
        </EmptyState>
      ) : (
        <>
          <PayoutBatchSelection selection={selection} />
          <RowList aria-label={t`Withdrawal requests`} className="card divide-y divide-line">
            {requests.map((request) => (
              <li key={request._id}>
                <WithdrawalRequestRow
                  request={request}
                  viewerId={viewerId}
                  busy={actions.pendingRequestId === request._id}
                  selected={selection.has(request)}
                  select={(isSelected) => selection.select(request, isSelected)}
                  actions={actions}
                />
              </li>
            ))}
          </RowList>
          <LoadMore query={query} />
        </>
      )}
    </Screen>
  )
}
