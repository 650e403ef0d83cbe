import { t } from '@lingui/core/macro'
import { ActionIcon } from '@mantine/core'
import { type ComponentType, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Task } from '#contract/tasks.ts'
import {
  IconCalendar,
  IconCopy,
  IconDots,
  IconPencil,
  IconPlus,
  IconRefresh,
  IconTrash,
} from '#web/ui/icons.ts'
import { ModalPanel } from '#web/ui/modal-panel.tsx'
import { copyPath } from './copy-path.ts'

type Props = {
  task: Task
  addSlots: () => void
  moveDeadline: () => void
  reopen: () => void
  remove: () => void
}

type Icon = ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>
/** `name` includes the task, for screen readers in the table. */
type Action = { label: string; name: string; Icon: Icon; danger?: true } & (
  | { to: string }
  | { onClick: () => void }
)

/** Returns what a buyer can do with their own task in the list of My Tasks. */
function actionsOf({ task, addSlots, moveDeadline, reopen, remove }: Props): Action[] {
  const title = task.task_title
  const changes: Action[] = task.isClosed
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
    { label: t`Duplicate`, name: t`Duplicate ${title}`, Icon: IconCopy, to: copyPath(task) },
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

const ITEM_CLASS =
  'flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-control px-3 text-left no-underline hover:bg-canvas'

/** Renders the actions in a menu, for a card on a narrow screen. */
export function OwnTaskMenu(props: Props) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const title = props.task.task_title
  return (
    <>
      <ActionIcon
        ref={button}
        size={44}
        aria-haspopup="dialog"
        aria-label={t`Actions for ${title}`}
        title={t`Actions`}
        onClick={() => setOpen(true)}
      >
        <IconDots size={20} aria-hidden />
      </ActionIcon>
      <ModalPanel
        label={t`Actions for ${title}`}
        opened={isOpen}
        onClose={() => setOpen(false)}
        below={button}
      >
        <ul className="p-1.5">
          {actionsOf(props).map((action) => {
            const { label, Icon, danger } = action
            const content = (
              <>
                <Icon size={18} stroke={1.8} aria-hidden />
                {label}
              </>
            )
            return (
              <li key={label}>
                {'to' in action ? (
                  <Link to={action.to} className={ITEM_CLASS}>
                    {content}
                  </Link>
                ) : (
                  <button
                    type="button"
                    className={`${ITEM_CLASS} ${danger ? 'text-danger' : ''}`}
                    onClick={() => {
                      setOpen(false)
                      action.onClick()
                    }}
                  >
                    {content}
                  </button>
                )}
              </li>
            )
          })}
        </ul>
      </ModalPanel>
    </>
  )
}
