import pg from 'pg'
import { BadConfig } from '#server/bad-config.ts'
import { compareIds, idAfter, idsBetween, lowestId } from './partition-ids.ts'
import { addReferences, dropReferences, validateReferences } from './partition-references.ts'
import { whenTablesAreFree } from './table-locks.ts'

// Ranges of ids, which are ordered by time (docs/decisions/0103-partitions.md). The newest partition has no upper bound, so that
// an insert always finds its partition. Only the owner of the tables can change partitions.

/** The ids of a partition: from the first one, below the second one. Null is no bound. */
type Range = { from: string | null; to: string | null }
export type Partition = Range & { name: string; bytes: number }

/** The schema of detached partitions. Backups do not contain it, and the server's role cannot read it. */
const DETACHED = 'detached'

/** Why partitions of a table stay attached. */
const STAYS_ATTACHED: Partial<Record<string, string>> = {
  submissions:
    'appeals, reviews, revisions, reversals and bonuses refer to submissions, and the audit compares each with its payment',
  ledger_transfers:
    'the audit compares each transfer with the work, payment or withdrawal that it moved coins for',
}

/** Writes lock these before what they reference: the trigger of a transfer updates accounts. */
const LOCKED_FIRST = new Set(['ledger_transfers'])
/**
 * What writes lock before these, in this order. PostgreSQL drops triggers of foreign keys under an exclusive lock, and each attempt to make
 * a weaker lock exclusive would end in a deadlock with a write that makes its own stronger.
 */
const LOCKED_BEFORE: Partial<Record<string, readonly string[]>> = { submissions: ['users', 'tasks'] }

const LOCK = 7_461_011
const ATTEMPTS = 120
const UNDEFINED_OBJECT = '42704'

const RANGE = /^FOR VALUES FROM \((?:MINVALUE|'([-\da-f]+)')\) TO \((?:MAXVALUE|'([-\da-f]+)')\)$/
const quote = pg.escapeIdentifier

/** Returns the partitions of a table, oldest first. */
export async function partitionsOf(client: pg.Pool | pg.ClientBase, table: string): Promise<Partition[]> {
  const { rows } = await client.query<{ name: string; range: string; bytes: string }>(
    `select relname as name, pg_get_expr(relpartbound, oid) as range, pg_total_relation_size(oid) as bytes
       from pg_inherits join pg_class on oid = inhrelid where inhparent = to_regclass($1)`,
    [quote(table)],
  )
  return rows
    .map(({ name, range, bytes }) => ({ name, ...parseRange(range), bytes: Number(bytes) }))
    .toSorted((one, other) => {
      if (one.to === null || other.to === null) return one.to === null ? 1 : -1
      return compareIds(one.to, other.to)
    })
}

function parseRange(text: string): Range {
  const [, from = null, to = null] = RANGE.exec(text) ?? []
  return { from, to }
}

/** Returns the largest id of a table or partition, the lowest one of its type without rows. */
async function lastId(client: pg.Pool | pg.ClientBase, table: string): Promise<string> {
  const { rows } = await client.query<{ type: string; id: string | null }>(
    `select atttypid::regtype::text as type, (select id from ${quote(table)} order by id desc limit 1)::text as id
       from pg_attribute where attrelid = to_regclass($1) and attname = 'id'`,
    [quote(table)],
  )
  return rows[0]?.id ?? lowestId(rows[0]?.type ?? '')
}

/**
 * Gives the partition `newest` an upper bound, `margin` above its largest id (ids, or milliseconds of UUIDs), and creates the next one.
 * Writes continue, because the ids reach the bound later. Continues what an interrupted call began. Returns the name of the new partition; undefined when another
 * instance has created it.
 * @throws TablesInUse when the table is in use all the time.
 */
export async function startPartition(
  pool: pg.Pool,
  newest: string,
  margin: number,
): Promise<string | undefined> {
  const table = tableOf(newest)
  await whenTablesAreFree(pool, LOCK, ATTEMPTS, (client) => addBound(client, newest, margin))
  await validateBound(pool, newest)
  // Before the next partition is there: PostgreSQL would remember that it is empty, and plans for any id would read all of it until it is
  // analyzed automatically.
  await pool.query(`analyze ${quote(table)}`)
  const next = `${table}_${Number(newest.slice(table.length + 1)) + 1}`
  const isStarted = await whenTablesAreFree(pool, LOCK, ATTEMPTS, async (client) => {
    const range = await rangeOfNewest(client, newest)
    const to = await findBound(client, newest)
    if (range === undefined || to === undefined) return false
    await lockTables(client, table)
    // PostgreSQL detaches no partition to which rows of another table refer.
    const references = await dropReferences(client, table)
    await client.query(`alter table ${quote(table)} detach partition ${quote(newest)}`)
    await attach(client, table, newest, { from: range.from, to })
    await client.query(
      `create table ${quote(next)} partition of ${quote(table)} for values from ('${to}') to (maxvalue)`,
    )
    await copyToPartition(client, newest, next)
    await addReferences(client, references)
    return true
  })
  if (!isStarted) return undefined
  await validateReferences(pool, table)
  return next
}

