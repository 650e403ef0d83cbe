// Upgrades a large database while users write: no write may wait for a second, and none may fail.
//
//   node tests/load/online-migrations.ts [--tasks 1000000] [--folder …] [--from COMMIT]
//
// With --from the database is of that commit and its users write as that version does, so that the migrations since then run.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type Database, openDatabase } from '#server/database/database.ts'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { type FunctionSet, functionSet, ownFunctions } from '#server/database/function-set.ts'
import { migrate } from '#server/database/migrate.ts'
import { startBackgroundLoad } from '#tests/support/background-load.ts'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { eventually } from '#tests/support/eventually.ts'
import type { TestUser } from '#tests/support/factories.ts'
import { copyOfCommit } from '#tests/support/server-copy.ts'
import { print } from '../support/print.ts'
import { at } from './drive/percentile.ts'
import { folderFor, warm } from './world/build.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const MIGRATIONS = join(ROOT, 'server', 'database', 'migrations')
const WRITERS = 4
const LONGEST_MS = 1000
/** Writes before the upgrade, of which the longest is the measure of the machine. */
const WRITES_BEFORE = 200
const COINS = 1_000_000

/** What an upgrade does to large tables: columns with a default, a trigger, and indexes. */
const UPGRADE = {
  '9000_columns.sql': `-- Locks: tasks, users, submissions, ledger_transfers, for moments.
    alter table tasks add column newer int not null default 0;
    alter table users add column newer int;
    alter table submissions add column newer text;
    alter table ledger_transfers add column newer int;`,
  '9001_index.online.sql': `-- Locks: nothing.
create index concurrently submissions_newer on submissions (newer, task_id);`,
  '9002_index.online.sql': `-- Locks: nothing.
create index concurrently ledger_transfers_newer on ledger_transfers_1 (newer, created_at);`,
}

/** Domains whose triggers the upgrade installs again, as if it had changed them, beside a new set of functions. */
const CHANGED = '^(tasks|submissions|notifications)/'
const FORGET_FUNCTIONS = `update schema_functions set sha256 = '', files = files -
  (select array_agg(file) from jsonb_object_keys(files) as file where file ~ $1)`

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '1000000' },
    folder: { type: 'string' },
    from: { type: 'string' },
  },
})
const tasks = Number(values.tasks)
const folder = await mkdtemp(join(tmpdir(), 'tallywork-upgrade-'))
const version = await modulesOf(
  values.from === undefined
    ? ROOT
    : copyOfCommit(join(folder, 'current'), values.from, 'tests/load', 'tests/support'),
)
const embedded = await startEmbedded({ dataDir: values.folder ?? folderFor(tasks), log: print })
try {
  const { url } = await version.freshWorld(embedded.connectionString, tasks, 10_000, print)
  const owner = new pg.Pool({ connectionString: url, max: 1 })
  owner.on('error', () => {}) // the server may end its connection first
  const database = version.openDatabase({ connectionString: url }, { max: 2 * WRITERS, prepare: true })
  try {
    await version.migrate(owner)
    await warm(url)
    await upgradeUnderWrites(owner, database)
  } finally {
    await Promise.all([database.close(), owner.end()])
  }
} finally {
  await embedded.stop()
  await rm(folder, { recursive: true })
}

/** Imports what builds a world and writes to it from a folder with the files of a version. */
async function modulesOf(root: string) {
  const from = <Module>(path: string) => import(join(root, path)) as Promise<Module>
  const [{ migrate }, { openDatabase }, { freshWorld }, { approveSubmission }, factories] = await Promise.all(
    [
      from<typeof import('#server/database/migrate.ts')>('server/database/migrate.ts'),
      from<typeof import('#server/database/database.ts')>('server/database/database.ts'),
      from<typeof import('./world/build.ts')>('tests/load/world/build.ts'),
      from<typeof import('#server/submissions/approve.ts')>('server/submissions/approve.ts'),
      from<typeof import('#tests/support/factories.ts')>('tests/support/factories.ts'),
    ],
  )
  return { migrate, openDatabase, freshWorld, approveSubmission, ...factories }
}

