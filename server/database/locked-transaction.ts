import type pg from 'pg'

/**
 * Runs `work` in a transaction of one connection that holds the advisory lock `lock`: concurrent starts run it one after the
 * other, and a failure changes nothing.
 */
export async function inLockedTransaction<Result>(
  pool: pg.Pool,
  lock: number,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [lock])
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}
