import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { runAllBatches } from '#server/database/migration-batches.ts'
import { readSql } from '#server/database/sql-files.ts'
import { MIGRATIONS } from './older-database.ts'

/** Runs a migration again, which changes rows that versions before it wrote. */
export async function runMigration(pool: pg.Pool, name: string): Promise<void> {
  await pool.query(await readFile(join(MIGRATIONS, `${name}.sql`), 'utf8'))
}

/** Runs all batches of a migration again, which changes rows that versions before it wrote. */
export async function runMigrationInBatches(pool: pg.Pool, name: string): Promise<void> {
  const client = await pool.connect()
  try {
    for (const file of readSql([join(MIGRATIONS, `${name}.batches.sql`)])) await runAllBatches(client, file)
  } finally {
    client.release()
  }
}
