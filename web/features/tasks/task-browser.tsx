import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { allTask, ListedTask, taskListWorker } from '#contract/tasks.ts'
import { TaskCard } from '#web/features/tasks/task-card.tsx'
import { TaskFilterBar, useTaskFilter } from '#web/features/tasks/task-filter.tsx'
import { errorMessage } from '#web/lib/api.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { PlainButton } from '#web/ui/button.tsx'
import { ChunkedGrid } from '#web/ui/chunked-grid.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { GridSkeleton } from '#web/ui/skeleton.tsx'

/** Renders a searchable list of tasks as cards. The worker's list and the public one differ only in the endpoint. */
export function TaskBrowser({ endpoint }: { endpoint: typeof taskListWorker | typeof allTask }) {
  const { filter, change, clear, filtered } = useTaskFilter()
  const { q, pay_min, open, sort } = filter
  const query = useInfiniteQuery({
    ...infiniteQueryOf(endpoint, {
      query: { q: q || undefined, sort, pay_min: pay_min || undefined, open: open || undefined },
    }),
    placeholderData: keepPreviousData,
  })
  const tasks = query.data?.pages.flatMap((page) => page.reply)

  return (
    <>
      <TaskFilterBar filter={filter} change={change} />
      {tasks === undefined ? (
        query.error ? (
          <ErrorState message={errorMessage(query.error)} retry={() => void query.refetch()} />
        ) : (
          <GridSkeleton height="h-60" />
        )
      ) : tasks.length === 0 ? (
        <EmptyState
          title="No tasks found"
          action={
            filtered ? (
              <PlainButton variant="default" onClick={clear}>
                Show all tasks
              </PlainButton>
            ) : undefined
          }
        >
          {filtered
            ? 'No tasks match your search. Try fewer words or other filters.'
            : 'There are no tasks right now. New tasks appear here as soon as buyers post them.'}
        </EmptyState>
      ) : (
        <>
          <ChunkedGrid
            label="Tasks"
            rows={tasks}
            rowKey={taskKey}
            renderCard={renderTask}
            columns="grid-cols-1 [contain-intrinsic-size:auto_430rem] sm:grid-cols-2 sm:[contain-intrinsic-size:auto_214rem] xl:grid-cols-3 xl:[contain-intrinsic-size:auto_142rem]"
            className={`transition-opacity ${query.isPlaceholderData ? 'opacity-60' : ''}`}
          />
          <LoadMore query={query} />
        </>
      )}
    </>
  )
}

const taskKey = (task: ListedTask) => task._id
const renderTask = (task: ListedTask) => <TaskCard task={task} />
