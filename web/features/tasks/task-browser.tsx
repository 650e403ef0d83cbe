import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { useLocation } from 'react-router'
import { type allTask, FIRST_TASKS, type ListedTask, taskListWorker } from '#contract/tasks.ts'
import { rememberListed } from '#web/features/tasks/listed-tasks.ts'
import { SavedFilters } from '#web/features/tasks/saved-filters.tsx'
import { canApply, TaskCard, type ViewerTaskStatus, viewerStatusOf } from '#web/features/tasks/task-card.tsx'
import { TaskFilterBar, useTaskFilter } from '#web/features/tasks/task-filter.tsx'
import { TaskRow } from '#web/features/tasks/task-row.tsx'
import { isNewSince, useLastVisit } from '#web/features/tasks/use-last-visit.ts'
import { type OwnTaskState, useTaskStates } from '#web/features/tasks/use-task-states.ts'
import { usePreference } from '#web/lib/preference.ts'
import { infiniteQueryOf, keepPreviousRows } from '#web/lib/queries.ts'
import { useSession } from '#web/lib/session.tsx'
import { PlainButton } from '#web/ui/button.tsx'
import { ChunkedGrid } from '#web/ui/chunked-grid.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { GridSkeleton } from '#web/ui/skeleton.tsx'

const DENSITIES = ['cards', 'list'] as const
const CARD_COLUMNS =
  'grid-cols-1 [contain-intrinsic-size:auto_430rem] sm:grid-cols-2 sm:[contain-intrinsic-size:auto_214rem] xl:grid-cols-3 xl:[contain-intrinsic-size:auto_142rem]'
const ROW_COLUMNS =
  'grid-cols-1 gap-2! [contain-intrinsic-size:auto_214rem] xl:[contain-intrinsic-size:auto_98rem]'

type Props = {
  endpoint: typeof taskListWorker | typeof allTask
  /** Whether the user is known for whom the tasks are loaded. */
  isReady?: boolean
  /** What is shown above the list. While it loads, the list waits for it, so that no task moves. */
  first?: ReactNode
  isFirstLoading?: boolean
}

/** Renders a searchable list of tasks as cards or as dense rows. The worker's list and the public one differ only in the endpoint. */
export function TaskBrowser({ endpoint, isReady = true, first, isFirstLoading = false }: Props) {
  const { filter, change, clear, filtered } = useTaskFilter()
  const { q, pay_min, open, category, sort } = filter
  const query = useInfiniteQuery({
    ...infiniteQueryOf(
      endpoint,
      {
        query: {
          q: q || undefined,
          sort,
          pay_min: pay_min || undefined,
          open: open || undefined,
          category: category || undefined,
        },
      },
      FIRST_TASKS,
    ),
    enabled: isReady,
    placeholderData: keepPreviousRows,
  })
  const viewerId = useSession().userData?._id
  const listed = useMemo(() => query.data?.pages.flatMap((page) => page.reply), [query.data])
  const { tasks, states } = useTaskStates(listed, endpoint === taskListWorker)
  const since = useLastVisit(viewerId)
  const rows = useRows(tasks, states, viewerId, since)
  const { pathname, search } = useLocation()
  useEffect(() => {
    if (rows === undefined) return
    const open = rows.filter(({ standing }) => canApply(standing))
    rememberListed({ path: pathname + search, taskIds: open.map(rowKey) })
  }, [rows, pathname, search])
  const [density, setDensity] = usePreference('task-density', DENSITIES)

  return (
    <>
      <TaskFilterBar filter={filter} change={change} />
      <div className="mb-5 flex flex-wrap items-center justify-between gap-2">
        {viewerId === undefined ? <span /> : <SavedFilters filter={filter} filtered={filtered} />}
        <fieldset className="ml-auto flex gap-1">
          <legend className="sr-only">{t`Show tasks as`}</legend>
          {DENSITIES.map((one) => (
            <PlainButton
              key={one}
              variant={one === density ? 'light' : 'subtle'}
              aria-pressed={one === density}
              onClick={() => setDensity(one)}
            >
              {one === 'cards' ? t`Cards` : t`List`}
            </PlainButton>
          ))}
        </fieldset>
      </div>
      {!isFirstLoading && first}
      {rows === undefined || isFirstLoading ? (
        // Higher than most screens, so that the footer does not move when the tasks are there.
        <QueryState query={query} skeleton={<GridSkeleton cards={12} height="h-60" />} />
      ) : rows.length === 0 && !query.hasNextPage ? (
        <EmptyState
          title={t`No tasks found`}
          action={
            filtered ? (
              <PlainButton variant="default" onClick={clear}>{t`Show all tasks`}</PlainButton>
            ) : undefined
          }
        >
          {filtered
            ? t`No tasks match your search. Try fewer words or other filters.`
            : t`There are no tasks right now. New tasks appear here as soon as buyers post them.`}
        </EmptyState>
      ) : (
        <>
          <ChunkedGrid
            label={t`Tasks`}
            rows={rows}
            rowKey={rowKey}
            renderCard={density === 'cards' ? renderCard : renderRow}
            columns={density === 'cards' ? CARD_COLUMNS : ROW_COLUMNS}
            className={`transition-opacity ${density === 'list' ? 'task-rows' : ''} ${query.isPlaceholderData ? 'opacity-60' : ''}`}
          />
          <LoadMore query={query} />
        </>
      )}
    </>
  )
}

type Row = { task: ListedTask; standing: ViewerTaskStatus; isNew: boolean }

const rowKey = ({ task }: Row) => task._id
const renderCard = (row: Row) => <TaskCard {...row} />
const renderRow = (row: Row) => <TaskRow {...row} />

/**
 * Returns the tasks with those last that the viewer cannot apply for. The order stays while the same tasks are listed:
 * a card whose last slot is taken must not move under the cursor.
 */
function useRows(
  tasks: readonly ListedTask[] | undefined,
  states: Readonly<Record<string, OwnTaskState>>,
  viewerId: string | undefined,
  since: number | null,
): Row[] | undefined {
  const rows = useMemo(
    () =>
      tasks?.map((task) => ({
        task,
        standing: viewerStatusOf(task, viewerId, states[task._id]),
        isNew: isNewSince(task, since),
      })),
    [tasks, states, viewerId, since],
  )
  const ids = rows?.map(rowKey).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order is that of the time when these tasks were listed
  const last = useMemo(() => new Set(rows?.filter(({ standing }) => !canApply(standing)).map(rowKey)), [ids])
  return useMemo(
    () => rows?.toSorted((a, b) => Number(last.has(rowKey(a))) - Number(last.has(rowKey(b)))),
    [rows, last],
  )
}
