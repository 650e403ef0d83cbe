import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import {
  MyTaskSort,
  MyTaskState,
  myTask,
  myTaskTotals,
  type TaskProgress as Progress,
  type Task,
} from '#contract/tasks.ts'
import { TASK_CATEGORY_NAMES } from '#web/features/tasks/category-names.en.ts'
import { detailText } from '#web/features/tasks/detail-text.ts'
import { OwnTaskActions, OwnTaskMenu } from '#web/features/tasks/own-task-actions.tsx'
import { SlotsLeft } from '#web/features/tasks/slots-left.tsx'
import { TaskPicture } from '#web/features/tasks/task-picture.tsx'
import { TaskProgress, TaskSpending } from '#web/features/tasks/task-progress.tsx'
import { useDeleteTask } from '#web/features/tasks/use-delete-task.tsx'
import { useOpenProject } from '#web/features/tasks/use-open-project.ts'
import { useTaskChanges } from '#web/features/tasks/use-task-changes.tsx'
import { useTaskProgress } from '#web/features/tasks/use-task-progress.ts'
import { formatCoins, formatNumber } from '#web/lib/format.ts'
import { formatDay } from '#web/lib/format-time.ts'
import { infiniteQueryOf, keepPreviousRows, queryOf } from '#web/lib/queries.ts'
import { useSearchParams, withParam } from '#web/lib/search-params.ts'
import { useUserData } from '#web/lib/session.tsx'
import { DataTable } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterLinks } from '#web/ui/filter-links.tsx'
import { IconPlus } from '#web/ui/icons.ts'
import { LoadMore } from '#web/ui/load-more.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { QueryState } from '#web/ui/query-state.tsx'
import type { Column } from '#web/ui/responsive-list.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { SearchInput, useSearchQuery } from '#web/ui/search-input.tsx'
import { ListSkeleton } from '#web/ui/skeleton.tsx'
import type { ScreenHandle } from './layout.tsx'

export const handle: ScreenHandle = { roles: ['Buyer'] }

const SORT_OPTIONS = [
  { value: '', label: t`Latest deadline first` },
  { value: 'ending', label: t`Earliest deadline first` },
  { value: 'newest', label: t`Newest first` },
]
const STATES: { value: MyTaskState | ''; word: string }[] = [
  { value: '', word: t`All` },
  { value: 'review', word: t`To review` },
  { value: 'open', word: t`Open` },
  { value: 'filled', word: t`Filled` },
  { value: 'ended', word: t`Ended` },
]

/** Renders a buyer's own tasks with the work on each. */
export default function MyTask() {
  const { email } = useUserData()
  const [search, setSearch] = useSearchParams()
  const [q, setQuery] = useSearchQuery()
  const state = MyTaskState.safeParse(search.get('state')).data
  const sort = MyTaskSort.safeParse(search.get('sort')).data
  const query = useInfiniteQuery({
    ...infiniteQueryOf(myTask, { params: { email }, query: { q: q || undefined, state, sort } }),
    placeholderData: keepPreviousRows,
  })
  const tasks = query.data?.pages.flatMap((page) => page.reply)
  const totals = useQuery({ ...queryOf(myTaskTotals, {}), placeholderData: keepPreviousData }).data
  const isFiltered = q !== '' || state !== undefined
  const setSort = (value: string) =>
    setSearch((current) => withParam(current, 'sort', value), { replace: true, preventScrollReset: true })

  if (tasks?.length === 0 && !isFiltered) {
    return (
      <Screen title={t`My Tasks`}>
        <EmptyState title={t`No tasks found`} action={<NewTaskLinks isCentered />}>
          {t`Post your first task so that workers can start.`}
        </EmptyState>
      </Screen>
    )
  }
  return (
    <Screen
      title={t`My Tasks`}
      subtitle={
        totals && totals.escrow > 0 ? t`${{ coins: formatCoins(totals.escrow) }} in escrow` : undefined
      }
      action={<NewTaskLinks />}
    >
      <search className="filter-row">
        <FilterLinks
          label={t`Filter by state`}
          name="state"
          options={STATES.map(({ value, word }) => ({
            value,
            label: totals ? `${word} ${formatNumber(totals[value || 'all'])}` : word,
          }))}
        />
        <SearchInput label={t`Search your tasks`} value={q} onChange={setQuery} />
        <NativeSelect
          label={t`Sort by`}
          data={SORT_OPTIONS}
          value={sort === undefined || sort === 'deadline' ? '' : sort}
          onChange={setSort}
        />
      </search>
      {tasks === undefined ? (
        <QueryState query={query} skeleton={<ListSkeleton rows={6} />} />
      ) : tasks.length === 0 ? (
        <EmptyState
          title={t`No tasks found`}
          action={
            <Button component={Link} to="/dashboard/my-task" variant="default">{t`Show all tasks`}</Button>
          }
        >
          {t`No tasks match your search.`}
        </EmptyState>
      ) : (
        <div className={query.isPlaceholderData ? 'opacity-60 transition-opacity' : ''}>
          <TaskTable tasks={tasks} />
          <LoadMore query={query} />
        </div>
      )}
    </Screen>
  )
}

