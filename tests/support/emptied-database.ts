import pg from 'pg'
import { jitter } from './eventually.ts'

/** Connections of the pools that stay open while one describe block after another uses a database. */
export const KEPT_CONNECTIONS = 'tallywork-tests'

/** A database whose tables get the rows back that they have in a new one. */
export type EmptiedDatabase = {
  /**
   * Ends all connections except the kept ones and restores the rows and sequences. Returns false when the database cannot
   * be used again: its schema was changed, it has become large, or a kept connection is at work.
   */
  restore(): Promise<boolean>
  close(): Promise<void>
}

/** How often to look whether the statements of the previous tests have ended; a database in which they have not is not used again. */
const LOOKS = 200
/** Deleted rows stay in their pages, which every later test would read. */
const PAGES_MAX = 2_000

/** The tables of the server and of the job queue, without partitioned ones, whose rows are in their partitions. */
const TABLES = `
  select oid::regclass::text as name,
         (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
           where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
    from pg_class
   where relkind = 'r' and relpersistence <> 't' and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')`

/** Changes with every change of the schema: each writes rows of these catalogs. */
const SCHEMA = `select concat_ws(' ', ${[
  ...['pg_namespace', 'pg_class', 'pg_attribute', 'pg_attrdef', 'pg_index', 'pg_constraint', 'pg_type'],
  ...['pg_proc', 'pg_trigger', 'pg_rewrite', 'pg_policy', 'pg_default_acl', 'pg_extension'],
]
  .map((catalog) => `(select concat(count(*), '/', max(xmin::text::bigint)) from ${catalog})`)
  .join(', ')},
  (select xmin from pg_database where datname = current_database()),
  (select string_agg(setconfig::text, ' ' order by setrole) from pg_db_role_setting
    where setdatabase = (select oid from pg_database where datname = current_database()))) as schema`

const END_OTHERS = `
  select pg_terminate_backend(pid) from pg_stat_activity
   where datname = current_database() and backend_type = 'client backend'
     and application_name <> $1 and pid <> pg_backend_pid()`

/** Those that still end, kept connections at work, and locks that a session holds. */
const BUSY = `
  select (select count(*) from pg_stat_activity
           where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
             and (application_name <> $1 or state <> 'idle'))
       + (select count(*) from pg_locks
           where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())) as count`

const PAGES = `
  select coalesce(sum(pg_relation_size(oid)), 0) / 8192 as count from pg_class
   where relkind = 'r' and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')`

/**
 * Remembers the rows of a new database, in temporary tables of a connection that stays open.
 * @param url of the database, in the role that owns the tables.
 */
export async function rememberRows(url: string): Promise<EmptiedDatabase> {
  const owner = new pg.Client({ connectionString: url })
  owner.on('error', () => {})
  await owner.connect()
  const rows = async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
    (await owner.query<Row>(sql, values)).rows
  const count = async (sql: string, values: unknown[] = []) =>
    Number((await rows<{ count: string }>(sql, values))[0]?.count)
  const readSchema = async () => (await rows<{ schema: string }>(SCHEMA))[0]?.schema

  const tables = await rows<{ name: string; columns: string }>(TABLES)
  const filled = await rows<{ name: string }>(
    tables
      .map(({ name }) => `select '${name}' as name where exists (select from ${name})`)
      .join(' union all '),
  )
  const remembered = filled.map(({ name }, index) => ({ name, copy: `remembered_${index}` }))
  for (const { name, copy } of remembered) await rows(`create temporary table ${copy} as table ${name}`)
  const sequences = await rows<{ name: string }>('select seqrelid::regclass::text as name from pg_sequence')
  const restarts = await rows<{ sql: string }>(
    sequences
      .map(
        ({ name }) =>
          `select format('setval(%L, %s, %L)', '${name}', last_value, is_called) as sql from ${name}`,
      )
      .join(' union all '),
  )
  const restoreRows = restoringBlock(
    restarts.map(({ sql }) => sql),
    remembered.map(({ name, copy }) => {
      const columns = tables.find((table) => table.name === name)?.columns
      return `insert into ${name} (${columns}) overriding system value select ${columns} from ${copy}`
    }),
  )
  const schema = await readSchema()

  return {
    async restore() {
      await rows(END_OTHERS, [KEPT_CONNECTIONS])
      for (let looks = 1; (await count(BUSY, [KEPT_CONNECTIONS])) > 0; looks++) {
        if (looks === LOOKS) return false
        await jitter(20)
      }
      if ((await readSchema()) !== schema || (await count(PAGES)) > PAGES_MAX) return false
      await rows(restoreRows)
      return true
    },
    close: () => owner.end(),
  }
}

/** Returns the SQL that empties all tables without triggers, restarts the sequences and runs the inserts. */
function restoringBlock(restarts: string[], inserts: string[]): string {
  return `
    begin;
    set local session_replication_role = replica;
    do $$
    declare one record;
    begin
      for one in
        select oid::regclass as name from pg_class
         where relkind = 'r' and relpersistence <> 't' and pg_relation_size(oid) > 0
           and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
      loop
        execute format('delete from %s', one.name);
      end loop;
    end $$;
    select ${restarts.join(', ')};
    ${inserts.join(';\n')};
    commit`
}
