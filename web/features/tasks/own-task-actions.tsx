import { t } from '@lingui/core/macro'
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

/** Five buttons fit beside the columns of the table; touch screens enlarge them. */
const SIZE = 'calc(36px)'

/** Renders what a buyer can do with their own task in the list of My Tasks. */
export function OwnTaskActions({ task, addSlots, moveDeadline, reopen, remove }: Props) {
  const title = task.task_title
  return (
    <span className="inline-flex flex-wrap gap-1.5 @4xl:flex-nowrap">
      {task.isClosed ? (
        <ActionIcon size={SIZE} aria-label={t`Reopen ${title}`} title={t`Reopen`} onClick={reopen}>
          <IconRefresh size={18} stroke={1.8} aria-hidden />
        </ActionIcon>
      ) : (
        <>
          <ActionIcon
            size={SIZE}
            aria-label={t`Add workers to ${title}`}
            title={t`Add workers`}
            onClick={addSlots}
          >
            <IconPlus size={18} stroke={1.8} aria-hidden />
          </ActionIcon>
          <ActionIcon
            size={SIZE}
            aria-label={t`Change the deadline of ${title}`}
            title={t`Change deadline`}
            onClick={moveDeadline}
          >
            <IconCalendar size={18} stroke={1.8} aria-hidden />
          </ActionIcon>
        </>
      )}
      <ActionIcon
        size={SIZE}
        component={Link}
        to={copyPath(task)}
        aria-label={t`Duplicate ${title}`}
        title={t`Duplicate`}
      >
        <IconCopy size={18} stroke={1.8} aria-hidden />
      </ActionIcon>
      <ActionIcon
        size={SIZE}
        component={Link}
        to={`/dashboard/update-task/${task._id}`}
        aria-label={t`Update ${title}`}
        title={t`Update`}
      >
        <IconPencil size={18} stroke={1.8} aria-hidden />
      </ActionIcon>
      <ActionIcon size={SIZE} c="red" aria-label={t`Delete ${title}`} title={t`Delete`} onClick={remove}>
        <IconTrash size={18} stroke={1.8} aria-hidden />
      </ActionIcon>
    </span>
  )
}
