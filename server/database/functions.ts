import pg from 'pg'

export type SqlFile = { name: string; sql: string }

const NAMES = /create or replace function (\w+)\s*\(/g
const INVALID_FUNCTION_DEFINITION = '42P13'
/** A trigger, an index or a column stands on it. */
const IS_STOOD_ON = `exists (select from pg_depend where refclassid = 'pg_proc'::regclass and refobjid = old.oid and deptype = 'n')`

/**
 * Installs the functions that stand beside their use cases, in the caller's transaction. A function that answers
 * something else than its earlier version, or calls its parameters otherwise, cannot be replaced in place: the earlier
 * one is dropped first.
 */
export async function installFunctions(client: pg.ClientBase, files: readonly SqlFile[]): Promise<void> {
  const names = files.flatMap(({ sql }) => namesIn(sql))
  const { rows: before } = await client.query<{ version: string }>(
    `select ${VERSION('old')} as version from pg_proc as old where ${IS_OURS}`,
    [names],
  )
  await client.query('set local check_function_bodies = off')
  for (const { sql } of files) await install(client, sql)
  await dropOvershadowing(
    client,
    names,
    before.map(({ version }) => version),
  )
}

const namesIn = (sql: string) => Array.from(sql.matchAll(NAMES), ([, name = '']) => name)
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
      `select old.oid::regprocedure::text as signature from pg_proc as old where ${IS_OURS} and not ${IS_STOOD_ON}`,
      [namesIn(sql)],
    )
    for (const { signature } of rows) await client.query(`drop function ${signature}`)
    await client.query(sql)
  }
  await client.query('release savepoint functions')
}

/**
 * A function whose list of parameters changed is another function to PostgreSQL, and its earlier version stays. Where
 * one call could mean both, the earlier one goes, or the database would take it or not know which. Others stay for
 * instances of the version before, which are stopped one after the other.
 */
async function dropOvershadowing(client: pg.ClientBase, names: string[], before: string[]): Promise<void> {
  const { rows } = await client.query<{ signature: string }>(
    `select distinct old.oid::regprocedure::text as signature
       from pg_proc as old join pg_proc as new on new.proname = old.proname and new.pronamespace = old.pronamespace
      where ${IS_OURS} and ${VERSION('old')} = any ($2) and ${VERSION('new')} <> all ($2)
        and old.pronargs - old.pronargdefaults <= new.pronargs and new.pronargs - new.pronargdefaults <= old.pronargs
        and not ${IS_STOOD_ON}`,
    [names, before],
  )
  for (const { signature } of rows) await client.query(`drop function ${signature}`)
}
