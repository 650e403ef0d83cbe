import { plural, t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { listReviews } from '#contract/appeals.ts'
import { groupIntoCases, type ReviewCase, wholeCaseQuery } from '#web/features/appeals/review-cases.ts'
import { ReviewDecision } from '#web/features/appeals/review-decision.tsx'
import { useShortcuts } from '#web/features/shortcuts/use-shortcuts.ts'
import { REJECTION_CATEGORY_NAMES } from '#web/features/submissions/rejection-categories.ts'
import { timeLeft, useCurrentMinute } from '#web/features/submissions/time-left.ts'
import { errorMessage } from '#web/lib/api.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { toast } from '#web/ui/toasts.tsx'
import { UserText } from '#web/ui/user-text.tsx'

/** Renders the open reviews of a reviewer, earliest deadline first. The server refuses everybody else. */
export default function Reviews() {
  const query = useSuspenseInfiniteQuery(infiniteQueryOf(listReviews, {}, 50))
  const cases = groupIntoCases(query.data.pages.flatMap((page) => page.reply))
  const list = useRef<HTMLUListElement>(null)
  const move = (step: 1 | -1) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a') ?? [])]
    const current = links.indexOf(document.activeElement as HTMLElement)
    links[Math.max(0, Math.min(links.length - 1, current + step))]?.focus()
  }
  useShortcuts(
    { j: () => move(1), k: () => move(-1), arrowdown: () => move(1), arrowup: () => move(-1) },
    list,
  )

  return (
    <Screen
      title={t`Reviews`}
      subtitle={
        <>
          {t`Rejections that you decide, earliest deadline first.`}{' '}
          <span className="max-sm:hidden">{t`Press J and K to move, Enter to open.`}</span>
        </>
      }
      width="narrow"
    >
      {cases.length === 0 ? (
        <EmptyState title={t`No open reviews.`}>
          {t`Rejections that need a neutral decision appear here. You get a notification for each.`}
        </EmptyState>
      ) : (
        <>
          <ul ref={list} aria-label={t`Cases`} className="space-y-4">
            {cases.map((one) => (
              <li key={one.key}>
                <CaseCard of={one} />
              </li>
            ))}
          </ul>
          <LoadMore query={query} />
        </>
      )}
    </Screen>
  )
}

function CaseCard({ of: { reviews } }: { of: ReviewCase }) {
  const [first] = reviews
  const now = useCurrentMinute()
  const left = timeLeft(first.dueAt, now)
  const queryClient = useQueryClient()
  // Only what was in the case when the form was opened, also what the list has not loaded.
  const [chosen, setChosen] = useState<string[]>([])
  const [isOpening, setIsOpening] = useState(false)
  const query = useQuery({
    ...wholeCaseQuery(first._id),
    enabled: chosen.length > 0,
    placeholderData: keepPreviousData,
  })
  // Empty when the submission that it names is decided, until the case of the next one is loaded.
  const current = new Set(query.data?.length ? query.data : chosen)
  const deciding = chosen.filter((id) => current.has(id))
  const openDecision = async () => {
    setIsOpening(true)
    try {
      setChosen(await queryClient.fetchQuery(wholeCaseQuery(first._id)))
    } catch (error) {
      void toast({ message: errorMessage(error), tone: 'error' })
    } finally {
      setIsOpening(false)
    }
  }
  return (
    <article className="card p-5 sm:p-6">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <h2 className="min-w-0 text-base leading-snug font-number tracking-normal">{first.task_title}</h2>
        <p className="text-sm text-dim">{left === null ? t`Due now` : t`Due in ${left}`}</p>
      </div>
      <p className="mt-1 text-sm text-dim">
        {first.category === null ? t`Rejected` : REJECTION_CATEGORY_NAMES[first.category]}
        {' · '}
        {t`${{ coins: formatCoins(first.payable_amount) }} each`}
        {first.held && ` · ${t`checked before the rejection counts`}`}
      </p>
      <UserText className="mt-2 text-sm">{first.reason || t`No reason given`}</UserText>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {reviews.map((review, index) => (
          <li key={review._id}>
            <Link to={`/dashboard/case/${review._id}`} className="block py-2.5 hover:text-brand">
              <span className="block text-sm font-nav">
                {t`Submission ${{ number: formatNumber(index + 1) }}`}
              </span>
              <span className="line-clamp-2 text-sm break-words text-dim">{review.submissoin_data}</span>
            </Link>
          </li>
        ))}
      </ul>
      {(first.caseSize > 1 || deciding.length > 0) && (
        <div className="mt-4">
          {deciding.length > 0 ? (
            <ReviewDecision subject={first} ids={deciding} />
          ) : (
            <Button variant="default" loading={isOpening} onClick={() => void openDecision()}>
              {plural(first.caseSize, {
                one: 'Decide all # submission together',
                other: 'Decide all # submissions together',
              })}
            </Button>
          )}
        </div>
      )}
    </article>
  )
}
