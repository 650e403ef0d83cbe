import type pg from 'pg'
import { inLockedTransaction } from './locked-transaction.ts'
import { retryConflicts } from './retry.ts'
import { hashOf, type SqlFile } from './sql-files.ts'

/**
 * Returns whether a migration is one statement that changes many rows a part at a time. It gets the last id of the part before,
 * 0 at first, and returns the last id of its own part, null after the last one.
 */
export const isInBatches = ({ name }: SqlFile) => name.endsWith('.batches.sql')

/**
 * Runs a migration in batches, each in a transaction of its own, and records it with the last one. An interrupted run begins again.
 * Returns when another instance has completed it.
 */
export async function runBatches(pool: pg.Pool, lock: number, migration: SqlFile): Promise<void> {
  const { name, sql } = migration
  let last: string | null = '0'
  while (last !== null) {
    const before: string = last
    const runNext = async (client: pg.ClientBase) => {
      const { rows } = await client.query('select from schema_migrations where name = $1', [name])
      if (rows.length > 0) return null
      const next = await runBatch(client, migration, before)
      if (next === null)
        await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [
          name,
          hashOf(sql),
        ])
      return next
    }
    // A write of an instance may lock the rows of a batch in another order.
    last = await retryConflicts(
      () => inLockedTransaction(pool, lock, runNext),
      () => {},
    )
  }
}

/** Runs all batches of a migration in the caller's transaction. */
export async function runAllBatches(client: pg.ClientBase, migration: SqlFile): Promise<void> {
  for (let last: string | null = '0'; last !== null; ) last = await runBatch(client, migration, last)
}

async function runBatch(client: pg.ClientBase, { sql }: SqlFile, after: string): Promise<string | null> {
  const { rows } = await client.query<{ last: string | null }>(sql, [after])
  return rows[0]?.last ?? null
}
