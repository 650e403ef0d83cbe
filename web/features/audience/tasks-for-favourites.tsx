import { t } from '@lingui/core/macro'
import type { ListedTask } from '#contract/tasks.ts'
import { canApply, viewerStatusOf } from '#web/features/tasks/task-card.tsx'
import { TaskRow } from '#web/features/tasks/task-row.tsx'
import { isNewSince, useLastVisit } from '#web/features/tasks/use-last-visit.ts'
import { useTaskStates } from '#web/features/tasks/use-task-states.ts'
import { useSession } from '#web/lib/session.tsx'

/**
 * Renders the tasks that a worker sees before others, as a favourite of their buyers, with those last that they cannot apply
 * for. Renders nothing without any.
 */
export function TasksForFavourites({ tasks: favourites }: { tasks: readonly ListedTask[] }) {
  const viewerId = useSession().userData?._id
  const since = useLastVisit(viewerId)
  const { tasks = [], states } = useTaskStates(favourites, true)
  if (tasks.length === 0) return null
  const rows = tasks.map((task) => ({ task, standing: viewerStatusOf(task, viewerId, states[task._id]) }))
  return (
    <section aria-label={t`For you first`} className="mb-5">
      <h2 className="text-lg">{t`For you first`}</h2>
      <p className="mb-3 text-sm text-dim">{t`You are a favourite of these buyers. Others see the tasks within an hour.`}</p>
      <ul className="task-rows space-y-3">
        {rows
          .toSorted((a, b) => Number(canApply(b.standing)) - Number(canApply(a.standing)))
          .map(({ task, standing }) => (
            <li key={task._id}>
              <TaskRow task={task} standing={standing} isNew={isNewSince(task, since)} />
            </li>
          ))}
      </ul>
    </section>
  )
}
