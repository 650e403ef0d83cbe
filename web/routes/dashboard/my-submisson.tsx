import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { SUBMISSIONS_PAGE } from '#contract/product.ts'
import {
  STATE_RULES,
  SUBMISSION_STATES,
  type SubmissionState,
  type SubmissionStatus,
} from '#contract/submission-states.ts'
import { mySubmissionCounts, mySubmissions, type Submission } from '#contract/submissions.ts'
import { ItemOfRow } from '#web/features/batches/item-of-row.tsx'
import { workOf } from '#web/features/batches/work-of.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { DeviceOffer } from '#web/features/push/device-offer.tsx'
import { CaseLink, StateDetails } from '#web/features/submissions/state-details.tsx'
import { SubmissionStateBadge } from '#web/features/submissions/submission-state.tsx'
import { TaskPicture } from '#web/features/tasks/task-picture.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { formatDateTime } from '#web/lib/format-time.ts'
import { usePreference } from '#web/lib/preference.ts'
import { queryOf } from '#web/lib/queries.ts'
import { paramOf, useSearchParams, withParam } from '#web/lib/search-params.ts'
import { useUserData } from '#web/lib/session.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterLinks } from '#web/ui/filter-links.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { Pagination, usePageIndex } from '#web/ui/pagination.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { SearchInput, useSearchQuery } from '#web/ui/search-input.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Worker'] }

/** Each filter counts its states. Those that need no attention most of the time are listed while they have any. */
const STATUSES: readonly SubmissionStatus[] = ['pending', 'approved', 'rejected']
const FILTERS: { value: SubmissionStatus | SubmissionState | ''; word: string; always?: true }[] = [
  { value: '', word: t`All`, always: true },
  { value: 'pending', word: t`Pending`, always: true },
  { value: 'revision_requested', word: t`Revision requested` },
  { value: 'approved', word: t`Approved`, always: true },
  { value: 'rejected', word: t`Rejected`, always: true },
  { value: 'rejection_open', word: t`Can be appealed` },
  { value: 'appealed', word: t`Appealed` },
  { value: 'in_review', word: t`With a reviewer` },
]
/** The specified page has five rows (docs/specification/screens.md#my-submissions). */
const ROWS_PER_PAGE = [String(SUBMISSIONS_PAGE) as '5', '20', '50'] as const

const countsIn = (value: string, state: SubmissionState) =>
  value === '' || value === state || STATE_RULES[state].status === value

/**
 * Renders a worker's own submissions, five per page unless they choose more. Rejected ones show their reason. Each links to its
 * case.
 */
export default function MySubmisson() {
  const { _id: userId, email } = useUserData()
  const [search, setSearch] = useSearchParams()
  const [page, setPage] = usePageIndex()
  const [q] = useSearchQuery()
  const setQuery = (value: string) =>
    setSearch((current) => withParam(withParam(current, 'page', ''), 'q', value), {
      replace: true,
      preventScrollReset: true,
    })
  const [rowsPerPage, setRowsPerPage] = usePreference('submissions-per-page', ROWS_PER_PAGE)
  const status = paramOf(search, 'status', STATUSES)
  const state = status === undefined ? paramOf(search, 'status', SUBMISSION_STATES) : undefined
  const query = useQuery({
    ...queryOf(mySubmissions, {
      params: { email },
      query: {
        page: String(page),
        limit: rowsPerPage,
        ...(state ? { state } : { status: status ?? 'all' }),
        q: q || undefined,
      },
    }),
    // A list without rows says nothing about the next filter.
    placeholderData: (previous) => (previous?.tasks.length ? previous : undefined),
  })
  const { data } = query
  const counts = useQuery({ ...queryOf(mySubmissionCounts, {}), placeholderData: keepPreviousData }).data
  const options = FILTERS.map(({ value, word, always }) => {
    const count = counts
      ?.filter((counted) => countsIn(value, counted.state))
      .reduce((sum, counted) => sum + counted.count, 0)
    const isListed = always || (count ?? 0) > 0 || value === state
    return { value, label: count === undefined ? word : `${word} ${formatNumber(count)}`, isListed }
  }).filter(({ isListed }) => isListed)

  return (
    <Screen title={t`My Submisson`} subtitle={t`Your submitted work, newest first`}>
      {counts?.some(({ state, count }) => state === 'pending' && count > 0) && (
        <DeviceOffer userId={userId} />
      )}
      <search className="filter-row">
        <FilterLinks label={t`Filter by status`} name="status" options={options} />
        <SearchInput label={t`Search by task`} value={q} onChange={setQuery} />
      </search>
      {data === undefined ? (
        <QueryState query={query} skeleton={<ListSkeleton rows={SUBMISSIONS_PAGE} />} />
      ) : data.tasks.length === 0 ? (
        <NoSubmissions
          status={status}
          filtered={q !== '' || state !== undefined}
          beyond={data.totalTasks > 0 ? () => setPage(0) : undefined}
        />
      ) : (
        <div className={query.isPlaceholderData ? 'opacity-60 transition-opacity' : ''}>
          <ResponsiveList
            label={t`Your submissions, newest first`}
            rows={data.tasks}
            rowKey={(submission) => submission._id}
            columns={COLUMNS}
            renderCard={(submission) => <SubmissionCard submission={submission} />}
          />
          {data.totalTasks > SUBMISSIONS_PAGE && (
            <div className="flex flex-wrap items-end justify-center gap-x-6">
              <Pagination
                index={page}
                pageCount={Math.ceil(data.totalTasks / Number(rowsPerPage))}
                setIndex={setPage}
              />
              <NativeSelect
                className="mt-6"
                label={t`Rows per page`}
                data={ROWS_PER_PAGE.map((value) => ({
                  value,
                  label: t`${{ rows: formatNumber(Number(value)) }} per page`,
                }))}
                value={rowsPerPage}
                onChange={(value) => {
                  setRowsPerPage(value as typeof rowsPerPage)
                  setPage(0)
                }}
              />
            </div>
          )}
        </div>
      )}
    </Screen>
  )
}

