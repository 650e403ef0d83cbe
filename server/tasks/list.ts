import type { TaskCategory } from '#contract/task-categories.ts'
import type { TaskSort } from '#contract/tasks.ts'
import type { Db } from '#server/database/database.ts'
import { queryPackedRows } from '#server/database/row-packing.ts'
import { hasNoWord } from '#server/database/search-words.ts'
import type { KeyPart } from '#server/http/pagination.ts'
import { buildListQuery, type ListShape, type ListValues, nameOf, type Scope } from './list-query.ts'
import { KINDS, type TaskRow } from './queries.ts'
import { searchTermsOf } from './search-terms.ts'

type CursorKey = { shape: readonly KeyPart[]; key: (row: TaskRow) => (string | number)[] }

const CURSOR_KEYS: Record<TaskSort, CursorKey> = {
  newest: { shape: ['id'], key: (row) => [row.id] },
  pay: { shape: ['number', 'id'], key: (row) => [row.reward, row.id] },
  hourly: { shape: ['number', 'id'], key: (row) => [row.hourly_pay, row.id] },
  deadline: { shape: ['day', 'id'], key: (row) => [row.completion_date, row.id] },
  slots: { shape: ['number', 'id'], key: (row) => [row.slots_left, row.id] },
}

/** Returns what a cursor of a list in this order contains. */
export const keyOfSort = (sort: TaskSort): CursorKey => CURSOR_KEYS[sort]

export type Filter = {
  scope: Scope
  sort: TaskSort
  q?: string | undefined
  payMin?: number | undefined
  payMax?: number | undefined
  category?: TaskCategory | undefined
  /** Includes tasks that are in no public list. */
  unlisted?: boolean
}

/** Returns a page of tasks after the row with this key, or from the beginning when the key is all nulls. */
export async function listTasks(
  db: Db,
  { scope, sort, q = '', payMin, payMax, category, unlisted = false }: Filter,
  after: readonly (string | number | null)[],
  limit: number,
): Promise<TaskRow[]> {
  if (hasNoWord(q)) return []
  const words = await searchTermsOf(db, q)
  const afterId = (after.at(-1) ?? null) as string | null
  const afterKey = after.length === 2 ? (after[0] ?? null) : null
  const statement = listStatement({
    scope,
    sort,
    next: afterId !== null,
    search: words !== null,
    reward: payMin !== undefined || payMax !== undefined,
    category: category !== undefined,
    unlisted,
  })
  const rewards = { rewardMin: payMin ?? null, rewardMax: payMax ?? null }
  return statement(db, { limit, afterKey, afterId, words, category: category ?? null, ...rewards })
}

type ListStatement = (db: Db, values: ListValues) => Promise<TaskRow[]>
const statements = new Map<string, ListStatement>()

/** Returns the statement of a shape. It is built and registered on first use. */
export function listStatement(shape: ListShape): ListStatement {
  const name = nameOf(shape)
  const built = statements.get(name)
  if (built !== undefined) return built
  const { sql, parameters, pipelined } = buildListQuery(shape)
  const run = queryPackedRows<TaskRow, unknown[]>(name, sql, KINDS, { pipelined })
  const statement: ListStatement = (db, values) =>
    run(db, ...parameters.map((parameter) => values[parameter]))
  statements.set(name, statement)
  return statement
}