function TaskTable({ tasks }: { tasks: Task[] }) {
  const progress = useTaskProgress(tasks.map(({ _id }) => _id))
  const remove = useDeleteTask('you')
  const changes = useTaskChanges()
  const openProject = useOpenProject()
  const actionsOf = (task: Task) => ({
    task,
    addSlots: () => void changes.addSlots(task),
    moveDeadline: () => void changes.moveDeadline(task),
    reopen: () => void changes.reopen(task),
    uploadItems: () => void openProject(task._id),
    remove: () => void remove(task),
  })
  return (
    <DataTable
      label={t`Your tasks`}
      rows={tasks}
      rowKey={(task) => task._id}
      columns={[
        ...TEXT_COLUMNS,
        {
          header: t`Workers`,
          width: 'min-w-48',
          cell: (task) => (
            <>
              <SlotsLeft slotsLeft={task.worker} slots={task.required_workers} closed={task.isClosed} />
              <span className="mt-1.5 block">
                <TaskProgress task={task} progress={progress.get(task._id)} />
              </span>
            </>
          ),
        },
        {
          header: t`Payable`,
          align: 'right',
          cell: (task) => (
            <>
              <Payable amount={task.payable_amount} />
              <TaskSpending task={task} progress={progress.get(task._id)} isStacked />
            </>
          ),
        },
        ...LAST_COLUMNS,
        {
          header: t`Actions`,
          cell: (task) => <OwnTaskActions {...actionsOf(task)} />,
          align: 'right',
        },
      ]}
      renderCard={(task) => (
        <TaskCard task={task} progress={progress.get(task._id)}>
          <OwnTaskMenu {...actionsOf(task)} />
        </TaskCard>
      )}
    />
  )
}

function NewTaskLinks({ isCentered = false }: { isCentered?: boolean }) {
  return (
    <div className={`flex flex-wrap gap-3 ${isCentered ? 'justify-center' : ''}`}>
      <Button component={Link} to="/dashboard/task-drafts" variant="default" px={14}>
        {t`Drafts and templates`}
      </Button>
      <Button
        component={Link}
        to="/dashboard/add-task"
        px={14}
        leftSection={<IconPlus size={18} aria-hidden />}
      >
        {t`Add New Task`}
      </Button>
    </div>
  )
}

const TEXT_COLUMNS: Column<Task>[] = [
  { header: t`Image`, cell: (task) => <TaskPicture image={task.task_image_url} category={task.category} /> },
  {
    header: t`Title`,
    width: 'min-w-44',
    cell: (task) => (
      <>
        <Link
          to={`/dashboard/task-details/${task._id}`}
          className="line-clamp-2 leading-snug font-number no-underline hover:underline"
        >
          {task.task_title}
        </Link>
        <span className="mt-0.5 block text-xs text-dim">{TASK_CATEGORY_NAMES[task.category]}</span>
        <span className="line-clamp-1 text-xs text-dim min-[100rem]:hidden">{detailText(task)}</span>
        <span className="line-clamp-1 text-xs text-dim xl:hidden">
          {t`Submission info: ${{ info: task.submission_info }}`}
        </span>
      </>
    ),
  },
  {
    header: t`Details`,
    width: 'hidden min-w-36 min-[100rem]:table-cell',
    cell: (task) => <span className="line-clamp-3 text-xs text-dim">{detailText(task)}</span>,
  },
]

const LAST_COLUMNS: Column<Task>[] = [
  {
    header: t`Deadline`,
    cell: (task) => <span className="whitespace-nowrap">{formatDay(task.completion_date)}</span>,
  },
  {
    header: t`Submission info`,
    width: 'hidden min-w-32 xl:table-cell',
    cell: (task) => <span className="line-clamp-3 text-xs text-dim">{task.submission_info}</span>,
  },
]

/** Renders the pay with the currency sign prescribed for this table (docs/specification/screens.md#my-tasks). */
function Payable({ amount }: { amount: number }) {
  return <span className="whitespace-nowrap font-number tabular-nums">{formatNumber(amount)} ৳</span>
}

/** `children`: its menu. */
type TaskCardProps = { task: Task; progress: Progress | undefined; children: React.ReactNode }

function TaskCard({ task, progress, children }: TaskCardProps) {
  return (
    <article>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <TaskPicture image={task.task_image_url} category={task.category} />
        <div className="min-w-0 flex-1 basis-36">
          <h2 className="line-clamp-2 text-base leading-snug font-number tracking-normal">
            <Link to={`/dashboard/task-details/${task._id}`} className="no-underline hover:underline">
              {task.task_title}
            </Link>
          </h2>
          <p className="flex flex-wrap items-center gap-x-3">
            <Payable amount={task.payable_amount} />
            <TaskSpending task={task} progress={progress} />
          </p>
        </div>
        {children}
      </div>
      <p className="mt-1 line-clamp-1 text-sm text-dim">{detailText(task)}</p>
      <p className="line-clamp-1 text-sm text-dim">{t`Submission info: ${{ info: task.submission_info }}`}</p>
      <div className="mt-2">
        <TaskProgress task={task} progress={progress} />
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <SlotsLeft slotsLeft={task.worker} slots={task.required_workers} closed={task.isClosed} />
        <span className="text-sm text-dim">
          <Trans>
            <span className="sr-only">Deadline </span>
            {{ day: formatDay(task.completion_date) }}
          </Trans>
        </span>
      </div>
    </article>
  )
}
