import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { SqlFile } from './functions.ts'

const CREATE = /^create (?:unique )?index concurrently (\w+)\s+on (\w+)[^;]*;?\s*$/m
/** Duplicate table, deadlock and undefined object. */
const BEGUN_BY_ANOTHER = new Set(['42P07', '40P01', '42704'])
const POLL_MS = 200

/** Whether a migration builds one index without blocking writes, outside of the transaction of the others. */
export const isOnline = ({ name }: SqlFile) => name.endsWith('.online.sql')

/**
 * Builds the index of an online migration unless it is there. Drops what an interrupted build left, and waits for a build
 * that another instance runs. Needs no lock of its own: PostgreSQL waits at the end of a build for older transactions, and
 * would wait for ever for an instance that waits for such a lock.
 */
export async function buildIndexOnline(pool: pg.Pool, { name, sql }: SqlFile): Promise<void> {
  const index = CREATE.exec(sql)?.[1]
  if (index === undefined) throw new Error(`${name}: an online migration is one create index concurrently`)
  for (;;) {
    const { rows } = await pool.query<{ valid: boolean; building: boolean }>(STATE, [index])
    const [state] = rows
    if (state?.valid) return
    if (state === undefined) await unlessAnotherBuilds(pool.query(sql))
    else if (!state.building)
      await unlessAnotherBuilds(pool.query(`drop index concurrently if exists ${index}`))
    await sleep(POLL_MS * Math.random())
  }
}

/** Ignores the failures of two instances that begin at the same moment: each looks at the index again. */
async function unlessAnotherBuilds(change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!BEGUN_BY_ANOTHER.has((error as pg.DatabaseError).code ?? '')) throw error
  }
}

const STATE = `
  select indisvalid as valid,
         exists (select from pg_stat_progress_create_index as build
                  where build.relid = indrelid and build.datname = current_database()) as building
    from pg_index where indexrelid = to_regclass($1)`
