import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { Navigate } from 'react-router'
import { type Submission, taskToReview } from '#contract/submissions.ts'
import { ReviewDesk } from '#web/features/review/review-desk.tsx'
import { ReviewLinks } from '#web/features/review/review-links.tsx'
import { showReviewShortcuts } from '#web/features/review/review-shortcuts.ts'
import { filterRows, mergeRows, tasksOf } from '#web/features/review/rows.ts'
import { useDecisionQueue } from '#web/features/review/use-decision-queue.ts'
import { BuyerNextStep } from '#web/features/tasks/buyer-next-step.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { noParams, useSearchParams, withParam } from '#web/lib/search-params.ts'
import { useUserData } from '#web/lib/session.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageLoader } from '#web/ui/full-page-loader.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { SearchInput, useSearchQuery } from '#web/ui/search-input.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

/** Filters apply to the loaded rows, so these are loaded without being asked for. More are loaded by the button. */
const AUTOMATIC_ROWS = 500
/** Loaded to find work on a chosen task. */
const SEARCHED_ROWS = 10_000
const PAGE_ROWS = 100

/** The lists of decided work have screens of their own; notifications link to them by status. */
const DECIDED: Record<string, string> = {
  approved: '/dashboard/approved-task',
  rejected: '/dashboard/rejected-task',
}

export default function TaskToReview() {
  const [search] = useSearchParams()
  const decided = DECIDED[search.get('status') ?? '']
  return decided ? <Navigate to={decided} replace /> : <PendingWork />
}

/** Renders the submissions that wait for the buyer's decision, oldest first. */
function PendingWork() {
  const { email, role } = useUserData()
  const query = useSuspenseInfiniteQuery(
    infiniteQueryOf(taskToReview, { query: { email, role, status: 'pending' } }, PAGE_ROWS),
  )
  const { queue, entries } = useDecisionQueue()
  const [decided, setDecided] = useState<Submission[]>([])
  const [search, setSearch] = useSearchParams()
  const [text, setText] = useSearchQuery()
  const taskId = search.get('task') ?? ''

  const pending = useMemo(() => query.data.pages.flatMap((page) => page.reply), [query.data])
  const rows = useMemo(() => mergeRows(pending, decided, entries), [pending, decided, entries])
  const tasks = tasksOf(rows, entries)
  const total = tasks.reduce((sum, { count }) => sum + count, 0)
  const shown = useMemo(() => filterRows(rows, { taskId, text }), [rows, taskId, text])
  const isDone = !query.hasNextPage && rows.every(({ _id }) => entries.get(_id)?.phase === 'sent')

  // Of the rows that are loaded.
  const countOf = (count: number) => `${formatNumber(count)}${query.hasNextPage ? '+' : ''}`

  const { fetchNextPage } = query
  const isTaskFound = taskId === '' || tasks.some(({ id }) => id === taskId)
  const loadsAutomatically =
    pending.length < (isTaskFound ? AUTOMATIC_ROWS : SEARCHED_ROWS) && !query.isFetchNextPageError
  const loadsNextPage = loadsAutomatically && query.hasNextPage && !query.isFetching
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page may arrive before a render in which it is fetched
  useEffect(() => {
    if (loadsNextPage) void fetchNextPage()
  }, [loadsNextPage, pending.length, fetchNextPage])

  const setTask = (task: string) =>
    setSearch((params) => withParam(params, 'task', task), { replace: true, preventScrollReset: true })

  return (
    <Screen title={t`Task To Review`} subtitle={t`Oldest first`}>
      <ReviewLinks />
      {isDone ? (
        <EmptyState title={t`No pending submissions.`} action={<BuyerNextStep />}>
          {t`Submitted work appears here for review.`}
        </EmptyState>
      ) : (
        <>
          <div className="mb-4 grid grid-cols-2 gap-3 @2xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
            <SearchInput label={t`Search workers and work`} value={text} onChange={setText} />
            <NativeSelect
              label={t`Task`}
              className="col-span-2 @xl:col-span-1"
              value={taskId}
              onChange={setTask}
              data={[
                { value: '', label: t`All tasks (${{ count: countOf(total) }})` },
                ...tasks.map(({ id, title, count }) => ({
                  value: id,
                  label: `${title} (${countOf(count)})`,
                })),
                ...(isTaskFound
                  ? []
                  : [{ value: taskId, label: t`The chosen task (${{ count: countOf(0) }})` }]),
              ]}
            />
            <Button
              variant="default"
              className="@max-2xl:hidden"
              aria-keyshortcuts="?"
              onClick={() => void showReviewShortcuts()}
            >
              {t`Shortcuts`}
            </Button>
          </div>
          {shown.length === 0 && loadsAutomatically && query.hasNextPage ? (
            <PageLoader>{t`Loading…`}</PageLoader>
          ) : shown.length === 0 ? (
            <EmptyState
              title={t`No submissions match`}
              action={
                <Button variant="default" onClick={() => setSearch(noParams, { replace: true })}>
                  {t`Show all`}
                </Button>
              }
            />
          ) : (
            <ReviewDesk
              rows={shown}
              entries={entries}
              queue={queue}
              onDecided={(submissions) => setDecided((former) => [...former, ...submissions])}
            />
          )}
          {!loadsAutomatically && query.hasNextPage && <LoadMore query={query} />}
        </>
      )}
    </Screen>
  )
}
