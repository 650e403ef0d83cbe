import { ActionIcon, Button } from '@mantine/core'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { myTask, type Task } from '#contract/tasks.ts'
import { SlotsLeft } from '#web/features/tasks/slots-left.tsx'
import { TaskPicture } from '#web/features/tasks/task-picture.tsx'
import { useDeleteTask } from '#web/features/tasks/use-delete-task.tsx'
import { useTaskChanges } from '#web/features/tasks/use-task-changes.tsx'
import { formatDay, formatNumber } from '#web/lib/format.ts'
import { infiniteQueryOf } from '#web/lib/queries.ts'
import { useUserData } from '#web/lib/session.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconPencil, IconPlus, IconRefresh, IconTrash } from '#web/ui/icons.ts'
import { LoadMore } from '#web/ui/load-more.tsx'
import { type Column, ResponsiveList } from '#web/ui/responsive-list.tsx'
import { Screen } from '#web/ui/screen.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

/** Renders a buyer's own tasks. */
export default function MyTask() {
  const { email } = useUserData()
  const query = useSuspenseInfiniteQuery(infiniteQueryOf(myTask, { params: { email } }))
  const tasks = query.data.pages.flatMap((page) => page.reply)
  const remove = useDeleteTask('you')
  const changes = useTaskChanges()
  const actions = (task: Task) => (
    <Actions
      task={task}
      addSlots={() => void changes.addSlots(task)}
      reopen={() => void changes.reopen(task)}
      remove={() => void remove(task)}
    />
  )

  if (tasks.length === 0) {
    return (
      <Screen title="My Tasks">
        <EmptyState title="No tasks found" action={<AddTaskButton />}>
          Post your first task so that workers can start.
        </EmptyState>
      </Screen>
    )
  }
  return (
    <Screen title="My Tasks" subtitle="Latest deadline first" action={<AddTaskButton />}>
      <ResponsiveList
        label="Your tasks, latest deadline first"
        rows={tasks}
        rowKey={(task) => task._id}
        columns={[...COLUMNS, { header: 'Actions', cell: actions, align: 'right' }]}
        renderCard={(task) => <TaskCard task={task}>{actions(task)}</TaskCard>}
      />
      <LoadMore query={query} />
    </Screen>
  )
}

function AddTaskButton() {
  return (
    <Button component={Link} to="/dashboard/add-task" leftSection={<IconPlus size={18} aria-hidden />}>
      Add New Task
    </Button>
  )
}

const COLUMNS: Column<Task>[] = [
  { header: 'Image', cell: (task) => <TaskPicture image={task.task_image_url} category={task.category} /> },
  {
    header: 'Title',
    width: 'min-w-44',
    cell: (task) => (
      <>
        <span className="line-clamp-2 text-base leading-snug font-number">{task.task_title}</span>
        <span className="mt-0.5 line-clamp-1 text-dim min-[88rem]:hidden">{task.task_detail}</span>
        <span className="line-clamp-1 text-dim xl:hidden">Submission info: {task.submission_info}</span>
      </>
    ),
  },
  {
    header: 'Details',
    width: 'hidden min-w-48 min-[88rem]:table-cell',
    cell: (task) => <span className="line-clamp-2 text-dim">{task.task_detail}</span>,
  },
  {
    header: 'Workers',
    cell: (task) => (
      <SlotsLeft slotsLeft={task.worker} slots={task.required_workers} closed={task.isClosed} bar />
    ),
  },
  { header: 'Payable', align: 'right', cell: (task) => <Payable amount={task.payable_amount} /> },
  {
    header: 'Deadline',
    cell: (task) => <span className="whitespace-nowrap">{formatDay(task.completion_date)}</span>,
  },
  {
    header: 'Submission info',
    width: 'hidden min-w-40 xl:table-cell',
    cell: (task) => <span className="line-clamp-2 text-dim">{task.submission_info}</span>,
  },
]

/** Renders the pay with the currency sign prescribed for this table (docs/specification/screens.md#my-tasks). */
function Payable({ amount }: { amount: number }) {
  return <span className="whitespace-nowrap font-number tabular-nums">{formatNumber(amount)} ৳</span>
}

type ActionsProps = { task: Task; addSlots: () => void; reopen: () => void; remove: () => void }

function Actions({ task, addSlots, reopen, remove }: ActionsProps) {
  return (
    <span className="inline-flex gap-2">
      {task.isClosed ? (
        <ActionIcon aria-label={`Reopen ${task.task_title}`} title="Reopen" onClick={reopen}>
          <IconRefresh size={18} stroke={1.8} aria-hidden />
        </ActionIcon>
      ) : (
        <ActionIcon aria-label={`Add workers to ${task.task_title}`} title="Add workers" onClick={addSlots}>
          <IconPlus size={18} stroke={1.8} aria-hidden />
        </ActionIcon>
      )}
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

function TaskCard({ task, children }: { task: Task; children: React.ReactNode }) {
  return (
    <article>
      <div className="flex items-start gap-3">
        <TaskPicture image={task.task_image_url} category={task.category} />
        <h2 className="line-clamp-2 min-w-0 flex-1 text-base leading-snug font-number tracking-normal">
          {task.task_title}
        </h2>
        <Payable amount={task.payable_amount} />
      </div>
      <p className="mt-2 line-clamp-2 text-sm text-dim">{task.task_detail}</p>
      <p className="mt-1 line-clamp-1 text-sm text-dim">
        <span className="font-number">Submission info:</span> {task.submission_info}
      </p>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <SlotsLeft slotsLeft={task.worker} slots={task.required_workers} closed={task.isClosed} />
          <span className="text-sm text-dim">
            <span className="sr-only">Deadline </span>
            {formatDay(task.completion_date)}
          </span>
        </div>
        {children}
      </div>
    </article>
  )
}
