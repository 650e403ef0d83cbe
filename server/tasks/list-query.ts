import { LIST_LIMIT_MAX } from '#contract/product.ts'
import type { TaskCategory } from '#contract/task-categories.ts'
import type { TaskSort } from '#contract/tasks.ts'
import { firstByMostSlots } from './most-slots.ts'
import { newestMatchingIds } from './newest-matching.ts'
import { COLUMNS, JOINS } from './queries.ts'

/** Which tasks: `open` those with a slot left, `workers` all that are not closed, `all` all that are not deleted. */
export type Scope = 'open' | 'workers' | 'all'

/** The values that a statement may take; each shape takes those that its conditions name. */
export type ListValues = {
  limit: number
  /** The last row of the page before: its sort column, then its id. */
  afterKey: string | number | null
  afterId: string | null
  /** A tsquery of the words searched for. */
  words: string | null
  rewardMin: number | null
  rewardMax: number | null
  category: TaskCategory | null
}

/**
 * The shape of a list: its order and which conditions it has. Each shape has a statement of its own, because a condition
 * that is switched off by a null parameter ("$2 is null or …") keeps an index from being used.
 */
export type ListShape = {
  scope: Scope
  sort: TaskSort
  /** Continues after a row. */
  next: boolean
  /** Has words to search for. */
  search: boolean
  /** Has a smallest or largest reward. */
  reward: boolean
  /** Has a category. */
  category: boolean
  /** Includes tasks that are in no public list: private ones and those that only favourites see yet. */
  unlisted: boolean
}

type ListQuery = { sql: string; parameters: (keyof ListValues)[]; pipelined: boolean }

/** Private tasks and those that only favourites see yet are in no public list. The subquery reads the clock once. */
const LISTED = 'tasks.listed_from <= (select clock_time())'
const SCOPES: Record<Scope, string> = {
  open: 'tasks.closed_at is null and tasks.slots_left > 0 and tasks.held_at is null',
  workers: 'tasks.closed_at is null',
  all: 'tasks.deleted_at is null',
}

const OPEN = 'closed_at is null'
/** The parts of the table that contain a scope. Words, rewards and categories have an index on each. */
const PARTS: Record<Scope, string[]> = {
  open: [OPEN],
  workers: [OPEN],
  all: [OPEN, 'closed_at is not null and deleted_at is null'],
}
/** The condition of the indexes of a scope's orders. */
const INDEXED: Record<Scope, string> = { open: OPEN, workers: OPEN, all: 'deleted_at is null' }

type Parameter = (name: keyof ListValues) => string
type Order = { order: string; after: (parameter: Parameter) => string }

/** Each order is a column and then the id, and has an index; that of free slots is in another table. */
const ORDERS: Record<TaskSort, Order> = {
  newest: {
    order: 'tasks.id desc',
    after: ($) => `tasks.id < ${$('afterId')}::uuid`,
  },
  pay: {
    order: 'tasks.reward desc, tasks.id desc',
    after: ($) => `(tasks.reward, tasks.id) < (${$('afterKey')}::bigint, ${$('afterId')}::uuid)`,
  },
  hourly: {
    order: 'tasks.hourly_pay desc, tasks.id desc',
    after: ($) => `(tasks.hourly_pay, tasks.id) < (${$('afterKey')}::bigint, ${$('afterId')}::uuid)`,
  },
  deadline: {
    order: 'tasks.completion_date, tasks.id',
    after: ($) => `(tasks.completion_date, tasks.id) > (${$('afterKey')}::date, ${$('afterId')}::uuid)`,
  },
  slots: {
    order: 'tasks.slots_left desc, tasks.id desc',
    after: ($) => `(tasks.slots_left, tasks.id) < (${positionIn($).slots}, ${positionIn($).id})`,
  },
}

/** Returns the last row of the page before, in the order of free slots. */
const positionIn = ($: Parameter) => ({ slots: `${$('afterKey')}::bigint`, id: `${$('afterId')}::uuid` })

/** Returns the name of a shape's statement, for example `tasks_open_by_pay_next_search` and, with unlisted tasks, `managed_all_by_pay`. */
export function nameOf({ scope, sort, next, search, reward, category, unlisted }: ListShape): string {
  const conditions = [next && 'next', search && 'search', reward && 'reward', category && 'category'].filter(
    Boolean,
  )
  return [unlisted ? 'managed' : 'tasks', scope, 'by', sort, ...conditions].join('_')
}

