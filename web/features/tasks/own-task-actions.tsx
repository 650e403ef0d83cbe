import { t } from '@lingui/core/macro'
import { ActionIcon } from '@mantine/core'
import { Link } from 'react-router'
import type { Task } from '#contract/tasks.ts'
import { type Action, ActionMenu } from '#web/ui/action-menu.tsx'
import {
  IconCalendar,
  IconCopy,
  IconPencil,
  IconPlus,
  IconRefresh,
  IconTrash,
  IconUpload,
} from '#web/ui/icons.ts'
import { copyPath } from './copy-path.ts'

type Props = {
  task: Task
  addSlots: () => void
  moveDeadline: () => void
  reopen: () => void
  uploadItems: () => void
  remove: () => void
}

/** `name` includes the task, for screen readers in the table. */
type TaskAction = Action & { name: string; Icon: NonNullable<Action['Icon']> }

/** Returns what a buyer can do with their own task in the list of My Tasks. */
function actionsOf({ task, addSlots, moveDeadline, reopen, uploadItems, remove }: Props): TaskAction[] {
  const title = task.task_title
  const changes: TaskAction[] = task.isClosed
    ? [{ label: t`Reopen`, name: t`Reopen ${title}`, Icon: IconRefresh, onClick: reopen }]
    : [
        { label: t`Add workers`, name: t`Add workers to ${title}`, Icon: IconPlus, onClick: addSlots },
        {
          label: t`Change deadline`,
          name: t`Change the deadline of ${title}`,
          Icon: IconCalendar,
          onClick: moveDeadline,
        },
      ]
  return [
    ...changes,
    task.isBatch
      ? {
          label: t`Upload more items`,
          name: t`Upload more items for ${title}`,
          Icon: IconUpload,
          onClick: uploadItems,
        }
      : { label: t`Duplicate`, name: t`Duplicate ${title}`, Icon: IconCopy, to: copyPath(task) },
    {
      label: t`Update`,
      name: t`Update ${title}`,
      Icon: IconPencil,
      to: `/dashboard/update-task/${task._id}`,
    },
    { label: t`Delete`, name: t`Delete ${title}`, Icon: IconTrash, onClick: remove, danger: true },
  ]
}

/** Five buttons fit beside the columns of the table; touch screens enlarge them. */
const SIZE = 'calc(36px)'

/** Renders the actions as buttons with icons, for a row of the table. */
export function OwnTaskActions(props: Props) {
  return (
    <span className="inline-flex flex-wrap gap-1.5 @4xl:flex-nowrap">
      {actionsOf(props).map((action) => {
        const { label, name, Icon, danger } = action
        const shared = {
          size: SIZE,
          'aria-label': name,
          title: label,
          children: <Icon size={18} stroke={1.8} aria-hidden />,
          ...(danger && { c: 'red' }),
        }
        return 'to' in action ? (
          <ActionIcon key={label} component={Link} to={action.to} {...shared} />
        ) : (
          <ActionIcon key={label} onClick={action.onClick} {...shared} />
        )
      })}
    </span>
  )
}

/** Renders the actions in a menu, for a card on a narrow screen. */
export function OwnTaskMenu(props: Props) {
  const title = props.task.task_title
  return <ActionMenu label={t`Actions for ${title}`} actions={actionsOf(props)} />
}
