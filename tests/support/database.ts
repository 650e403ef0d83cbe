import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before } from 'node:test'
import pg from 'pg'
import { type Database, openDatabase } from '#server/database/database.ts'
import { type Embedded, startEmbedded } from '#server/database/embedded/launcher.ts'
import { ownFunctions } from '#server/database/function-set.ts'
import { migrateJobSchema } from '#server/database/job-schema.ts'
import { migrate } from '#server/database/migrate.ts'
import { grantServerPrivileges, SERVER_ROLE } from '#server/database/server-role.ts'
import { expectBooksToBalance } from './books.ts'
import { type EmptiedDatabase, KEPT_CONNECTIONS, rememberRows } from './emptied-database.ts'
import { CEILING_MS } from './eventually.ts'
import { expectValidNotifications } from './notifications.ts'

/** Connection settings of the tests: the timeouts of production fail on a busy machine. */
export const LONG_TIMEOUTS = { query_timeout: CEILING_MS, connectionTimeoutMillis: CEILING_MS }

/** A database with connections that know its tables and have planned their statements. */
type WarmDatabase = { url: string; open: Database; auditing: Database; rows: EmptiedDatabase }

/** Databases that a describe block has used and the next one may use; undefined where each block's is deleted after it. */
let used: WarmDatabase[] | undefined

/**
 * Lets describe blocks use the same databases one after another until `deleteDatabases`. Each finds the rows of a new
 * one. A database whose schema was changed is deleted.
 */
export function reuseDatabases(): void {
  used = []
}

/** Deletes the databases that no describe block uses any more. */
export async function deleteDatabases(): Promise<void> {
  const rest = used ?? []
  used = undefined
  await Promise.all(rest.map(deleteDatabase))
}

/**
 * A database of this describe block's own, migrated and empty, on a real PostgreSQL. After each test the books are
 * audited and stored notifications are checked. Call it inside `describe`; read `.database` inside tests. It has the
 * running server's role; `.owner` and the role of `.url` own the tables.
 * @param isNew whether the database is new even where others are reused: for tests of plans, which depend on sizes and statistics.
 */
export function useDatabase({ isNew = false } = {}): {
  readonly database: Database
  readonly owner: pg.Pool
  readonly url: string
} {
  let warm: WarmDatabase | undefined
  let open: Database | undefined
  let owner: pg.Pool | undefined
  let url = ''

  before(async () => {
    users++
    warm = (isNew ? undefined : await emptyUsed()) ?? (await createDatabase())
    url = warm.url
    // The server caches some results by database.
    open = { ...warm.open }
  })
  afterEach(async () => {
    if (warm === undefined) return
    await expectBooksToBalance(warm.auditing)
    await expectValidNotifications(warm.auditing)
  })
  after(async () => {
    await owner?.end()
    // It is emptied before its next use: the server of this block may still be running.
    if (warm !== undefined && used !== undefined) used.push(warm)
    else if (warm !== undefined) await deleteDatabase(warm)
    await leaveServer()
  })

  return {
    get database() {
      if (open === undefined) throw new Error('The database is open inside tests only')
      return open
    },
    get owner() {
      if (owner === undefined) {
        owner = new pg.Pool({ connectionString: url, ...LONG_TIMEOUTS })
        // The server ends connections that are still closing when the database is dropped.
        owner.on('error', () => {})
      }
      return owner
    },
    get url() {
      return url
    },
  }
}

async function createDatabase(): Promise<WarmDatabase> {
  const url = await freshDatabase()
  const kept = { application_name: KEPT_CONNECTIONS }
  return {
    url,
    rows: await rememberRows(url),
    open: openPooled(url, kept),
    // The audit's statements are planned once per connection, which takes longer than running them.
    auditing: openPooled(url, kept, 1),
  }
}

