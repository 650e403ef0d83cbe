import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { SUBMISSIONS_PAGE } from '#contract/product.ts'
import type { SubmissionStatus } from '#contract/submission-states.ts'
import * as contract from '#contract/submissions.ts'
import { mySubmissions, type Submission } from '#contract/submissions.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { StateDetails } from '#web/features/submissions/state-details.tsx'
import { SubmissionStateBadge } from '#web/features/submissions/submission-status.tsx'
import { TaskPicture } from '#web/features/tasks/task-picture.tsx'
import { errorMessage } from '#web/lib/api.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { queryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FilterLinks } from '#web/ui/filter-links.tsx'
import { Pagination, usePageIndex } from '#web/ui/pagination.tsx'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Worker'] }

const STATUS_OPTIONS = [
  { value: '', label: 'All' },
  { value: 'pending', label: 'Pending' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
]

/**
 * Renders a worker's own submissions, five per page. Rejected ones show their reason. Each links to its case, which stays when the task
 * is deleted.
 */
export default function MySubmisson() {
  const { email } = useUserData()
  const [search] = useSearchParams()
  const [page, setPage] = usePageIndex()
  const status = contract.SubmissionStatus.safeParse(search.get('status')).data
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...queryOf(mySubmissions, {
      params: { email },
      query: { page: String(page), limit: String(SUBMISSIONS_PAGE), status: status ?? 'all' },
    }),
    placeholderData: keepPreviousData,
  })

  return (
    <Screen title="My Submisson" subtitle="Your submitted work, newest first">
      <div className="mb-5">
        <FilterLinks label="Filter by status" name="status" options={STATUS_OPTIONS} />
      </div>
      {data === undefined ? (
        error ? (
          <ErrorState message={errorMessage(error)} retry={() => void refetch()} />
        ) : (
          <ListSkeleton rows={SUBMISSIONS_PAGE} />
        )
      ) : data.tasks.length === 0 ? (
        <NoSubmissions status={status} beyond={data.totalTasks > 0 ? () => setPage(0) : undefined} />
      ) : (
        <div className={isPlaceholderData ? 'opacity-60 transition-opacity' : ''}>
          <ResponsiveList
            label="Your submissions, newest first"
            rows={data.tasks}
            rowKey={(submission) => submission._id}
            columns={COLUMNS}
            renderCard={(submission) => <SubmissionCard submission={submission} />}
          />
          <Pagination
            index={page}
            pageCount={Math.ceil(data.totalTasks / SUBMISSIONS_PAGE)}
            setIndex={setPage}
          />
        </div>
      )}
    </Screen>
  )
}

function NoSubmissions({
  status,
  beyond,
}: {
  status: SubmissionStatus | undefined
  beyond: (() => void) | undefined
}) {
  if (beyond) {
    return (
      <EmptyState title="This page is empty" action={<Button onClick={beyond}>Go to the first page</Button>}>
        There are no submissions on this page.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title={status ? `No ${status} submissions found.` : 'No submissions found.'}
      action={
        <Button component={Link} to="/dashboard/available-task">
          Find a task
        </Button>
      }
    >
      {status === 'rejected'
        ? 'None of your work has been rejected.'
        : 'Pick a task and submit your work. You can follow its status here.'}
    </EmptyState>
  )
}

const COLUMNS: Column<Submission>[] = [
  {
    header: 'Task',
    width: 'min-w-64',
    cell: (submission) => (
      <div className="flex items-start gap-3">
        <TaskPicture image={submission.taskImg} category={submission.taskCategory} />
        <div className="min-w-0">
          <Link
            to={`/dashboard/case/${submission._id}`}
            className="line-clamp-2 text-base leading-snug font-number no-underline hover:underline"
          >
            {submission.task_title}
          </Link>
          <span className="mt-0.5 line-clamp-1 text-dim">{submission.submissoin_data}</span>
          <StateDetails submission={submission} viewer="worker" />
        </div>
      </div>
    ),
  },
  { header: 'Buyer', width: 'min-w-32', cell: ({ buyer_name }) => buyer_name },
  {
    header: 'Submitted',
    cell: ({ createdAt }) => <span className="whitespace-nowrap">{formatDateTime(createdAt)}</span>,
  },
  { header: 'Status', cell: ({ state }) => <SubmissionStateBadge state={state} /> },
  { header: 'Pay', align: 'right', cell: ({ payable_amount }) => <CoinAmount value={payable_amount} /> },
]

function SubmissionCard({ submission }: { submission: Submission }) {
  return (
    <article>
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 text-base leading-snug font-number tracking-normal">
          <Link
            to={`/dashboard/case/${submission._id}`}
            className="line-clamp-2 no-underline hover:underline"
          >
            {submission.task_title}
          </Link>
        </h2>
        <CoinAmount value={submission.payable_amount} />
      </div>
      <p className="line-clamp-1 text-sm text-dim">{submission.submissoin_data}</p>
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-dim">
        <SubmissionStateBadge state={submission.state} />
        <span>{submission.buyer_name}</span>
        <span>{formatDateTime(submission.createdAt)}</span>
      </div>
      <StateDetails submission={submission} viewer="worker" />
    </article>
  )
}
