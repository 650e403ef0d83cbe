import pg from 'pg'
import { partitionsOf, startPartition } from './partitions.ts'

/** The tables that have partitions (docs/decisions/0103-partitions.md). */
export const PARTITIONED_TABLES = ['ledger_transfers', 'notifications']

/**
 * A partition ends after a month if it has this many ids, and at `MAX_IDS` at once. A query for an old row looks into each newer
 * partition, so few large ones are better than many.
 */
const MIN_IDS = 1_000_000
const MAX_IDS = 20_000_000
/** The part of a partition's ids that is left until its bound: six days' of a partition of a month, if a start is interrupted. */
const MARGIN = 0.2

/**
 * Starts the next partition of each table whose newest one is large and old enough. Returns the names of the new partitions.
 * Needs the owner of the tables.
 */
export async function startDuePartitions(owner: pg.Pool, minIds = MIN_IDS): Promise<string[]> {
  const started: string[] = []
  for (const table of PARTITIONED_TABLES) {
    const due = await duePartition(owner, table, minIds)
    if (due === undefined) continue
    const name = await startPartition(owner, due.name, Math.ceil(due.ids * MARGIN))
    if (name !== undefined) started.push(name)
  }
  return started
}

/** Returns the newest partition of a table and the number of its ids if it should end. */
export async function duePartition(
  client: pg.Pool | pg.ClientBase,
  table: string,
  minIds = MIN_IDS,
): Promise<{ name: string; ids: number } | undefined> {
  const newest = (await partitionsOf(client, table)).at(-1)
  if (newest === undefined) return undefined
  const name = pg.escapeIdentifier(table)
  const { rows } = await client.query<{ first: string; old: boolean; last: string }>(
    `select id as first, created_at < clock_time() - interval '1 month' as old, (select max(id) from ${name}) as last
       from ${name} where id >= $1 order by id limit 1`,
    [newest.from ?? 0],
  )
  const [row] = rows
  if (row === undefined) return undefined
  const ids = Number(row.last) - Number(row.first) + 1
  return ids >= MAX_IDS || (ids >= minIds && row.old) ? { name: newest.name, ids } : undefined
}