/**
 * Analyzes partitioned tables that have rows and no statistics, as after the migration that partitioned them. PostgreSQL analyzes partitions
 * automatically, and never the whole table.
 */
export async function analyzeUnanalyzed(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
      where relkind = 'p' and relnamespace = 'public'::regnamespace
        and not exists (select from pg_stats where schemaname = 'public' and tablename = relname and inherited)
        and exists (select from pg_inherits join pg_class as partitions on partitions.oid = inhrelid
                     where inhparent = pg_class.oid and partitions.relpages > 0)`,
  )
  for (const { name } of rows) await pool.query(`analyze ${quote(name)}`)
}

/**
 * Gives a new partition what PostgreSQL does not copy: triggers of statements, indexes that the table does not have because it cannot
 * have them (unique without its id), and options of the table and of columns.
 */
async function copyToPartition(client: pg.ClientBase, from: string, to: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select replace(pg_get_triggerdef(oid), format(' ON public.%I ', $1::text), format(' ON public.%I ', $2::text)) as statement
       from pg_trigger where tgrelid = to_regclass(quote_ident($1)) and not tgisinternal and tgtype & 1 = 0
     union all
     select replace(replace(pg_get_indexdef(indexrelid), format(' ON public.%I ', $1::text), format(' ON public.%I ', $2::text)),
                    format(' INDEX %I ', relname), format(' INDEX %I ', replace(relname, $1, $2)))
       from pg_index join pg_class on pg_class.oid = indexrelid
      where indrelid = to_regclass(quote_ident($1)) and not relispartition and indisvalid
        and not exists (select from pg_constraint where conindid = indexrelid)
     union all
     select format('alter table %I set (%s)', $2::text, array_to_string(reloptions, ', '))
       from pg_class where oid = to_regclass(quote_ident($1)) and reloptions is not null
     union all
     select format('alter table %I alter column %I set (%s)', $2::text, attname, array_to_string(attoptions, ', '))
       from pg_attribute where attrelid = to_regclass(quote_ident($1)) and attoptions is not null`,
    [from, to],
  )
  for (const { statement } of rows) await client.query(statement)
}

const tableOf = (partition: string) => partition.replace(/_\d+$/, '')
const boundName = (partition: string) => quote(`${partition}_bound`)

/** Returns the range of a partition; undefined when it has an upper bound, or there is none of this name. */
async function rangeOfNewest(client: pg.ClientBase, partition: string): Promise<Range | undefined> {
  const partitions = await partitionsOf(client, tableOf(partition))
  return partitions.find(({ name, to }) => name === partition && to === null)
}

/**
 * Adds a check constraint with an upper bound to the newest partition, not validated. Inserts fail above the bound, so one that an
 * interrupted call left too close is replaced.
 */
async function addBound(client: pg.ClientBase, newest: string, margin: number): Promise<void> {
  const range = await rangeOfNewest(client, newest)
  if (range === undefined) return
  const { from } = range
  const largest = await lastId(client, newest)
  const last = from !== null && compareIds(from, largest) > 0 ? from : largest
  const found = await findBound(client, newest)
  if (found !== undefined && idsBetween(last, found) >= margin / 2) return
  const constraint = boundName(newest)
  await client.query(`alter table ${quote(newest)} drop constraint if exists ${constraint}`)
  await client.query(
    `alter table ${quote(newest)} add constraint ${constraint} check (${inRange({ from, to: idAfter(last, margin) })}) not valid`,
  )
}

/** Validates the bound without blocking writes. PostgreSQL then attaches the partition without reading it. */
async function validateBound(pool: pg.Pool, partition: string): Promise<void> {
  try {
    await pool.query(`alter table ${quote(partition)} validate constraint ${boundName(partition)}`)
  } catch (error) {
    // Another instance has attached it.
    if ((error as pg.DatabaseError).code !== UNDEFINED_OBJECT) throw error
  }
}

