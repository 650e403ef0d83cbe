import { ActionIcon } from '@mantine/core'
import { Link } from 'react-router'
import type { Task } from '#contract/tasks.ts'
import { IconCalendar, IconCopy, IconPencil, IconPlus, IconRefresh, IconTrash } from '#web/ui/icons.ts'
import { copyPath } from './copy-path.ts'

type Props = {
  task: Task
  addSlots: () => void
  moveDeadline: () => void
  reopen: () => void
  remove: () => void
}

/** Renders what a buyer can do with their own task in the list of My Tasks. */
export function OwnTaskActions({ task, addSlots, moveDeadline, reopen, remove }: Props) {
  return (
    <span className="inline-flex flex-wrap gap-1.5 @4xl:flex-nowrap">
      {task.isClosed ? (
        <ActionIcon aria-label={`Reopen ${task.task_title}`} title="Reopen" onClick={reopen}>
          <IconRefresh size={18} stroke={1.8} aria-hidden />
        </ActionIcon>
      ) : (
        <>
          <ActionIcon aria-label={`Add workers to ${task.task_title}`} title="Add workers" onClick={addSlots}>
            <IconPlus size={18} stroke={1.8} aria-hidden />
          </ActionIcon>
          <ActionIcon
            aria-label={`Change the deadline of ${task.task_title}`}
            title="Change deadline"
            onClick={moveDeadline}
          >
            <IconCalendar size={18} stroke={1.8} aria-hidden />
          </ActionIcon>
        </>
      )}
      <ActionIcon
        component={Link}
        to={copyPath(task)}
        aria-label={`Duplicate ${task.task_title}`}
        title="Duplicate"
      >
        <IconCopy size={18} stroke={1.8} aria-hidden />
      </ActionIcon>
      <ActionIcon
        component={Link}
        to={`/dashboard/update-task/${task._id}`}
        aria-label={`Update ${task.task_title}`}
        title="Update"
      >
        <IconPencil size={18} stroke={1.8} aria-hidden />
      </ActionIcon>
      <ActionIcon c="red" aria-label={`Delete ${task.task_title}`} title="Delete" onClick={remove}>
        <IconTrash size={18} stroke={1.8} aria-hidden />
      </ActionIcon>
    </span>
  )
}