/** Returns a used database with the rows of a new one. Deletes those that cannot be used again. */
async function emptyUsed(): Promise<WarmDatabase | undefined> {
  const warm = used?.pop()
  if (warm === undefined) return undefined
  const { total, idle, waiting } = warm.open.connections()
  if (total === idle && waiting === 0 && (await warm.rows.restore())) return warm
  await deleteDatabase(warm)
  return emptyUsed()
}

async function deleteDatabase({ url, open, auditing, rows }: WarmDatabase): Promise<void> {
  await Promise.all([open.close(), auditing.close(), rows.close()])
  await dropDatabase(url)
}

/**
 * Opens a pool on a test database in the running server's role; through PgBouncer in transaction mode where TEST_DATABASE_POOLED names one (`npm run
 * test:instances`), which loses track of prepared names.
 */
export function openPooled(
  url: string,
  connection: pg.PoolConfig = {},
  max = 12,
  functions = ownFunctions(),
): Database {
  const pooled = process.env.TEST_DATABASE_POOLED
  const connectionString = asServer(
    pooled === undefined ? url : withName(pooled, new URL(url).pathname.slice(1)),
  )
  return openDatabase(
    { connectionString, ...LONG_TIMEOUTS, ...connection },
    { max, functions, prepare: pooled === undefined },
  )
}

const TEMPLATE = 'tallywork_template'
let server: Promise<Embedded> | undefined
let template: Promise<void> | undefined
let users = 0

/** Returns the URL of the server that all tests share: the one `npm test` started, or one of our own in the temp folder. */
async function serverUrl(): Promise<string> {
  const given = process.env.TEST_DATABASE_URL
  if (given !== undefined) return given
  const dataDir = join(tmpdir(), `tallywork-tests-${userInfo().username}-${process.pid}`)
  server ??= startEmbedded({ dataDir, log: () => {} })
  return (await server).connectionString
}

/** Stops our own server and deletes its folder after its last user. */
async function leaveServer(): Promise<void> {
  if (--users > 0 || server === undefined) return
  const embedded = await server
  server = undefined
  template = undefined
  await embedded.stop()
  await rm(join(tmpdir(), `tallywork-tests-${userInfo().username}-${process.pid}`), {
    recursive: true,
    force: true,
  })
}

/** Creates a migrated, empty database and returns its URL. */
export async function freshDatabase(): Promise<string> {
  const base = await serverUrl()
  template ??= makeTemplate(base)
  await template
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Copying files is cheaper than writing each page to the log, and leaves less to write back when it is dropped.
  await administer(base, `create database ${name} template ${TEMPLATE} strategy file_copy`)
  // A copy has all privileges of its template but those on the database itself (server/database/server-privileges.sql). Tests call
  // functions without their schema; statements of the server have it.
  await administer(
    base,
    `revoke create, temporary on database ${name} from public;
     alter database ${name} set search_path = public, ${ownFunctions().schema}`,
  )
  return withName(base, name)
}

async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await administer(await serverUrl(), `drop database if exists ${name} with (force)`)
}

async function makeTemplate(base: string): Promise<void> {
  const lock = new pg.Client({ connectionString: base })
  await lock.connect()
  try {
    await lock.query('select pg_advisory_lock(7461002)')
    const { rows } = await lock.query('select from pg_database where datname = $1', [TEMPLATE])
    if (rows.length === 0) await lock.query(`create database ${TEMPLATE}`)
    const pool = new pg.Pool({ connectionString: withName(base, TEMPLATE), max: 1 })
    try {
      await migrate(pool)
      await migrateJobSchema(pool)
      await grantServerPrivileges(pool, SERVER_ROLE, 'create')
      await pool.query(`alter role ${SERVER_ROLE} login`)
    } finally {
      await pool.end()
    }
  } finally {
    await lock.end()
  }
}

async function administer(base: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: base })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Returns the URL with the running server's role. */
export function asServer(url: string): string {
  const changed = new URL(url)
  changed.username = SERVER_ROLE
  return changed.href
}

function withName(base: string, name: string): string {
  const url = new URL(base)
  url.pathname = `/${name}`
  return url.href
}
