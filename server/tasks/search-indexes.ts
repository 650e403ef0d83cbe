import pg from 'pg'

// PostgreSQL does not delete keys from GIN indexes, so that edits with ever new words let the indexes of the task search
// grow, whatever VACUUM does. REINDEX needs the owner of the tables.

const INDEXES = ['tasks_search_open_by_time', 'tasks_search_closed_by_time']
/** Smaller indexes are not worth rebuilding. */
const MIN_BYTES = 16 * 1024 * 1024
/** One instance rebuilds at a time. */
const LOCK = 7_461_009

/**
 * Rebuilds the search indexes that are larger than their table, while the server runs. An index of the words in use is
 * smaller than its table, so that the indexes of a large marketplace are not rebuilt for nothing. Returns their names.
 */
export async function rebuildSearchIndexes(owner: pg.ClientBase, minBytes = MIN_BYTES): Promise<string[]> {
  const { rows: locks } = await owner.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1) as locked',
    [LOCK],
  )
  if (locks[0]?.locked !== true) return []
  try {
    const { rows: bloated } = await owner.query<{ name: string }>(
      `select name from unnest($1::text[]) as name
        where pg_relation_size(name::regclass) > greatest($2::bigint, pg_table_size('tasks'))`,
      [INDEXES, minBytes],
    )
    for (const { name } of bloated) {
      await dropUnfinished(owner, name)
      await owner.query(`reindex index concurrently ${pg.escapeIdentifier(name)}`)
    }
    return bloated.map(({ name }) => name)
  } finally {
    await owner.query('select pg_advisory_unlock($1)', [LOCK])
  }
}

/** Drops what a rebuild left that did not finish: an invalid index, which writes would still maintain. */
async function dropUnfinished(owner: pg.ClientBase, name: string): Promise<void> {
  const { rows } = await owner.query<{ unfinished: string }>(
    `select relname as unfinished from pg_index join pg_class on pg_class.oid = indexrelid
      where indrelid = 'tasks'::regclass and not indisvalid and starts_with(relname, $1 || '_cc')`,
    [name],
  )
  for (const { unfinished } of rows)
    await owner.query(`drop index concurrently ${pg.escapeIdentifier(unfinished)}`)
}