const NONE_FOUND: Record<SubmissionStatus, string> = {
  pending: t`No pending submissions found.`,
  approved: t`No approved submissions found.`,
  rejected: t`No rejected submissions found.`,
}

function NoSubmissions({
  status,
  filtered,
  beyond,
}: {
  status: SubmissionStatus | undefined
  filtered: boolean
  beyond: (() => void) | undefined
}) {
  if (beyond) {
    return (
      <EmptyState
        title={t`This page is empty`}
        action={<Button onClick={beyond}>{t`Go to the first page`}</Button>}
      >
        {t`There are no submissions on this page.`}
      </EmptyState>
    )
  }
  if (filtered) {
    return (
      <EmptyState
        title={t`No submissions found.`}
        action={
          <Button component={Link} to="/dashboard/my-submisson" variant="default">
            {t`Show all submissions`}
          </Button>
        }
      >
        {t`No submissions match your search.`}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title={status ? NONE_FOUND[status] : t`No submissions found.`}
      action={<Button component={Link} to="/dashboard/available-task">{t`Find a task`}</Button>}
    >
      {status === 'rejected'
        ? t`None of your work has been rejected.`
        : t`Pick a task and submit your work. You can follow its status here.`}
    </EmptyState>
  )
}

const COLUMNS: Column<Submission>[] = [
  {
    header: t`Task`,
    width: 'min-w-64',
    cell: (submission) => (
      <div className="flex items-start gap-3">
        <TaskPicture image={submission.taskImg} category={submission.taskCategory} />
        <div className="min-w-0">
          <CaseLink submission={submission} />
          <span className="line-clamp-1 text-dim">{workOf(submission)}</span>
          <ItemOfRow submission={submission} />
          <StateDetails submission={submission} viewer="worker" />
        </div>
      </div>
    ),
  },
  { header: t`Buyer`, width: 'min-w-32', cell: ({ buyer_name }) => buyer_name },
  {
    header: t`Submitted`,
    cell: ({ createdAt }) => <span className="whitespace-nowrap">{formatDateTime(createdAt)}</span>,
  },
  { header: t`Status`, cell: ({ state }) => <SubmissionStateBadge state={state} /> },
  { header: t`Pay`, align: 'right', cell: ({ payable_amount }) => <CoinAmount value={payable_amount} /> },
]

function SubmissionCard({ submission }: { submission: Submission }) {
  return (
    <article>
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 text-base leading-snug font-number tracking-normal">
          <CaseLink submission={submission} />
        </h2>
        <CoinAmount value={submission.payable_amount} />
      </div>
      <p className="line-clamp-1 text-sm text-dim">{workOf(submission)}</p>
      <ItemOfRow submission={submission} />
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-dim">
        <SubmissionStateBadge state={submission.state} />
        <span>{submission.buyer_name}</span>
        <span>{formatDateTime(submission.createdAt)}</span>
      </div>
      <StateDetails submission={submission} viewer="worker" />
    </article>
  )
}
