import type { TaskDetails } from '#contract/tasks.ts'
import { TaskLinkPanel } from '#web/features/audience/task-link.tsx'
import { TaskFunnel } from '#web/features/tasks/task-funnel.tsx'

/** Renders what only the buyer of a task sees in its details: its private link, and how workers went through it. */
export default function OwnTask({ task }: { task: TaskDetails }) {
  return (
    <>
      {task.audience?.visibility === 'link' && <TaskLinkPanel taskId={task._id} />}
      <TaskFunnel taskId={task._id} />
    </>
  )
}