const inRange = ({ from, to }: Range) => (from === null ? `id < '${to}'` : `id >= '${from}' and id < '${to}'`)

async function findBound(client: pg.ClientBase, partition: string): Promise<string | undefined> {
  const { rows } = await client.query<{ bound: string }>(
    `select substring(pg_get_constraintdef(oid) from $$id < '?([-\\da-f]+)$$) as bound
       from pg_constraint where conrelid = to_regclass($1) and conname = $2`,
    [quote(partition), `${partition}_bound`],
  )
  return rows[0]?.bound
}

/**
 * Detaches a partition: it becomes a table below the schema `detached`, with its indexes, whose rows the server no longer
 * finds.
 * @throws BadConfig when there is no such partition, new rows belong into it, or the table's partitions stay attached.
 */
export async function detachPartition(pool: pg.Pool, name: string): Promise<void> {
  const table = tableOf(name)
  const reason = STAYS_ATTACHED[table]
  if (reason !== undefined)
    throw new BadConfig(
      `${name} stays attached: ${reason}. It can move to a cheaper disk (docs/operating.md#partitions).`,
    )
  await whenTablesAreFree(pool, LOCK, ATTEMPTS, async (client) => {
    const found = (await partitionsOf(client, table)).find((partition) => partition.name === name)
    if (found === undefined) throw new BadConfig(`There is no partition ${name}.`)
    const { from, to } = found
    if (to === null || compareIds(await lastId(client, table), to) < 0)
      throw new BadConfig(`${name} still gets new rows of ${table}. Detach an older partition.`)
    const range = `FOR VALUES FROM (${from === null ? 'MINVALUE' : `'${from}'`}) TO ('${to}')`
    await lockTables(client, table)
    await client.query(`alter table ${quote(table)} detach partition ${quote(name)}`)
    await client.query(`comment on table ${quote(name)} is ${pg.escapeLiteral(range)}`)
    await client.query(`create schema if not exists ${DETACHED}`)
    await client.query(`alter table ${quote(name)} set schema ${DETACHED}`)
  })
}

/**
 * Attaches a partition that was detached. Reads it before it locks other tables.
 * @throws BadConfig when no partition of this name was detached.
 */
export async function attachPartition(pool: pg.Pool, name: string): Promise<void> {
  const table = tableOf(name)
  const detached = `${DETACHED}.${quote(name)}`
  const { rows } = await pool.query<{ range: string | null }>(
    `select obj_description(oid, 'pg_class') as range from pg_class where oid = to_regclass($1)`,
    [detached],
  )
  const range = parseRange(rows[0]?.range ?? '')
  if (range.to === null) throw new BadConfig(`No partition ${name} was detached.`)
  await pool.query(
    `alter table ${detached} drop constraint if exists ${boundName(name)},
       add constraint ${boundName(name)} check (${inRange(range)})`,
  )
  await whenTablesAreFree(pool, LOCK, ATTEMPTS, async (client) => {
    await lockTables(client, table)
    await client.query(`alter table ${detached} set schema public`)
    await attach(client, table, name, range)
    await client.query(`comment on table ${quote(name)} is null`)
  })
}

const bound = (id: string | null, none: string) => (id === null ? none : `'${id}'`)

/** Attaches a table whose check constraint says that its ids are in the range, and drops that constraint. */
async function attach(
  client: pg.ClientBase,
  table: string,
  name: string,
  { from, to }: Range,
): Promise<void> {
  await client.query(
    `alter table ${quote(table)} attach partition ${quote(name)} for values from (${bound(from, 'minvalue')}) to (${bound(to, 'maxvalue')})`,
  )
  await client.query(`alter table ${quote(name)} drop constraint ${boundName(name)}`)
}

/**
 * Locks a table and those that its foreign keys reference, which attaching and detaching change too, in the order in which most
 * writes lock them: in the other one, each would wait for those that have only the first lock.
 */
async function lockTables(client: pg.ClientBase, table: string): Promise<void> {
  for (const before of LOCKED_BEFORE[table] ?? [])
    await client.query(`lock table ${quote(before)} in access exclusive mode`)
  if (LOCKED_FIRST.has(table)) await client.query(`lock table ${quote(table)} in access exclusive mode`)
  const { rows } = await client.query<{ referenced: string }>(
    `select distinct confrelid::regclass::text as referenced
       from pg_constraint where conrelid = to_regclass($1) and contype = 'f' order by 1`,
    [quote(table)],
  )
  for (const { referenced } of rows)
    await client.query(`lock table ${referenced} in share row exclusive mode`)
}
