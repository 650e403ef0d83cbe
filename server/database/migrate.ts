import { join } from 'node:path'
import type pg from 'pg'
import { completeSettings } from '#server/operator-settings/complete.ts'
import { appliedSchema, installedFunctions } from './applied-schema.ts'
import { validateChecks } from './check-constraints.ts'
import { PARTITIONED_TABLES } from './due-partitions.ts'
import { type FunctionSet, ownFunctions } from './function-set.ts'
import { dropUnusedSets, installSet, isInstalled, recordSet, tryToInstallSet } from './installed-sets.ts'
import { isInBatches, runBatches } from './migration-batches.ts'
import { buildIndexOnline, isOnline } from './online-index.ts'
import { validateReferences } from './partition-references.ts'
import { analyzeUnanalyzed } from './partitions.ts'
import { pendingMigrations, runMigration } from './pending-migrations.ts'
import { refuseOtherFunctions, refuseOtherSchema, VERSION } from './schema-version.ts'
import { type InstalledFile, installChangedFunctions } from './shared-functions.ts'
import { hashOf, readSqlIn, type SqlFile } from './sql-files.ts'
import { TablesInUse, whenTablesAreFree } from './table-locks.ts'

const MIGRATIONS = join(import.meta.dirname, 'migrations')
const LOCK = 7_461_001
/** Attempts to run all migrations in one transaction, before each gets one of its own. */
const ATTEMPTS_TOGETHER = 10
const ATTEMPTS = 120
/** Migrations before this one fill tables that triggers keep up from then on, so that they commit together with the triggers. */
const FIRST_ALONE = '0278'

/**
 * Upgrades the schema to this version: runs the numbered migrations that are new, installs this version's SQL functions
 * and completes the operator's settings. One transaction under one lock: concurrent starts run it once, and a failure changes
 * nothing. If tables stay in use, each migration and each file of triggers gets a transaction of its own.
 * Migrations in batches, and what is before them, run before it, and indexes of online migrations are built after it, one by one
 * (docs/decisions/0079-online-migrations.md). Functions that no instance uses any more are dropped.
 * Returns the names of the migrations that ran.
 * @throws BadConfig when an applied migration was edited, a newer version has upgraded the schema, or a table stays in use.
 */
export async function migrate(
  pool: pg.Pool,
  folder = MIGRATIONS,
  functions = ownFunctions(),
  log: (line: string) => void = () => {},
): Promise<string[]> {
  const migrations = readSqlIn(folder)
  const ran = await runUntilLastBatches(pool, migrations, log)
  ran.push(...(await upgrade(pool, migrations, functions, log)))
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
  await analyzeUnanalyzed(pool)
  for (const table of PARTITIONED_TABLES) await validateReferences(pool, table)
  await validateChecks(pool)
  return ran
}

/**
 * Runs migrations in batches, which change many rows while running instances write, and each migration before them in a transaction of
 * its own. Those of a database that has to run others together with the triggers run there, in one transaction.
 */
async function runUntilLastBatches(
  pool: pg.Pool,
  migrations: readonly SqlFile[],
  log: (line: string) => void,
): Promise<string[]> {
  const ran: string[] = []
  if ((await appliedSchema(pool)) === undefined) return ran
  for (;;) {
    const next = await whenTablesAreFree(pool, LOCK, ATTEMPTS, async (client) => {
      const pending = await pendingMigrations(client, migrations)
      if (!pending.some(isInBatches) || !(await mayEachCommitAlone(client, pending))) return undefined
      const [migration] = pending
      if (migration !== undefined && !isInBatches(migration)) await runMigration(client, migration)
      return migration
    })
    if (next === undefined) return ran
    if (isInBatches(next)) {
      log(`${next.name} runs in batches. Instances of the version before continue.`)
      await runBatches(pool, LOCK, next)
    }
    ran.push(next.name)
  }
}

async function upgrade(
  pool: pg.Pool,
  migrations: readonly SqlFile[],
  functions: FunctionSet,
  log: (line: string) => void,
): Promise<string[]> {
  let mayRunAlone = false
  const together = async (client: pg.ClientBase) => {
    const pending = await pendingMigrations(client, migrations)
    mayRunAlone = await mayEachCommitAlone(client, pending)
    return upgradeTogether(client, pending, functions)
  }
  try {
    return await whenTablesAreFree(pool, LOCK, ATTEMPTS_TOGETHER, together)
  } catch (error) {
    if (!(error instanceof TablesInUse)) throw error
  }
  if (!mayRunAlone) return whenTablesAreFree(pool, LOCK, ATTEMPTS, together)
  log('Tables stay in use: each migration runs in a transaction of its own.')
  return upgradeOneByOne(pool, migrations, functions)
}

