import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import pg from 'pg'
import type { Database } from '#server/database/database.ts'
import { type FunctionSet, ownFunctions } from '#server/database/function-set.ts'
import { migrate } from '#server/database/migrate.ts'
import { SERVER_ROLE } from '#server/database/server-role.ts'
import type { SqlFile } from '#server/database/sql-files.ts'
import { LONG_TIMEOUTS, openPooled, useDatabase } from './database.ts'
import { eventually } from './eventually.ts'

const ROOT = join(import.meta.dirname, '..', '..')
export const MIGRATIONS = join(ROOT, 'server', 'database', 'migrations')
const UPGRADE = `
  import pg from 'pg'
  import { migrate } from '#server/database/migrate.ts'
  await migrate(new pg.Pool({ connectionString: process.env.TEST_URL, max: 1 }), process.env.TEST_FOLDER)`

export type OlderDatabase = {
  url: string
  owner: pg.Pool
  /** An instance of the version before, in the server's role. */
  older: Database
}

/**
 * Databases of the version before the migration `first`, with its functions and what `fill` writes. Call it inside `describe`. `folder`
 * has the migrations of that version, inside tests.
 */
export function useOlderDatabases<Content extends object>(
  first: string,
  functions: () => FunctionSet,
  fill: (database: OlderDatabase) => Promise<Content>,
) {
  const template = nameOf()
  let folder = ''
  let content: Content
  // Before the connections of the owner are closed.
  after(async () => {
    await db.owner.query(`drop database if exists ${template} with (force)`)
    await rm(folder, { recursive: true, force: true })
  })
  const db = useDatabase()
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallywork-older-'))
    for (const name of await readdir(MIGRATIONS))
      if (name < first) await cp(join(MIGRATIONS, name), join(folder, name))
    await db.owner.query(`create database ${template}`)
    content = await within(template, async (database) => {
      const { owner } = database
      const set = functions()
      await migrate(owner, folder, set)
      await owner.query(`
        grant usage on schema ${set.schema} to ${SERVER_ROLE};
        grant usage on all sequences in schema public to ${SERVER_ROLE};
        grant select, insert, update, delete on all tables in schema public to ${SERVER_ROLE};
        revoke update, delete on ledger_transfers from ${SERVER_ROLE}`)
      return fill(database)
    })
    // A database is copied when nobody is connected to it.
    const connected = 'select from pg_stat_activity where datname = $1'
    await eventually(async () => (await db.owner.query(connected, [template])).rowCount === 0)
  })

  /** Opens a database for as long as `work` takes. */
  async function within<Result>(name: string, work: (database: OlderDatabase) => Promise<Result>) {
    const address = new URL(db.url)
    address.pathname = `/${name}`
    const url = address.href
    const owner = new pg.Pool({ connectionString: url, ...LONG_TIMEOUTS })
    owner.on('error', () => {})
    const older = openPooled(url, {}, 8, functions())
    try {
      return await work({ url, owner, older })
    } finally {
      await older.close()
      await owner.end()
    }
  }

  return {
    get folder() {
      return folder
    },
    /** Makes one for as long as `work` takes. */
    async inAnOlderDatabase(work: (database: OlderDatabase & Content) => Promise<void>): Promise<void> {
      const name = nameOf()
      await db.owner.query(`create database ${name} template ${template} strategy file_copy`)
      try {
        await within(name, (database) => work({ ...database, ...content }))
      } finally {
        await db.owner.query(`drop database ${name} with (force)`)
      }
    },
  }
}

/** Returns the files of the functions as versions before 0326 have them, whose accounts have no owner. */
export function earlierFiles(): SqlFile[] {
  return ownFunctions().files.map((file) => ({
    ...file,
    sql: file.sql
      .replace('(kind, owner_id) values (p_kind, p_owner)', '(kind) values (p_kind)')
      .replace('if new.owner_id is not distinct from old.owner_id then', 'if true then'),
  }))
}

const nameOf = () => `older_${randomUUID().replaceAll('-', '')}`

/**
 * Starts a process that upgrades the schema, as a start of the server does, kills it once `isReached` and waits for its end.
 * @param folder has the migrations, if they are not those of this version.
 * @throws Error when the process ends before it is killed.
 */
export async function killUpgrade(
  url: string,
  isReached: () => Promise<boolean>,
  folder?: string,
): Promise<void> {
  const upgrade = spawn(process.execPath, ['--input-type=module', '--eval', UPGRADE], {
    cwd: ROOT,
    env: { ...process.env, TEST_URL: url, TEST_FOLDER: folder },
    stdio: 'inherit',
  })
  const exited = once(upgrade, 'exit')
  try {
    await eventually(() => {
      if (upgrade.exitCode !== null || upgrade.signalCode !== null)
        throw new Error(`The upgrade ended (${upgrade.exitCode}) before it was killed`)
      return isReached()
    })
  } finally {
    upgrade.kill('SIGKILL')
    await exited
  }
}

/** Returns the numbers of the applied migrations from `first` on. */
export async function appliedFrom(owner: pg.Pool, first: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    'select name from schema_migrations where name >= $1 order by name',
    [first],
  )
  return rows.map(({ name }) => name.slice(0, 4))
}

/** Says whether a statement in the database waits for a row that an open transaction has written. */
export async function waitsForRow(owner: pg.Pool): Promise<boolean> {
  const { rows } = await owner.query(
    `select from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`,
  )
  return rows.length > 0
}

/** Says whether a statement in the database waits for the exclusive lock of a table. */
export async function waitsForTable(owner: pg.Pool): Promise<boolean> {
  const { rows } = await owner.query(
    `select from pg_locks where mode = 'AccessExclusiveLock' and not granted
        and database = (select oid from pg_database where datname = current_database())`,
  )
  return rows.length > 0
}
