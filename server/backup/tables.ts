import type pg from 'pg'

export type Table = { name: string; columns: string[] }

/** Tables that the migrations themselves fill. */
const EXCLUDED_TABLES = ['schema_migrations', 'schema_functions', 'function_sets']

/**
 * Returns the tables of the marketplace with their stored columns, each after the tables it references. The job queue is
 * not included: jobs are derived from these tables, and the old installation sends the mail that is already queued.
 */
export async function tablesInDependencyOrder(client: pg.ClientBase): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(
    `select class.relname as name, array_agg(attname::text order by attnum) as columns
       from pg_class as class join pg_attribute on attrelid = class.oid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0 and not attisdropped
        and attgenerated = '' and class.relname <> all ($1)
      group by 1 order by 1`,
    [EXCLUDED_TABLES],
  )
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid and conparentid = 0`,
  )
  const remaining = new Map(tables.map((table) => [table.name, table]))
  const ordered: Table[] = []
  while (remaining.size > 0) {
    const ready = [...remaining.values()].filter(({ name }) =>
      references.every(({ from, to }) => from !== name || !remaining.has(to)),
    )
    if (ready.length === 0) throw new Error(`Circular references between tables: ${[...remaining.keys()]}`)
    for (const table of ready) {
      ordered.push(table)
      remaining.delete(table.name)
    }
  }
  return ordered
}
