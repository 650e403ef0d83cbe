import { plural, t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Batch, batches } from '#contract/batches.ts'
import type { TaskProgress as Progress } from '#contract/tasks.ts'
import { TaskProgress, TaskSpending } from '#web/features/tasks/task-progress.tsx'
import { useTaskProgress } from '#web/features/tasks/use-task-progress.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { formatTimeAgo } from '#web/lib/format-time.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { LoadMore } from '#web/ui/load-more.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import { BatchActions } from './batch-actions.tsx'
import { BatchStateBadge } from './batch-state.tsx'

/** Renders the batches of a project, newest first. */
export function BatchList({ projectId }: { projectId: string }) {
  const query = useInfiniteQuery({
    ...infiniteQueryOf(batches, { query: { project: projectId } }),
    staleTime: 0,
  })
  const listed = query.data?.pages.flatMap(({ reply }) => reply)
  const progress = useTaskProgress(listed?.flatMap(({ taskId }) => taskId ?? []) ?? [])
  return (
    <section aria-labelledby="batches">
      <h2 id="batches" className="mb-3 text-lg">{t`Batches`}</h2>
      {listed === undefined ? (
        <QueryState query={query} skeleton={<ListSkeleton rows={2} />} />
      ) : listed.length === 0 ? (
        <p className="card p-5 text-dim">{t`No batches yet. Each file that you upload becomes a batch.`}</p>
      ) : (
        <>
          <ul aria-label={t`Batches, newest first`} className="card divide-y divide-line px-5 sm:px-6">
            {listed.map((batch) => (
              <li key={batch._id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-4">
                <span className="min-w-0 flex-1 basis-56">
                  <Link to={`/dashboard/batches/${batch._id}`} className="link wrap-anywhere">
                    {batch.fileName}
                  </Link>
                  <span className="mt-1 block text-sm text-dim">{factsOf(batch).join(' · ')}</span>
                  {batch.taskId !== null && (
                    <span className="mt-2 block">
                      <BatchProgress
                        batch={batch}
                        taskId={batch.taskId}
                        progress={progress.get(batch.taskId)}
                      />
                    </span>
                  )}
                </span>
                {batch.taskId !== null && !batch.isClosed && <BatchActions batch={batch} />}
                <BatchStateBadge batch={batch} />
              </li>
            ))}
          </ul>
          <LoadMore query={query} />
        </>
      )}
    </section>
  )
}

type ProgressProps = { batch: Batch; taskId: string; progress: Progress | undefined }

/** Renders the work on a paid batch, with the coins that it has paid and still holds. */
function BatchProgress({ batch, taskId, progress }: ProgressProps) {
  const { items, workersPerItem, fileName, cost } = batch
  const task = { _id: taskId, task_title: fileName, required_workers: items * workersPerItem }
  return (
    <>
      <TaskProgress task={task} progress={progress} />
      {cost !== null && <TaskSpending task={{ payable_amount: cost.reward }} progress={progress} />}
    </>
  )
}

function factsOf({ items, errors, cost, projectVersion, createdAt }: Batch): string[] {
  return [
    ...(items > 0 ? [plural(items, { one: '# item', other: '# items' })] : []),
    ...(errors > 0 ? [plural(errors, { one: '# error', other: '# errors' })] : []),
    ...(cost === null ? [] : [formatCoins(cost.total)]),
    t`version ${{ version: formatNumber(projectVersion) }}`,
    formatTimeAgo(createdAt),
  ]
}
