import { t } from '@lingui/core/macro'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { type Submission, SubmissionState, taskToReview } from '#contract/submissions.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { ReviewLinks } from '#web/features/review/review-links.tsx'
import { CaseLink, StateDetails } from '#web/features/submissions/state-details.tsx'
import { SubmissionStateBadge } from '#web/features/submissions/submission-state.tsx'
import { BuyerNextStep } from '#web/features/tasks/buyer-next-step.tsx'
import { TaskPicture } from '#web/features/tasks/task-picture.tsx'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { useSearchParams } from '#web/lib/search-params.ts'
import { useUserData } from '#web/lib/session.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterLinks } from '#web/ui/filter-links.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

const STATE_OPTIONS = [
  { value: '', label: t`All rejected` },
  { value: 'appealed', label: t`Appeals waiting for you` },
  { value: 'in_review', label: t`With a reviewer` },
  { value: 'rejection_open', label: t`Not final` },
  { value: 'rejected', label: t`Final` },
  { value: 'revision_requested', label: t`Being revised` },
]

/** Renders the work that a buyer rejected, newest first, or the work in one state, also being revised, oldest first. */
export default function RejectedTask() {
  const { email, role } = useUserData()
  const [search] = useSearchParams()
  const state = SubmissionState.safeParse(search.get('state')).data
  const query = useSuspenseInfiniteQuery(
    infiniteQueryOf(taskToReview, { query: { email, role, status: 'rejected', state } }),
  )
  const submissions = query.data.pages.flatMap((page) => page.reply)
  return (
    <Screen
      title={t`Rejected submissions`}
      subtitle={t`Work you rejected. Choose “Being revised” for work that is being revised.`}
    >
      <ReviewLinks />
      <div className="mb-5">
        <FilterLinks label={t`Filter by state`} name="state" options={STATE_OPTIONS} />
      </div>
      {submissions.length === 0 ? (
        <EmptyState
          title={state === 'appealed' ? t`No appeals wait for you.` : t`No submissions found.`}
          action={<BuyerNextStep />}
        >
          {state === 'revision_requested'
            ? t`Work appears here when you ask for a revision.`
            : t`Work appears here when you reject it.`}
        </EmptyState>
      ) : (
        <>
          <ResponsiveList
            label={t`Rejected submissions`}
            rows={submissions}
            rowKey={(submission) => submission._id}
            columns={COLUMNS}
            renderCard={(submission) => <SubmissionCard submission={submission} />}
          />
          <LoadMore query={query} />
        </>
      )}
    </Screen>
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
          <StateDetails submission={submission} viewer="buyer" />
        </div>
      </div>
    ),
  },
  { header: t`Worker`, width: 'min-w-36', cell: ({ worker_name }) => worker_name },
  { header: t`Status`, cell: ({ state }) => <SubmissionStateBadge state={state} viewer="buyer" /> },
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
      <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-dim">
        <SubmissionStateBadge state={submission.state} viewer="buyer" />
        <span>{submission.worker_name}</span>
      </div>
      <StateDetails submission={submission} viewer="buyer" />
    </article>
  )
}
