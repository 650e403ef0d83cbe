import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { partitionsOf } from './partitions.ts'
import type { SqlFile } from './sql-files.ts'
import { whenTablesAreFree } from './table-locks.ts'

const CREATE = /^create (unique )?index concurrently (\w+)\s+on (\w+)([^;]*);?/m
const DROP = /^drop index concurrently if exists (\w+);?/m
/** Duplicate table, deadlock and undefined object. */
const BEGUN_BY_ANOTHER = new Set(['42P07', '40P01', '42704'])
/** An internal error of PostgreSQL, without a code of its own: two sessions change the catalogue's row of one index. */
const BOTH_CHANGED = 'tuple concurrently updated'
const POLL_MS = 200
const LOCK = 7_461_012
const ATTEMPTS = 120

/**
 * Returns whether a migration builds one index without blocking writes, outside of the transaction of the others. It may drop
 * the index that it replaces.
 */
export const isOnline = ({ name }: SqlFile) => name.endsWith('.online.sql')

/**
 * Builds the index of an online migration unless it is there, and drops the one that it replaces. Of a partitioned table it is built for
 * each partition and then created for the table, which finds them; a unique one stays with the partitions, because that of a
 * table would have to contain the id.
 */
export async function buildIndexOnline(pool: pg.Pool, { name, sql }: SqlFile): Promise<void> {
  const [create, unique, index = '', table = '', columns = ''] = CREATE.exec(sql) ?? []
  if (create === undefined) throw new Error(`${name}: an online migration is one create index concurrently`)
  const [, replaced] = DROP.exec(sql) ?? []
  const partitions = (await partitionsOf(pool, table)).map((partition) => partition.name)
  if (partitions.length === 0) {
    await build(pool, index, create)
    if (replaced !== undefined) await dropOne(pool, replaced)
    return
  }
  const nameIn = (partition: string, ofTable: string) => ofTable.replace(table, partition)
  for (const partition of partitions) {
    const own = nameIn(partition, index)
    await build(pool, own, `create ${unique ?? ''}index concurrently ${own} on ${partition}${columns}`)
  }
  if (unique === undefined)
    await whenTablesAreFree(pool, LOCK, ATTEMPTS, (client) =>
      client.query(`create index if not exists ${index} on ${table}${columns}`),
    )
  if (replaced === undefined) return
  await whenTablesAreFree(pool, LOCK, ATTEMPTS, (client) => client.query(`drop index if exists ${replaced}`))
  for (const partition of partitions) await dropOne(pool, nameIn(partition, replaced))
}

/**
 * Builds one index unless it is there. Drops what an interrupted build left, and waits for a build that another instance runs.
 * Needs no lock of its own: PostgreSQL waits at the end of a build for older transactions, and would wait for ever for an
 * instance that waits for such a lock.
 */
async function build(pool: pg.Pool, index: string, create: string): Promise<void> {
  for (;;) {
    const state = await stateOf(pool, index)
    if (state?.valid) return
    if (state === undefined) await unlessAnotherBuilds(pool.query(create))
    else if (isAbandoned(state) && isAbandoned(await stateOf(pool, index)))
      await unlessAnotherBuilds(pool.query(`drop index concurrently if exists ${index}`))
    await sleep(POLL_MS * Math.random())
  }
}

async function dropOne(pool: pg.Pool, index: string): Promise<void> {
  for (;;) {
    const { rows } = await pool.query('select from pg_class where oid = to_regclass($1)', [index])
    if (rows.length === 0) return
    await unlessAnotherBuilds(pool.query(`drop index concurrently if exists ${index}`))
  }
}

type State = { valid: boolean; building: boolean } | undefined

/** Returns whether an interrupted build left an index. One read is not enough: a build may end between its two parts. */
const isAbandoned = (state: State) => state?.valid === false && !state.building

/** Returns whether an index is valid and whether it is being built; undefined when there is none. */
async function stateOf(pool: pg.Pool, index: string | undefined): Promise<State> {
  const { rows } = await pool.query<NonNullable<State>>(STATE, [index])
  return rows[0]
}

/** Ignores the failures of two instances that begin at the same moment: each looks at the index again. */
async function unlessAnotherBuilds(change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (error) {
    const { code = '', message } = error as pg.DatabaseError
    if (!BEGUN_BY_ANOTHER.has(code) && message !== BOTH_CHANGED) throw error
  }
}

const STATE = `
  select indisvalid as valid,
         exists (select from pg_stat_progress_create_index as build
                  where build.relid = indrelid and build.datname = current_database()) as building
    from pg_index where indexrelid = to_regclass($1)`
