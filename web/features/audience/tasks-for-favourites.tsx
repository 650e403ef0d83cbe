import { t } from '@lingui/core/macro'
import type { ListedTask } from '#contract/tasks.ts'
import { TaskRow } from '#web/features/tasks/task-row.tsx'

/** Renders the tasks that a worker sees before others, as a favourite of their buyers. Renders nothing without any. */
export function TasksForFavourites({ tasks }: { tasks: readonly ListedTask[] }) {
  if (tasks.length === 0) return null
  return (
    <section aria-label={t`For you first`} className="mb-5">
      <h2 className="text-lg">{t`For you first`}</h2>
      <p className="mb-3 text-sm text-dim">{t`You are a favourite of these buyers. Others see the tasks within an hour.`}</p>
      <ul className="task-rows space-y-3">
        {tasks.map((task) => (
          <li key={task._id}>
            <TaskRow task={task} standing={task.worker < 1 ? 'filled' : 'open'} isNew={false} />
          </li>
        ))}
      </ul>
    </section>
  )
}
