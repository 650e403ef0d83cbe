import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import type { TaskDetails } from '#contract/tasks.ts'
import { TaskLinkPanel } from '#web/features/audience/task-link.tsx'
import { TaskFunnel } from '#web/features/tasks/task-funnel.tsx'
import { useOpenProject } from '#web/features/tasks/use-open-project.ts'

/** Renders what only the buyer of a task sees in its details: its private link, the way to its project, and how workers went through it. */
export default function OwnTask({ task }: { task: TaskDetails }) {
  const openProject = useOpenProject()
  return (
    <>
      {task.audience?.visibility === 'link' && <TaskLinkPanel taskId={task._id} />}
      {task.isBatch && (
        <Button variant="default" onClick={() => void openProject(task._id)}>{t`Upload more items`}</Button>
      )}
      <TaskFunnel taskId={task._id} />
    </>
  )
}
