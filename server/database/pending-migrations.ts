import type pg from 'pg'
import { BadConfig } from '#server/bad-config.ts'
import { installedFunctions } from './applied-schema.ts'
import { isInBatches, runAllBatches } from './migration-batches.ts'
import { isOnline } from './online-index.ts'
import { refuseNewerSchema } from './schema-version.ts'
import { hashOf, type SqlFile } from './sql-files.ts'

/**
 * Returns the migrations of `migrations` that have not run, without online ones, in the caller's transaction.
 * @throws BadConfig when one was edited after it ran, or a newer version has upgraded the schema.
 */
export async function pendingMigrations(
  client: pg.ClientBase,
  migrations: readonly SqlFile[],
): Promise<SqlFile[]> {
  await client.query(BOOKKEEPING)
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations',
  )
  const applied = new Map(rows.map((row) => [row.name, row.sha256]))
  const { version } = await installedFunctions(client)
  refuseNewerSchema(
    { migrations: [...applied.keys()], functionsOf: version },
    migrations.map(({ name }) => name),
  )
  for (const { name, sql } of migrations)
    if (applied.has(name) && applied.get(name) !== hashOf(sql))
      throw new BadConfig(
        `Migration ${name} was changed after it ran on this database; write a new one instead`,
      )
  return migrations.filter((migration) => !applied.has(migration.name) && !isOnline(migration))
}

/** Runs a migration and records it, in the caller's transaction. @throws the error with the migration's name. */
export async function runMigration(client: pg.ClientBase, migration: SqlFile): Promise<void> {
  const { name, sql } = migration
  const run = isInBatches(migration) ? runAllBatches(client, migration) : client.query(sql)
  await run.catch((error: pg.DatabaseError) => {
    error.message = `Migration ${name}: ${error.message}`
    throw error
  })
  await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, hashOf(sql)])
}

/** `add column if not exists` would wait for a running pg_dump also where the column exists. */
const BOOKKEEPING = `
  create table if not exists schema_migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now());
  create table if not exists schema_functions (
    only_row boolean primary key default true check (only_row), sha256 text not null, installed_at timestamptz not null default now());
  do $$ begin
    if not exists (select from pg_attribute where attrelid = 'schema_functions'::regclass and attname = 'files') then
      alter table schema_functions add files jsonb not null default '{}';
    end if;
  end $$`
