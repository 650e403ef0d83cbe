import pg from 'pg'

export type SqlFile = { name: string; sql: string }

const NAMES = /create or replace function (\w+)\s*\(/g
const INVALID_FUNCTION_DEFINITION = '42P13'
/** Whether a trigger, an index or a column depends on the function. */
const HAS_DEPENDENTS = `exists (select from pg_depend where refclassid = 'pg_proc'::regclass and refobjid = old.oid and deptype = 'n')`

/**
 * Installs the SQL functions of the server in the caller's transaction. PostgreSQL cannot replace a function in place
 * when its result type or parameter names changed; the earlier version is dropped first.
 */
export async function installFunctions(client: pg.ClientBase, files: readonly SqlFile[]): Promise<void> {
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
