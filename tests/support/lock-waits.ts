import type pg from 'pg'

/** Returns how many statements wait for a lock in the database. */
export async function lockWaits(database: Pick<pg.Pool, 'query'>): Promise<number> {
  const { rowCount } = await database.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rowCount ?? 0
}

/** Runs `work` in an open transaction, so that others wait for its locks. Rolls back what `work` has not committed. */
export async function inOpenTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    return await work(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}
