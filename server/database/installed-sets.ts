import pg from 'pg'
import { type Database, query } from './database.ts'
import type { FunctionSet } from './function-set.ts'
import { inLockedTransaction } from './locked-transaction.ts'

const DEPENDENT_OBJECTS = '2BP01'
const USE_INTERVAL_MS = 60_000

const recordUse = query<never, [schema: string]>(
  'function_set_use',
  'update function_sets set used_at = now() where schema_name = $1',
)

/** Returns whether the database has every function of a set. */
export async function isInstalled(client: pg.Pool | pg.ClientBase, set: FunctionSet): Promise<boolean> {
  const { rows } = await client.query<{ complete: boolean }>(
    `select count(distinct proname) = cardinality($2::text[]) as complete
       from pg_proc join pg_namespace on pg_namespace.oid = pronamespace where nspname = $1 and proname = any ($2)`,
    [set.schema, [...set.names]],
  )
  return rows[0]?.complete === true
}

/** Creates a set, or what is missing of it, in the caller's transaction. Locks no table. @throws the error with the function's name. */
export async function installSet(client: pg.ClientBase, set: FunctionSet): Promise<void> {
  await client.query(`create schema if not exists ${set.schema}; set local check_function_bodies = off`)
  await client.query(set.sql).catch((error: pg.DatabaseError) => {
    const before = set.sql.slice(0, Number(error.position ?? 0) + 1)
    const name = Array.from(
      before.matchAll(/\bcreate or replace function \w+\.(\w+)/g),
      ([, name]) => name,
    ).at(-1)
    error.message = `The function ${name} cannot be installed: ${error.message}`
    throw error
  })
}

/**
 * Creates a set in the caller's transaction if it can be created before the migrations have run, whose locks are then held for less
 * time. Returns false, and changes nothing, when a function needs a type of a later migration.
 */
export async function tryToInstallSet(client: pg.ClientBase, set: FunctionSet): Promise<boolean> {
  await client.query('savepoint function_set')
  try {
    await installSet(client, set)
    return true
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    await client.query('rollback to savepoint function_set')
    return false
  }
}

/** Records in the caller's transaction that an instance uses a set from now on. */
export async function recordSet(client: pg.ClientBase, set: FunctionSet, version: string): Promise<void> {
  await client.query(
    `insert into function_sets (schema_name, version) values ($1, $2)
     on conflict (schema_name) do update set version = $2, used_at = now()`,
    [set.schema, version],
  )
}

/** Records by the minute that this instance uses its set. Returns a function that stops it. */
export function recordUses(database: Database): () => void {
  // The next one repeats what a failed one has missed.
  const record = () => void recordUse(database, database.functions.schema).catch(() => {})
  const timer = setInterval(record, USE_INTERVAL_MS).unref()
  return () => clearInterval(timer)
}

/** Returns the schema of the functions that a database was last used with; versions up to 0.3 had them in `public`. */
export async function lastUsedSchema(pool: pg.Pool): Promise<string> {
  const { rows: tables } = await pool.query(
    `select from pg_class where oid = to_regclass('public.function_sets')`,
  )
  if (tables.length === 0) return 'public'
  const { rows } = await pool.query<{ schema: string }>(
    'select schema_name as schema from function_sets order by used_at desc limit 1',
  )
  return rows[0]?.schema ?? 'public'
}

/**
 * Drops the sets that no instance has used for a day, except `own`. One that something outside of it depends on stays.
 * Returns the names of the schemas.
 */
export async function dropUnusedSets(pool: pg.Pool, lock: number, own: FunctionSet): Promise<string[]> {
  return inLockedTransaction(pool, lock, async (client) => {
    const { rows } = await client.query<{ schema: string; functions: string | null }>(UNUSED, [own.schema])
    const dropped: string[] = []
    for (const { schema, functions } of rows) {
      await client.query('savepoint function_set')
      try {
        if (functions !== null) await client.query(`drop function ${functions}`)
        await client.query(`drop schema if exists ${schema}`)
        await client.query('delete from function_sets where schema_name = $1', [schema])
        dropped.push(schema)
      } catch (error) {
        if ((error as pg.DatabaseError).code !== DEPENDENT_OBJECTS) throw error
        await client.query('rollback to savepoint function_set')
      }
    }
    return dropped
  })
}

const UNUSED = `
  select schema_name as schema,
         (select string_agg(pg_proc.oid::regprocedure::text, ', ')
            from pg_proc join pg_namespace on pg_namespace.oid = pronamespace where nspname = schema_name) as functions
    from function_sets where schema_name <> $1 and used_at < now() - interval '1 day'`
