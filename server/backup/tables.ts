import type pg from 'pg'

export type Table = { name: string; columns: string[] }

/** The bookkeeping of migrations is written by the migrations themselves. */
const NOT_COPIED = ['schema_migrations', 'schema_functions']

/**
 * The tables of the marketplace with the columns that hold data, each after those it refers to. The queue of background
 * jobs is not among them: what they do is decided by these tables, and mail under way is sent by the old installation.
 */
export async function tablesInOrder(client: pg.ClientBase): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(
    `select class.relname as name, array_agg(attname::text order by attnum) as columns
       from pg_class as class join pg_attribute on attrelid = class.oid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
        and attgenerated = '' and class.relname <> all ($1)
      group by 1 order by 1`,
    [NOT_COPIED],
  )
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`,
  )
  const waiting = new Map(tables.map((table) => [table.name, table]))
  const ordered: Table[] = []
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(({ name }) =>
      references.every(({ from, to }) => from !== name || !waiting.has(to)),
    )
    if (free.length === 0)
      throw new Error(`These tables refer to each other in a circle: ${[...waiting.keys()]}`)
    for (const table of free) {
      ordered.push(table)
      waiting.delete(table.name)
    }
  }
  return ordered
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
