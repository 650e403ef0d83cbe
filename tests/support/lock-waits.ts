import type pg from 'pg'

/** Returns how many statements wait for a lock in the database. */
export async function lockWaits(database: Pick<pg.Pool, 'query'>): Promise<number> {
  const { rowCount } = await database.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rowCount ?? 0
}
