import pg from 'pg'
import { hashOf, type SqlFile } from './sql-files.ts'

/** What a database has of a file: the hash of the file, and of the functions and triggers as PostgreSQL shows them. */
export type InstalledFile = { sha256: string; definitions: string }

const NAMES = /create or replace function (\w+)\s*\(/g
const TRIGGERS = /create (?:or replace|constraint) trigger (\w+)/g
const INVALID_FUNCTION_DEFINITION = '42P13'
/** Whether a trigger, an index or a column depends on the function. */
const HAS_DEPENDENTS = `exists (select from pg_depend where refclassid = 'pg_proc'::regclass and refobjid = old.oid and deptype = 'n')`

/**
 * Installs the files that changed since `installed`, or whose functions or triggers a migration or somebody else has
 * changed or dropped, in the caller's transaction. Returns what is installed now. A trigger locks its table until the
 * transaction ends, so a file that is installed without need can fail requests of running instances.
 */
export async function installChangedFunctions(
  client: pg.ClientBase,
  files: readonly SqlFile[],
  installed: Record<string, InstalledFile>,
): Promise<Record<string, InstalledFile>> {
  const isCurrent = (one: InstalledFile, other: InstalledFile | undefined) =>
    one.sha256 === other?.sha256 && one.definitions === other.definitions
  const before = await stateOf(client, files)
  const changed = files.filter((_, index) => {
    const [path, state] = before[index] ?? []
    return state === undefined || !isCurrent(state, installed[path ?? ''])
  })
  if (changed.length > 0) await installFunctions(client, changed)
  // Only of these: the locks of the migrations are held meanwhile.
  return Object.fromEntries([...before, ...(await stateOf(client, changed))])
}

/** Returns the hashes of each file and of what the database has of it, by path. */
async function stateOf(
  client: pg.ClientBase,
  files: readonly SqlFile[],
): Promise<[path: string, state: InstalledFile][]> {
  const { rows } = await client.query<{ key: string; definition: string }>(DEFINITIONS, [
    files.flatMap(({ sql }) => namesIn(sql)),
    files.flatMap(({ sql }) => triggersIn(sql)),
  ])
  const definitions = new Map(rows.map(({ key, definition }) => [key, definition]))
  return files.map(({ path, sql }) => {
    const keys = [...namesIn(sql), ...triggersIn(sql).map((name) => `trigger ${name}`)]
    const found = keys.map((key) => definitions.get(key) ?? null)
    return [path, { sha256: hashOf(sql), definitions: hashOf(JSON.stringify(found)) }]
  })
}

/** Each function with all its versions, and each trigger, without those that partitions have from their table. */
const DEFINITIONS = `
  select proname::text as key, string_agg(pg_get_functiondef(oid), '' order by oid::regprocedure::text) as definition
    from pg_proc where pronamespace = current_schema()::regnamespace and prokind = 'f' and proname = any ($1::text[]) group by proname
  union all
  select 'trigger ' || tgname, string_agg(pg_get_triggerdef(oid), '' order by tgrelid::regclass::text)
    from pg_trigger where not tgisinternal and tgparentid = 0 and tgname = any ($2::text[]) group by tgname`

/**
 * Installs SQL functions of the server in the caller's transaction. PostgreSQL cannot replace a function in place
 * when its result type or parameter names changed; the earlier version is dropped first.
 */
async function installFunctions(client: pg.ClientBase, files: readonly SqlFile[]): Promise<void> {
  const names = files.flatMap(({ sql }) => namesIn(sql))
  const { rows: before } = await client.query<{ version: string }>(
    `select ${VERSION('old')} as version from pg_proc as old where ${IS_OURS}`,
    [names],
  )
  await client.query('set local check_function_bodies = off')
  for (const { sql } of files) await install(client, sql)
  await dropAmbiguous(
    client,
    names,
    before.map(({ version }) => version),
  )
}

const namesIn = (sql: string) => Array.from(sql.matchAll(NAMES), ([, name = '']) => name)
const triggersIn = (sql: string) => Array.from(sql.matchAll(TRIGGERS), ([, name = '']) => name)
const IS_OURS = `old.pronamespace = current_schema()::regnamespace and old.proname = any ($1::text[])`
const VERSION = (of: string) => `${of}.oid || '/' || ${of}.xmin`

async function install(client: pg.ClientBase, sql: string): Promise<void> {
  await client.query('savepoint functions')
  try {
    await client.query(sql)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== INVALID_FUNCTION_DEFINITION) throw error
    await client.query('rollback to savepoint functions')
    const { rows } = await client.query<{ signature: string }>(
      `select old.oid::regprocedure::text as signature from pg_proc as old where ${IS_OURS} and not ${HAS_DEPENDENTS}`,
      [namesIn(sql)],
    )
    for (const { signature } of rows) await client.query(`drop function ${signature}`)
    await client.query(sql)
  }
  await client.query('release savepoint functions')
}

/**
 * Drops earlier versions of a function that a call could match as well as the new one. To PostgreSQL a function with
 * other parameters is another function, and its earlier version stays. Versions that no call confuses stay for
 * instances of the release before, which stop one after the other.
 */
async function dropAmbiguous(client: pg.ClientBase, names: string[], before: string[]): Promise<void> {
  const { rows } = await client.query<{ signature: string }>(
    `select distinct old.oid::regprocedure::text as signature
       from pg_proc as old join pg_proc as new on new.proname = old.proname and new.pronamespace = old.pronamespace
      where ${IS_OURS} and ${VERSION('old')} = any ($2) and ${VERSION('new')} <> all ($2)
        and old.pronargs - old.pronargdefaults <= new.pronargs and new.pronargs - new.pronargdefaults <= old.pronargs
        and not ${HAS_DEPENDENTS}`,
    [names, before],
  )
  for (const { signature } of rows) await client.query(`drop function ${signature}`)
}
