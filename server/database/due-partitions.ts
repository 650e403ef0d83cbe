import pg from 'pg'
import { idsBetween } from './partition-ids.ts'
import { validateReferences } from './partition-references.ts'
import { partitionsOf, startPartition } from './partitions.ts'

/** The tables that have partitions (docs/decisions/0103-partitions.md). */
export const PARTITIONED_TABLES = ['ledger_transfers', 'notifications', 'submissions']

/**
 * A partition ends after a month if it has this many ids, and at `MAX_IDS` at once. A query for an old row looks into each newer
 * partition, so few large ones are better than many.
 */
const MIN_IDS = 1_000_000
const MAX_IDS = 20_000_000
/**
 * Share of a partition's ids left below its bound: about six days' worth in a partition of a month, so that inserts do not
 * fail at the bound if a start is interrupted.
 */
const MARGIN = 0.2

/**
 * Starts the next partition of each table whose newest one is large and old enough. Returns the names of the new partitions.
 * Needs the owner of the tables.
 */
export async function startDuePartitions(owner: pg.Pool, minIds = MIN_IDS): Promise<string[]> {
  const started: string[] = []
  for (const table of PARTITIONED_TABLES) {
    // Those that an interrupted start has left.
    await validateReferences(owner, table)
    const due = await duePartition(owner, table, minIds)
    if (due === undefined) continue
    const name = await startPartition(owner, due.name, Math.ceil(due.length * MARGIN))
    if (name !== undefined) started.push(name)
  }
  return started
}

/**
 * Returns the newest partition of a table if it should end, and its length: the number of its ids, or the milliseconds between its first
 * and its last UUID. UUIDs have gaps, so the statistics say how many there are.
 */
export async function duePartition(
  client: pg.Pool | pg.ClientBase,
  table: string,
  minIds = MIN_IDS,
): Promise<{ name: string; length: number } | undefined> {
  const newest = (await partitionsOf(client, table)).at(-1)
  if (newest === undefined) return undefined
  // By the table: the role of the server has no rights on a partition.
  const name = pg.escapeIdentifier(table)
  const inNewest = newest.from === null ? '' : `where id >= '${newest.from}'`
  const { rows } = await client.query<{ first: string; last: string; old: boolean; rows: string }>(
    `select first.id as first, first.created_at < clock_time() - interval '1 month' as old, last.id as last, reltuples::bigint as rows
       from (select id, created_at from ${name} ${inNewest} order by id limit 1) as first,
            (select id from ${name} order by id desc limit 1) as last, pg_class
      where pg_class.oid = to_regclass($1)`,
    [pg.escapeIdentifier(newest.name)],
  )
  const [row] = rows
  if (row === undefined) return undefined
  const length = idsBetween(row.first, row.last) + 1
  const ids = isNumber(row.first) ? length : Number(row.rows)
  return ids >= MAX_IDS || (ids >= minIds && row.old) ? { name: newest.name, length } : undefined
}

const isNumber = (id: string) => /^\d+$/.test(id)
