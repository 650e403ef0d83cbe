import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Submission, taskToReview } from '#contract/submissions.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { ReviewLinks } from '#web/features/review/review-links.tsx'
import { CaseLink } from '#web/features/submissions/state-details.tsx'
import { BuyerNextStep } from '#web/features/tasks/buyer-next-step.tsx'
import { TaskPicture } from '#web/features/tasks/task-picture.tsx'
import { formatDateTime } from '#web/lib/format-time.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Worker', 'Buyer'] }

/** Renders approved submissions: a worker's own, or those on a buyer's tasks. */
export default function ApprovedTask() {
  const { email, role } = useUserData()
  const query = useSuspenseInfiniteQuery(
    infiniteQueryOf(taskToReview, { query: { email, role, status: 'approved' } }),
  )
  const submissions = query.data.pages.flatMap((page) => page.reply)
  const isWorker = role === 'Worker'
  return (
    <Screen
      title={isWorker ? t`My Approved Task` : t`Approved submissions`}
      subtitle={isWorker ? t`Work you were paid for` : t`Work you approved and paid for`}
    >
      {!isWorker && <ReviewLinks />}
      {submissions.length === 0 ? (
        <EmptyState
          title={t`No approved submissions found.`}
          action={
            isWorker ? (
              <Button component={Link} to="/dashboard/available-task">{t`Find a task`}</Button>
            ) : (
              <BuyerNextStep />
            )
          }
        >
          {isWorker
            ? t`Work appears here when the buyer approves it.`
            : t`Work appears here when you approve it.`}
        </EmptyState>
      ) : (
        <>
          <ResponsiveList
            label={t`Approved submissions, newest first`}
            rows={submissions}
            rowKey={(submission) => submission._id}
            columns={columnsFor(isWorker)}
            renderCard={(submission) => <SubmissionCard submission={submission} isWorker={isWorker} />}
          />
          <LoadMore query={query} />
        </>
      )}
    </Screen>
  )
}

function columnsFor(isWorker: boolean): Column<Submission>[] {
  return [
    {
      header: t`Task`,
      width: 'min-w-56',
      cell: (submission) => (
        <span className="flex items-center gap-3">
          <TaskPicture image={submission.taskImg} category={submission.taskCategory} />
          <CaseLink submission={submission} />
        </span>
      ),
    },
    {
      header: isWorker ? t`Buyer` : t`Worker`,
      width: 'min-w-36',
      cell: (row) => (isWorker ? row.buyer_name : row.worker_name),
    },
    {
      header: t`Work`,
      width: 'hidden xl:table-cell min-w-64',
      cell: ({ submissoin_data }) => <span className="line-clamp-2 text-dim">{submissoin_data}</span>,
    },
    {
      header: t`Approved`,
      cell: ({ decidedAt }) => (
        <span className="whitespace-nowrap">{decidedAt && formatDateTime(decidedAt)}</span>
      ),
    },
    {
      header: isWorker ? t`Earned` : t`Paid`,
      align: 'right',
      cell: ({ payable_amount }) => <CoinAmount value={payable_amount} />,
    },
  ]
}

function SubmissionCard({ submission, isWorker }: { submission: Submission; isWorker: boolean }) {
  const { payable_amount, decidedAt, submissoin_data } = submission
  return (
    <article>
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 text-base leading-snug font-number tracking-normal">
          <CaseLink submission={submission} />
        </h2>
        <CoinAmount value={payable_amount} />
      </div>
      <p className="mt-1 line-clamp-2 text-sm text-dim">{submissoin_data}</p>
      <p className="mt-2 text-sm text-dim">
        {isWorker ? t`By ${{ buyer: submission.buyer_name }}` : submission.worker_name}
        {decidedAt && ` · ${formatDateTime(decidedAt)}`}
      </p>
    </article>
  )
}
