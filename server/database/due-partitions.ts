import pg from 'pg'
import { lastId, partitionsOf, startPartition } from './partitions.ts'

/** The tables that have partitions (docs/decisions/0103-partitions.md). */
export const PARTITIONED_TABLES = ['notifications']

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
    const newest = (await partitionsOf(owner, table)).at(-1)?.name
    if (newest === undefined) continue
    const ids = await idsOfDue(owner, newest, minIds)
    if (ids === undefined) continue
    const name = await startPartition(owner, newest, Math.ceil(ids * MARGIN))
    if (name !== undefined) started.push(name)
  }
  return started
}

/** Returns the number of ids of a partition if it should end. */
async function idsOfDue(owner: pg.Pool, partition: string, minIds: number): Promise<number | undefined> {
  const { rows } = await owner.query<{ id: string; old: boolean }>(
    `select id, created_at < clock_time() - interval '1 month' as old from ${pg.escapeIdentifier(partition)} order by id limit 1`,
  )
  const [first] = rows
  if (first === undefined) return undefined
  const ids = (await lastId(owner, partition)) - Number(first.id) + 1
  return ids >= MAX_IDS || (ids >= minIds && first.old) ? ids : undefined
}
