import type pg from 'pg'
import { BadConfig } from '#server/bad-config.ts'

/** Checks that a database has no users, or no tables yet. @throws BadConfig */
export async function requireEmpty(client: pg.Pool | pg.PoolClient): Promise<void> {
  const { rows: tables } = await client.query(
    `select from pg_class where oid = to_regclass('public.identities')`,
  )
  if (tables.length === 0) return
  const { rows: identities } = await client.query('select from public.identities limit 1')
  if (identities.length > 0)
    throw new BadConfig('This database is not empty. Restore into a new folder or database.')
}
