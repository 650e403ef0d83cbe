import type { MyTaskSort, MyTaskState } from '#contract/tasks.ts'
import { type Db, PIPELINED, query, queryOne } from '#server/database/database.ts'
import { afterCursor, beforeCursor } from '#server/database/keyset.ts'
import { queryPackedRows } from '#server/database/row-packing.ts'
import { hasNoWord } from '#server/database/search-words.ts'
import type { KeyPart } from '#server/http/pagination.ts'
import { COLUMNS, JOINS, KINDS, type TaskRow } from './queries.ts'
import { searchTermsOf } from './search-terms.ts'

/** Whether a task has work that waits for its buyer. The second condition is that of the index. */
const HAS_PENDING = `exists (select from submissions where task_id = tasks.id and status = 'pending'
  and status not in ('approved', 'rejected'))`

const IN_STATE = `case $2 when 'open' then tasks.closed_at is null and tasks.slots_left > 0
  when 'filled' then tasks.closed_at is null and tasks.slots_left = 0
  when 'ended' then tasks.closed_at is not null
  when 'review' then ${HAS_PENDING}
  else true end`

type Order = { order: string; after: string; shape: readonly KeyPart[] }

const byDeadline = (comparison: string, direction: string, bound: typeof afterCursor): Order => ({
  order: `tasks.completion_date ${direction}, tasks.id ${direction}`,
  after: `(tasks.completion_date, tasks.id) ${comparison} (${bound('$4', 'date')}, ${bound('$5', 'uuid')})`,
  shape: ['day', 'id'],
})
const ORDERS: Record<MyTaskSort, Order> = {
  deadline: byDeadline('<', 'desc', beforeCursor),
  ending: byDeadline('>', '', afterCursor),
  newest: {
    order: 'tasks.id desc',
    after: `tasks.id < ${beforeCursor('$5', 'uuid')} and $4::date is null`,
    shape: ['id'],
  },
}

type Values = [
  buyerEmailKey: string,
  state: MyTaskState | null,
  words: string | null,
  day: string | null,
  id: string | null,
  limit: number,
]

// A buyer's tasks are few of all tasks: their index finds them, and they are filtered and sorted in memory.
const listOf = (sort: MyTaskSort) =>
  queryPackedRows<TaskRow, Values>(
    `tasks_of_buyer_by_${sort}`,
    `with mine as materialized (
       select id, completion_date from tasks
        where buyer_id = (select id from users where email_key = $1) and deleted_at is null
          and ($3::tsquery is null or search @@ $3::tsquery) and ${IN_STATE}),
     page as materialized (
       select id from mine as tasks where ${ORDERS[sort].after} order by ${ORDERS[sort].order} limit $6)
     select ${COLUMNS} from page join tasks on tasks.id = page.id ${JOINS} order by ${ORDERS[sort].order}`,
    KINDS,
    PIPELINED,
  )
const LISTS = { deadline: listOf('deadline'), ending: listOf('ending'), newest: listOf('newest') }

export type MyTaskFilter = { state?: MyTaskState | undefined; q?: string | undefined; sort: MyTaskSort }

/** Returns a page of a buyer's tasks that pass the filter. */
export async function listMyTasks(
  db: Db,
  buyerEmailKey: string,
  { state, q = '', sort }: MyTaskFilter,
  after: readonly (string | number | null)[],
  limit: number,
): Promise<TaskRow[]> {
  if (hasNoWord(q)) return []
  const words = await searchTermsOf(db, q)
  const day = after.length === 2 ? (after[0] as string | null) : null
  return LISTS[sort](
    db,
    buyerEmailKey,
    state ?? null,
    words,
    day,
    (after.at(-1) ?? null) as string | null,
    limit,
  )
}

/** Returns what a cursor of this order contains. */
export const myTaskKey = (sort: MyTaskSort) => ({
  shape: ORDERS[sort].shape,
  key: (row: TaskRow) => (sort === 'newest' ? [row.id] : [row.completion_date, row.id]),
})

export type ProgressRow = {
  task_id: string
  reserved: number
  pending: number
  review_by: string | null
  unsettled: number
  approved: number
  rejected: number
  escrowed: number
  held: boolean
}

/** Returns the work on those of these tasks that are the buyer's, in numbers. */
export const progressOfTasks = query<ProgressRow, [buyer: string, tasks: readonly string[]]>(
  'task_progress',
  `select tasks.id as task_id,
          (select count(*) from reservations where task_id = tasks.id and ended_at is null) as reserved,
          live.pending, live.review_by, live.unsettled, first_decision.approved + disputed.approved as approved,
          disputed.rejected, accounts.balance as escrowed, tasks.held_at is not null as held
     from unnest($2::uuid[]) as asked(id)
     join tasks on tasks.id = asked.id and tasks.buyer_id = $1
     join ledger_accounts as accounts on accounts.id = tasks.escrow_id
    cross join lateral (
      select count(*) filter (where status = 'pending') as pending,
             min(due_at) filter (where status = 'pending') as review_by,
             count(*) filter (where status <> 'pending') as unsettled
        from submissions where task_id = tasks.id and status not in ('approved', 'rejected')) as live
    cross join lateral (
      select count(*) filter (where status = 'approved') as approved
        from submissions where task_id = tasks.id and rejected_at is null) as first_decision
    cross join lateral (
      select count(*) filter (where status = 'approved') as approved,
             count(*) filter (where status = 'rejected') as rejected
        from submissions where task_id = tasks.id and rejected_at is not null) as disputed`,
  PIPELINED,
)

type TotalsRow = {
  all: number
  review: number
  open: number
  filled: number
  ended: number
  escrow: number
}

/** Returns how many of a buyer's tasks are in each state, and the coins in their escrows. */
export const totalsOfBuyer = queryOne<TotalsRow, [buyer: string]>(
  'task_totals_of_buyer',
  `select count(*) as all, count(*) filter (where ${HAS_PENDING}) as review,
          count(*) filter (where closed_at is null and slots_left > 0) as open,
          count(*) filter (where closed_at is null and slots_left = 0) as filled,
          count(closed_at) as ended,
          coalesce(sum((select balance from ledger_accounts where id = tasks.escrow_id)), 0)::bigint as escrow
     from tasks where buyer_id = $1 and deleted_at is null`,
  PIPELINED,
)
