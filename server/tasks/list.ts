import { LIST_LIMIT_MAX } from '#contract/product.ts'
import type { TaskSort } from '#contract/tasks.ts'
import type { Db } from '#server/database/database.ts'
import { queryPackedRows } from '#server/database/row-packing.ts'
import type { KeyPart } from '#server/http/pagination.ts'
import { COLUMNS, JOINS, KINDS, type TaskRow } from './queries.ts'
import { searchTermsOf } from './search-terms.ts'

/** Which tasks: `open` those with a slot to take, `workers` all that are not closed, `all` all that are not deleted. */
export type Scope = 'open' | 'workers' | 'all'

const WHERE: Record<Scope, string> = {
  open: 'tasks.closed_at is null and tasks.slots_left > 0',
  workers: 'tasks.closed_at is null',
  all: 'tasks.deleted_at is null',
}

const OPEN = 'closed_at is null'
/** The parts of the table that hold a scope; words are looked up in an index of each. */
const PARTS: Record<Scope, string[]> = {
  open: [OPEN],
  workers: [OPEN],
  all: [OPEN, 'closed_at is not null and deleted_at is null'],
}

/** A sort is a column and then the id: what the page goes on after, in the order of an index. */
type Sort = {
  order: string
  after: string
  shape: readonly KeyPart[]
  key: (row: TaskRow) => (string | number)[]
}

const SORTS: Record<TaskSort, Sort> = {
  newest: {
    order: 'tasks.id desc',
    after: 'tasks.id < $3::uuid and $2::text is null',
    shape: ['id'],
    key: (row) => [row.id],
  },
  pay: {
    order: 'tasks.reward desc, tasks.id desc',
    after: '(tasks.reward, tasks.id) < ($2::bigint, $3::uuid)',
    shape: ['number', 'id'],
    key: (row) => [row.reward, row.id],
  },
  deadline: {
    order: 'tasks.completion_date, tasks.id',
    after: '(tasks.completion_date, tasks.id) > ($2::date, $3::uuid)',
    shape: ['day', 'id'],
    key: (row) => [row.completion_date, row.id],
  },
  slots: {
    order: 'tasks.slots_left desc, tasks.id desc',
    after: '(tasks.slots_left, tasks.id) < ($2::bigint, $3::uuid)',
    shape: ['number', 'id'],
    key: (row) => [row.slots_left, row.id],
  },
}

type Values = [
  limit: number,
  afterKey: string | number | null,
  afterId: string | null,
  words: string | null,
  payMin: number | null,
  payMax: number | null,
]

// One statement for each combination; a condition that is not asked for is not there.
const STATEMENTS = new Map(
  Object.entries(WHERE).flatMap(([scope, where]) =>
    Object.entries(SORTS).flatMap(([sort, { order, after }]) =>
      [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => {
        const name = `tasks_${scope}_by_${sort}_${bits}`
        const listed = `${where} and ${bits & 1 ? after : '$2::text is null and $3::text is null'}`
        const words = bits & 2 ? `tasks.search @@ $4::tsquery` : '$4::text is null'
        const pay =
          bits & 4
            ? 'tasks.reward between coalesce($5, 0) and coalesce($6, 1000000000)'
            : '$5::text is null and $6::text is null'
        const inOrder = !(bits & 2) && (!(bits & 4) || sort === 'pay')
        const page = inOrder
          ? firstOf(`tasks where ${listed} and ${words} and ${pay}`, order)
          : bits & 2
            ? sieved(scope as Scope, listed, words, pay, order)
            : sieved(scope as Scope, listed, pay, words, order)
        const sql = `with page as materialized (${page})
          select ${COLUMNS} from page join tasks on tasks.id = page.id ${JOINS} order by ${order}`
        // A search may take long.
        return [name, queryPackedRows<TaskRow, Values>(name, sql, KINDS, { pipelined: inOrder })] as const
      }),
    ),
  ),
)

/**
 * A page of what passes a filter. Where much passes, the nearest thousand of the list hold a whole page; only where
 * they do not, all that passes is gathered by the filter's own index (docs/performance.md says what that costs).
 */
function sieved(scope: Scope, listed: string, filter: string, andAlso: string, order: string): string {
  const columns = 'id, reward, completion_date, slots_left, closed_at, deleted_at'
  const passing = PARTS[scope].map(
    (part) => `select ${columns} from tasks where (select count(*) from near) < $1 and ${part} and ${filter}`,
  )
  return `with near as materialized (
      select id from (select ${columns}, search from tasks where ${listed} order by ${order} limit 1000) as tasks
       where ${filter} and ${andAlso} order by ${order} limit $1),
    passing as materialized (${passing.join(' union all ')})
    select id from near where (select count(*) from near) >= $1
    union all
    (${firstOf(`passing as tasks where ${listed} and ${andAlso}`, order)})`
}

/**
 * The first ids of these in an order. The planner takes an unknown limit for a tenth of the table, and would then join
 * whole tables; it knows the constant.
 */
function firstOf(tasks: string, order: string): string {
  return `select id from (
    select id, reward, completion_date, slots_left from ${tasks} order by ${order} limit ${LIST_LIMIT_MAX + 1}) as tasks
   order by ${order} limit $1`
}

export type Filter = {
  scope: Scope
  sort: TaskSort
  q?: string | undefined
  payMin?: number | undefined
  payMax?: number | undefined
}

/** The key of a page in this order, for the cursor. */
export function keyOfSort(sort: TaskSort): {
  shape: readonly KeyPart[]
  key: (row: TaskRow) => (string | number)[]
} {
  return SORTS[sort]
}

/** Tasks of a list in an order, after the row with this key (nulls: from the beginning). */
export async function listTasks(
  db: Db,
  filter: Filter,
  after: readonly (string | number | null)[],
  limit: number,
): Promise<TaskRow[]> {
  const words = await searchTermsOf(db, filter.q ?? '')
  const paid = filter.payMin !== undefined || filter.payMax !== undefined
  const id = after.at(-1) ?? null
  const bits = (id === null ? 0 : 1) + (words === null ? 0 : 2) + (paid ? 4 : 0)
  const statement = STATEMENTS.get(`tasks_${filter.scope}_by_${filter.sort}_${bits}`)
  if (statement === undefined) throw new Error(`There is no list ${filter.scope} by ${filter.sort}`)
  const key = after.length === 2 ? (after[0] ?? null) : null
  return statement(db, limit, key, id as string | null, words, filter.payMin ?? null, filter.payMax ?? null)
}
