import { t } from '@lingui/core/macro'
import { ActionIcon, Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type ManagedTask, managedTasks } from '#contract/tasks.ts'
import { CoinAmount } from '#web/features/coins/coin-amount.tsx'
import { SlotsLeft } from '#web/features/tasks/slots-left.tsx'
import { TaskFilterBar, useTaskFilter } from '#web/features/tasks/task-filter.tsx'
import { TaskPicture } from '#web/features/tasks/task-picture.tsx'
import { useDeleteTask } from '#web/features/tasks/use-delete-task.tsx'
import { formatDay } from '#web/lib/format-time.ts'
import { infiniteQueryOf, keepPreviousRows } from '#web/lib/queries.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconTrash } from '#web/ui/icons.ts'
import { LoadMore } from '#web/ui/load-more.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Admin'] }

/** Renders all tasks of all buyers, private ones too, for an Admin to search and delete. */
export default function ManageTask() {
  const { filter, change, clear, filtered } = useTaskFilter()
  const { q, pay_min, open, category, sort } = filter
  const query = useInfiniteQuery({
    ...infiniteQueryOf(managedTasks, {
      query: {
        q: q || undefined,
        sort,
        pay_min: pay_min || undefined,
        open: open || undefined,
        category: category || undefined,
      },
    }),
    placeholderData: keepPreviousRows,
  })
  const tasks = query.data?.pages.flatMap((page) => page.reply)
  const remove = useDeleteTask('buyer')
  const actions = (task: ManagedTask) => (
    <ActionIcon
      c="red"
      aria-label={t`Delete ${{ title: task.task_title }}`}
      title={t`Delete`}
      onClick={() => void remove(task)}
    >
      <IconTrash size={18} stroke={1.8} aria-hidden />
    </ActionIcon>
  )

  return (
    <Screen title={t`Manage Task`} subtitle={t`All tasks of all buyers`}>
      <TaskFilterBar filter={filter} change={change} />
      {tasks === undefined ? (
        <QueryState query={query} skeleton={<ListSkeleton rows={6} />} />
      ) : tasks.length === 0 ? (
        <EmptyState
          title={t`No tasks found.`}
          action={filtered && <Button variant="default" onClick={clear}>{t`Show all tasks`}</Button>}
        >
          {filtered ? t`No tasks match your search.` : t`Tasks appear here as soon as buyers post them.`}
        </EmptyState>
      ) : (
        <>
          <DataTable
            label={t`All tasks`}
            rows={tasks}
            rowKey={(task) => task._id}
            columns={[
              {
                header: t`Task`,
                width: 'w-full min-w-32',
                cell: (task) => (
                  <span className="flex items-center gap-3">
                    <TaskPicture image={task.task_image_url} category={task.category} />
                    <span className="min-w-0">
                      <Title task={task} />
                      <span className="line-clamp-1 text-dim @4xl:hidden">{t`By ${{ buyer: task.buyer_name }}`}</span>
                    </span>
                  </span>
                ),
              },
              {
                header: t`Buyer`,
                width: 'hidden min-w-40 @4xl:table-cell',
                cell: (task) => (
                  <>
                    <span className="block max-w-44 truncate">{task.buyer_name}</span>
                    <span className="block max-w-44 truncate text-xs text-dim">{task.buyer}</span>
                  </>
                ),
              },
              {
                header: t`Workers`,
                cell: (task) => (
                  <SlotsLeft
                    slotsLeft={task.worker}
                    slots={task.required_workers}
                    closed={task.isClosed}
                    bar
                  />
                ),
              },
              {
                header: t`Pay`,
                align: 'right',
                cell: (task) => <CoinAmount value={task.payable_amount} />,
              },
              {
                header: t`Deadline`,
                cell: (task) => <span className="whitespace-nowrap">{formatDay(task.completion_date)}</span>,
              },
              { header: t`Actions`, align: 'right', cell: actions },
            ]}
            renderCard={(task) => (
              <article>
                <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
                  <TaskPicture image={task.task_image_url} category={task.category} />
                  <div className="min-w-0 flex-1 basis-36">
                    <Title task={task} />
                    <p className="truncate text-sm text-dim">{t`By ${{ buyer: task.buyer_name }}`}</p>
                  </div>
                  <CoinAmount value={task.payable_amount} />
                </div>
                <div className="mt-3 flex items-center justify-between gap-3">
                  <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-dim">
                    <SlotsLeft slotsLeft={task.worker} slots={task.required_workers} closed={task.isClosed} />
                    {formatDay(task.completion_date)}
                  </span>
                  {actions(task)}
                </div>
              </article>
            )}
          />
          <LoadMore query={query} />
        </>
      )}
    </Screen>
  )
}

function Title({ task }: { task: ManagedTask }) {
  return (
    <>
      <Link
        to={`/dashboard/task-details/${task._id}`}
        className="line-clamp-2 text-base leading-snug font-number no-underline hover:underline"
      >
        {task.task_title}
      </Link>
      {task.unlisted !== null && (
        <StatusBadge tone="neutral">
          {task.unlisted === 'link' ? t`Private` : t`Only favourites so far`}
        </StatusBadge>
      )}
    </>
  )
}