/** Builds the statement of a shape, and the parameters that it takes in their order. */
export function buildListQuery(shape: ListShape): ListQuery {
  const { scope, sort, next, search, reward, category, unlisted } = shape
  const { order, after } = ORDERS[sort]
  const parameters: (keyof ListValues)[] = ['limit']
  const $: Parameter = (name) => {
    if (!parameters.includes(name)) parameters.push(name)
    return `$${parameters.indexOf(name) + 1}`
  }
  const all = (...conditions: (string | false)[]) => conditions.filter(Boolean).join(' and ')

  const inScope = all(SCOPES[scope], !unlisted && LISTED)
  const listed = all(inScope, next && after($))
  const words = search && `tasks.search @@ ${$('words')}::tsquery`
  const paid =
    reward &&
    `tasks.reward between coalesce(${$('rewardMin')}, 0) and coalesce(${$('rewardMax')}, 1000000000)`

  const categorized = category && `tasks.category = ${$('category')}`
  // The index of the order serves the list, and rewards too where they are the order.
  const isIndexed = !search && !category && (!reward || sort === 'pay')
  // The first is looked up in its index, the others are checked on what it finds.
  const [filter = '', ...rest] = [words, categorized, paid].filter((condition) => condition !== false)
  const andRest = rest.map((condition) => ` and ${condition}`).join('')
  const conditions = isIndexed ? all(listed, paid) : listed
  const first: FirstTasks =
    sort === 'slots'
      ? (columns, limit) =>
          firstByMostSlots({ columns, scope, listed: inScope, after: next && positionIn($), limit })
      : (columns, limit) =>
          `select tasks.id, tasks.slots_left, ${columns} from tasks where ${conditions} order by ${order} limit ${limit}`
  const page = isIndexed
    ? firstIds(first(ORDER_COLUMNS, ROWS_MAX), order)
    : words && sort === 'newest'
      ? newestMatchingIds({
          scope: inScope,
          listed,
          indexed: INDEXED[scope],
          parts: PARTS[scope],
          // The subquery hides the words from the planner. By its estimates for the first five searches of a connection, it would plan
          // each later search again or none, and planning takes as long as the search.
          words: `tasks.search @@ (select ${$('words')}::tsquery)`,
          andRest,
        })
      : filteredIds({ scope, first, listed, filter, andRest, order })
  return {
    sql: `with page as materialized (${page})
          select ${COLUMNS} from page join tasks on tasks.id = page.id ${JOINS} order by ${order}`,
    parameters,
    pipelined: isIndexed, // a filter may take long and would delay the other queries of a pipeline
  }
}

/** The columns of the orders, in addition to those that each query of first tasks has. */
const ORDER_COLUMNS = 'tasks.reward, tasks.hourly_pay, tasks.completion_date'
const LISTED_COLUMNS = `tasks.id, tasks.slots_left, ${ORDER_COLUMNS}, tasks.category, tasks.listed_from, tasks.closed_at, tasks.held_at, tasks.deleted_at`
/** For the planner, which takes an unknown limit for a tenth of the table and would join whole tables. */
const ROWS_MAX = LIST_LIMIT_MAX + 1

/** Returns a query of the first tasks of a list: their ids, their free slots and these columns. */
type FirstTasks = (columns: string, limit: number) => string

type Filtered = {
  scope: Scope
  first: FirstTasks
  /** The condition that puts a task on the page or on a later one. */
  listed: string
  /** A condition that has an index. */
  filter: string
  /** Other conditions, each with `and` before it. */
  andRest: string
  order: string
}

/**
 * Selects the ids of a page that pass `filter`. When many tasks pass, the first thousand of the list contain a whole page.
 * Only when they do not, the index of the filter collects all that pass (docs/performance.md has the cost).
 */
function filteredIds({ scope, first, listed, filter, andRest, order }: Filtered): string {
  const passing = PARTS[scope].map(
    (part) =>
      `select ${LISTED_COLUMNS} from tasks where (select count(*) from near) < $1 and ${part} and ${filter}`,
  )
  const passes = `${ORDER_COLUMNS}, (${filter}${andRest}) as passes`
  const firstPassing = `select tasks.id, tasks.slots_left, ${ORDER_COLUMNS} from passing as tasks where ${listed}${andRest} order by ${order} limit ${ROWS_MAX}`
  return `with near as materialized (
      select id from (${first(passes, 1000)}) as tasks where passes order by ${order} limit $1),
    passing as materialized (${passing.join(' union all ')})
    select id from near where (select count(*) from near) >= $1
    union all
    (${firstIds(firstPassing, order)})`
}

/** Selects the ids of a page from a query of its first tasks. */
const firstIds = (first: string, order: string) =>
  `select id from (${first}) as tasks order by ${order} limit $1`

const BOTH = [false, true]

/** Every shape that a request can ask for, for the tests that plan all statements. */
export const LIST_SHAPES: ListShape[] = (Object.keys(SCOPES) as Scope[]).flatMap((scope) =>
  (Object.keys(ORDERS) as TaskSort[]).flatMap((sort) =>
    BOTH.flatMap((next) =>
      BOTH.flatMap((search) =>
        BOTH.flatMap((reward) =>
          BOTH.flatMap((category) =>
            BOTH.filter((unlisted) => !unlisted || scope !== 'workers').map((unlisted) => ({
              scope,
              sort,
              next,
              search,
              reward,
              category,
              unlisted,
            })),
          ),
        ),
      ),
    ),
  ),
)