/** Returns whether each pending migration may commit without the others. Later ones may have an earlier number. */
async function mayEachCommitAlone(client: pg.ClientBase, pending: readonly SqlFile[]): Promise<boolean> {
  if (pending.every(({ name }) => name >= FIRST_ALONE)) return true
  const { rows } = await client.query('select from schema_migrations where name >= $1 limit 1', [FIRST_ALONE])
  return rows.length > 0
}

/** Runs the migrations, and installs the functions and triggers, in the caller's transaction. */
async function upgradeTogether(
  client: pg.ClientBase,
  pending: readonly SqlFile[],
  functions: FunctionSet,
): Promise<string[]> {
  const installed = await installedFunctions(client)
  let isSetInstalled = await isInstalled(client, functions)
  // Before the migrations, which hold locks until the transaction ends. An empty database has no types yet.
  if (!isSetInstalled && installed.sha256 !== null) isSetInstalled = await tryToInstallSet(client, functions)
  for (const migration of pending) await runMigration(client, migration)
  // A migration may have dropped a type, and functions with it.
  if (!isSetInstalled || (pending.length > 0 && !(await isInstalled(client, functions))))
    await installSet(client, functions)
  if (pending.length > 0 || installed.sha256 !== functions.fingerprint)
    await recordFiles(
      client,
      await installChangedFunctions(client, functions.shared, installed.files),
      functions.fingerprint,
    )
  await finish(client, functions)
  return pending.map(({ name }) => name)
}

/**
 * Runs each migration in a transaction of its own, and installs each file of triggers in one. An upgrade that ends in between is
 * continued by the next start of this version; running instances of the version before continue, and do not start again.
 */
async function upgradeOneByOne(
  pool: pg.Pool,
  migrations: readonly SqlFile[],
  functions: FunctionSet,
): Promise<string[]> {
  const step = <Result>(work: (client: pg.ClientBase) => Promise<Result>) =>
    whenTablesAreFree(pool, LOCK, ATTEMPTS, work)
  const ran: string[] = []
  for (;;) {
    const name = await step(async (client) => {
      const [next] = await pendingMigrations(client, migrations)
      if (next !== undefined) await runMigration(client, next)
      return next?.name
    })
    if (name === undefined) break
    ran.push(name)
  }
  await step(async (client) => {
    if (!(await isInstalled(client, functions))) await installSet(client, functions)
    await recordSet(client, functions, VERSION)
  })
  for (const file of functions.shared)
    await step(async (client) => {
      const { files } = await installedFunctions(client)
      await recordFiles(client, { ...files, ...(await installChangedFunctions(client, [file], files)) })
    })
  await step(async (client) => {
    // Another instance may have changed one meanwhile.
    const { files } = await installedFunctions(client)
    await recordFiles(
      client,
      await installChangedFunctions(client, functions.shared, files),
      functions.fingerprint,
    )
    await finish(client, functions)
  })
  return ran
}

/** Records which files of triggers are installed, and of which version all are. */
async function recordFiles(
  client: pg.ClientBase,
  files: Record<string, InstalledFile>,
  fingerprint?: string,
): Promise<void> {
  await client.query(
    `insert into schema_functions (sha256, files) values (coalesce($1, ''), $2)
     on conflict (only_row) do update set sha256 = coalesce($1, schema_functions.sha256), files = $2, installed_at = now()`,
    [fingerprint ?? null, JSON.stringify(files)],
  )
}

async function finish(client: pg.ClientBase, functions: FunctionSet): Promise<void> {
  await client.query('update schema_functions set version = $1 where version is distinct from $1', [VERSION])
  await recordSet(client, functions, VERSION)
  await completeSettings(client, functions)
}

/** Returns the names of this version's migrations, in order. */
export function ownMigrations(): string[] {
  return readSqlIn(MIGRATIONS).map(({ name }) => name)
}

/**
 * Checks that the schema and the functions are exactly those of this version, and changes nothing.
 * @throws BadConfig when they are others.
 */
export async function requireOwnSchema(pool: pg.Pool): Promise<void> {
  refuseOtherSchema(await appliedSchema(pool), ownMigrations())
  if (!(await isInstalled(pool, ownFunctions()))) refuseOtherFunctions()
}
