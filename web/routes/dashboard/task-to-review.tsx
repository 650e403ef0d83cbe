import { Button } from '@mantine/core'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { taskToReview } from '#contract/submissions.ts'
import { ReviewCard } from '#web/features/submissions/review-card.tsx'
import { useCurrentMinute } from '#web/features/submissions/time-left.ts'
import { useReviewDecisions } from '#web/features/submissions/use-review-decisions.tsx'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ScreenLinks } from '#web/ui/filter-links.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

/** Renders the submissions that wait for the buyer's decision, oldest first. */
export default function TaskToReview() {
  const { email, role } = useUserData()
  const query = useSuspenseInfiniteQuery(
    infiniteQueryOf(taskToReview, { query: { email, role, status: 'pending' } }),
  )
  const submissions = query.data.pages.flatMap((page) => page.reply)
  const { approve, reject, pendingIds } = useReviewDecisions()
  const now = useCurrentMinute()

  return (
    <Screen title="Task To Review" subtitle="Oldest first">
      <ScreenLinks
        label="Reviews"
        screens={[
          { to: '/dashboard/task-to-review', label: 'Pending' },
          { to: '/dashboard/approved-task', label: 'Approved' },
        ]}
      />
      {submissions.length === 0 ? (
        <EmptyState
          title="No pending submissions."
          action={
            <Button component={Link} to="/dashboard/my-task" variant="default">
              View my tasks
            </Button>
          }
        >
          Submitted work appears here for review.
        </EmptyState>
      ) : (
        <>
          <ul aria-label="Pending submissions" className="grid grid-cols-1 gap-4 xl:grid-cols-2">
            {submissions.map((submission) => (
              <li key={submission._id}>
                <ReviewCard
                  submission={submission}
                  now={now}
                  busy={pendingIds.has(submission._id)}
                  approve={() => void approve(submission)}
                  reject={() => void reject(submission)}
                />
              </li>
            ))}
          </ul>
          <LoadMore query={query} />
        </>
      )}
    </Screen>
  )
}