async function upgradeUnderWrites(owner: pg.Pool, database: Database): Promise<void> {
  const migrations = join(folder, 'migrations')
  const load = await writeAllTheTime(database)
  try {
    await cp(MIGRATIONS, migrations, { recursive: true })
    for (const [name, sql] of Object.entries(UPGRADE)) await writeFile(join(migrations, name), sql)
    await eventually(() => load.writes.length >= WRITES_BEFORE)
    const before = load.writes.splice(0)
    await owner.query(FORGET_FUNCTIONS, [CHANGED])
    const started = performance.now()
    const changed = ownFunctions().files.map((file) => ({ ...file, sql: `${file.sql}\n-- Newer` }))
    const functions = functionSet(changed)
    const ran = await migrate(owner, migrations, functions, print)
    const seconds = (performance.now() - started) / 1000
    await load.stop()
    await expectBalance(owner, functions)
    const longest = Math.max(...load.writes)
    const rows = await sizes(owner)
    print(
      `${rows}: ${ran.length} migrations, all functions and the triggers of three domains in ${seconds.toFixed(1)} s`,
    )
    print(`before:    ${summary(before)}`)
    print(`meanwhile: ${summary(load.writes)}; ${load.failures.length} failed`)
    for (const failure of load.failures.slice(0, 10)) print(`✖ ${failure}`)
    if (longest >= LONGEST_MS) print(`✖ A write took ${Math.round(longest)} ms`)
    if (load.failures.length > 0 || longest >= LONGEST_MS) process.exitCode = 1
  } finally {
    await load.stop()
  }
}

/** Audits the books with the functions of the new version. */
async function expectBalance(
  { options: { connectionString } }: pg.Pool,
  functions: FunctionSet,
): Promise<void> {
  const database = openDatabase({ connectionString }, { max: 2, prepare: true, functions })
  try {
    await expectBooksToBalance(database)
  } finally {
    await database.close()
  }
}

/** Posts, submits and approves without a pause. `writes` has the duration of each write in milliseconds. */
async function writeAllTheTime(database: Database) {
  const writes: number[] = []
  const failures: string[] = []
  const buyers = await Promise.all(
    Array.from({ length: WRITERS }, () => version.aBuyer(database, { coins: COINS })),
  )

  async function timed<T>(write: () => Promise<T>): Promise<T> {
    const started = performance.now()
    try {
      return await write()
    } finally {
      writes.push(performance.now() - started)
    }
  }
  async function write(buyer: TestUser): Promise<void> {
    try {
      const worker = await timed(() => version.aWorker(database))
      const task = await timed(() => version.aTask(database, buyer, { slots: 1, reward: 1 }))
      const submission = await timed(() => version.aSubmission(database, task, worker))
      await timed(() => version.approveSubmission(database, submission, buyer.id))
    } catch (error) {
      failures.push((error as Error).message)
    }
  }
  const load = startBackgroundLoad(WRITERS, (loop) => write(buyers[loop] as TestUser))
  return { writes, failures, stop: load.stop }
}

function summary(times: readonly number[]): string {
  const [median, high] = [at(times, 0.5), at(times, 0.99)].map((ms) => `${Math.round(ms)} ms`)
  return `${times.length} writes, p50 ${median}, p99 ${high}, longest ${Math.round(Math.max(...times))} ms`
}

async function sizes(owner: pg.Pool): Promise<string> {
  const { rows } = await owner.query<{ tasks: string; submissions: string; transfers: string }>(
    'select (select count(*) from tasks) as tasks, (select count(*) from submissions) as submissions, (select count(*) from ledger_transfers) as transfers',
  )
  const { tasks: taskRows, submissions, transfers } = rows[0] ?? {}
  return `${taskRows} tasks, ${submissions} submissions, ${transfers} transfers`
}
