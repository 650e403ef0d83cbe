import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { BadConfig } from '#server/bad-config.ts'
import { completeSettings } from '#server/settings/complete.ts'
import { ownFunctions } from './function-set.ts'
import { dropUnusedSets, installSet, isInstalled, recordSet, tryToInstallSet } from './installed-sets.ts'
import { inLockedTransaction } from './locked-transaction.ts'
import { buildIndexOnline, isOnline } from './online-index.ts'
import {
  type AppliedSchema,
  refuseNewerSchema,
  refuseOtherFunctions,
  refuseOtherSchema,
  VERSION,
} from './schema-version.ts'
import { type InstalledFile, installChangedFunctions } from './shared-functions.ts'
import { hashOf, readSql } from './sql-files.ts'

const MIGRATIONS = join(import.meta.dirname, 'migrations')
const LOCK = 7_461_001
/** The lock is not available in time, or a deadlock: a later migration needs a stronger lock, and a write waits for the first one. */
const TABLE_IN_USE = new Set<string | undefined>(['55P03', '40P01'])
/**
 * A migration that waits for a table blocks all writes behind it, so it soon gives up and tries again. It may wait for several
 * tables one after the other, and holds the first ones meanwhile: together less than the timeout of a query.
 */
const TABLE_LOCK_TIMEOUT = '300ms'
const ATTEMPTS = 120
const PAUSE_MS = 500

/**
 * Upgrades the schema to this version: runs the numbered migrations that are new, installs this version's SQL functions
 * and completes the operator's settings. One transaction under one lock: concurrent starts run it once, and a failure changes nothing.
 * Indexes of online migrations are built after it, one by one (docs/decisions/0079-online-migrations.md), and functions that
 * no instance uses any more are dropped.
 * Returns the names of the migrations that ran.
 * @throws BadConfig when an applied migration was edited, or a newer version has upgraded the schema.
 */
export async function migrate(
  pool: pg.Pool,
  folder = MIGRATIONS,
  functions = ownFunctions(),
): Promise<string[]> {
  const migrations = readSql(join(folder, '*.sql'))

  const ran = await untilTablesAreFree(() => inLockedTransaction(pool, LOCK, upgrade))
  const { rows } = await pool.query<{ name: string }>('select name from schema_migrations')
  const done = new Set(rows.map(({ name }) => name))
  for (const migration of migrations.filter(isOnline)) {
    if (done.has(migration.name)) continue
    await buildIndexOnline(pool, migration)
    await pool.query('insert into schema_migrations (name, sha256) values ($1, $2) on conflict do nothing', [
      migration.name,
      hashOf(migration.sql),
    ])
    ran.push(migration.name)
  }
  await dropUnusedSets(pool, LOCK, functions)
  return ran

  async function upgrade(client: pg.PoolClient): Promise<string[]> {
    await client.query(`set local lock_timeout = '${TABLE_LOCK_TIMEOUT}'`)
    await client.query(BOOKKEEPING)
    const { rows } = await client.query<{ name: string; sha256: string }>(
      'select name, sha256 from schema_migrations',
    )
    const applied = new Map(rows.map((row) => [row.name, row.sha256]))
    const installed = await installedFunctions(client)
    refuseNewerSchema(
      { migrations: [...applied.keys()], functionsOf: installed.version },
      migrations.map(({ name }) => name),
    )

    let isSetInstalled = await isInstalled(client, functions)
    if (!isSetInstalled && applied.size > 0) isSetInstalled = await tryToInstallSet(client, functions)
    const ran: string[] = []
    for (const migration of migrations) {
      const { name, sql } = migration
      const sha256 = hashOf(sql)
      const known = applied.get(name)
      if (known === undefined) {
        if (isOnline(migration)) continue
        await client.query(sql)
        await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256])
        ran.push(name)
      } else if (known !== sha256) {
        throw new BadConfig(
          `Migration ${name} was changed after it ran on this database; write a new one instead`,
        )
      }
    }

    // A migration may have dropped a type, and functions with it.
    if (!isSetInstalled || (ran.length > 0 && !(await isInstalled(client, functions))))
      await installSet(client, functions)
    if (ran.length > 0 || installed.sha256 !== functions.fingerprint) {
      const files = await installChangedFunctions(client, functions.shared, installed.files)
      await client.query(
        `insert into schema_functions (sha256, files) values ($1, $2)
         on conflict (only_row) do update set sha256 = $1, files = $2, installed_at = now()`,
        [functions.fingerprint, JSON.stringify(files)],
      )
    }
    if (installed.version !== VERSION)
      await client.query('update schema_functions set version = $1', [VERSION])
    await recordSet(client, functions, VERSION)
    await completeSettings(client, functions)
    return ran
  }
}

/** Runs `work` again while a table that it needs is in use. @throws BadConfig after `ATTEMPTS`. */
async function untilTablesAreFree<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!TABLE_IN_USE.has((error as pg.DatabaseError).code)) throw error
      if (attempt === ATTEMPTS)
        throw new BadConfig(
          'The schema could not be upgraded: a table is locked by a long transaction (pg_stat_activity shows it). Start again when it has ended.',
        )
      await sleep(PAUSE_MS)
    }
  }
}

/**
 * Checks that the schema and the functions are exactly those of this version, and changes nothing.
 * @throws BadConfig when they are others.
 */
export async function requireOwnSchema(pool: pg.Pool): Promise<void> {
  const own = readSql(join(MIGRATIONS, '*.sql')).map(({ name }) => name)
  refuseOtherSchema(await appliedSchema(pool), own)
  if (!(await isInstalled(pool, ownFunctions()))) refuseOtherFunctions()
}

async function appliedSchema(pool: pg.Pool): Promise<AppliedSchema | undefined> {
  const { rows: found } = await pool.query<{ exists: boolean }>(
    `select to_regclass('public.schema_migrations') is not null as exists`,
  )
  if (found[0]?.exists !== true) return undefined
  const { rows } = await pool.query<{ name: string }>('select name from public.schema_migrations')
  const { version } = await installedFunctions(pool)
  return { migrations: rows.map(({ name }) => name), functionsOf: version }
}

type InstalledFunctions = {
  sha256: string | null
  version: string | null
  files: Record<string, InstalledFile>
}

async function installedFunctions(client: pg.Pool | pg.ClientBase): Promise<InstalledFunctions> {
  // The columns of the version and of the files are younger than the table.
  const { rows } = await client.query<InstalledFunctions>(
    `select sha256, to_jsonb(installed) ->> 'version' as version, coalesce(to_jsonb(installed) -> 'files', '{}') as files
       from public.schema_functions as installed`,
  )
  return rows[0] ?? { sha256: null, version: null, files: {} }
}

const BOOKKEEPING = `
  create table if not exists schema_migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now());
  create table if not exists schema_functions (
    only_row boolean primary key default true check (only_row), sha256 text not null, installed_at timestamptz not null default now());
  alter table schema_functions add column if not exists files jsonb not null default '{}';`
