import pg from 'pg'

const quote = pg.escapeIdentifier

/**
 * Validates the check constraints that migrations added without reading the rows. Writes continue meanwhile. Bounds of partitions belong to
 * `startPartition`. An interrupted validation is repeated by the next start.
 */
export async function validateChecks(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, conname as name from pg_constraint
      where contype = 'c' and not convalidated and coninhcount = 0 and connamespace = 'public'::regnamespace
        and conname not like '%\\_bound' order by 1, 2`,
  )
  for (const { table, name } of rows)
    await pool.query(`alter table ${table} validate constraint ${quote(name)}`)
}
