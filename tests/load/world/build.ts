import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Database, openDatabase } from '#server/database/database.ts'
import { migrate } from '#server/database/migrate.ts'
import { hashPassword } from '#server/identity/password.ts'
import { audit } from '#server/ledger/audit.ts'
import { updateRecords } from '#server/records/update.ts'
import { type Shape, shapeOf } from './shape.ts'
import { stepsOf } from './steps.ts'

export const PASSWORD = 'Bench!password'

/** Where the worlds of a size are kept, unless a run says otherwise. */
export const folderFor = (tasks: number) => join(tmpdir(), `tallywork-bench-${tasks}`)

/**
 * A database with N tasks on this server, for one run; returns its URL and shape. The data
 * itself is built once and kept as a template: later runs that need no more decisions copy it.
 * @param decisions how many pending submissions the run may use up.
 */
export async function freshWorld(
  serverUrl: string,
  tasks: number,
  decisions: number,
  log: (line: string) => void,
): Promise<{ url: string; shape: Shape }> {
  const template = await administer(serverUrl, async (client) => {
    await client.query('drop database if exists run with (force)')
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database where datname like 'world\\_%' or datname = 'draft'`,
    )
    const found = rows.map((row) => row.datname)
    for (const name of found) {
      const [, size, supply, steps, from] = /^world_(\d+)_(\d+)_(\d+)_(\w+)$/.exec(name) ?? []
      const fits = Number(size) === tasks && Number(supply) >= decisions
      if (fits && from === (await fingerprint(Number(steps))).print) return name
    }
    for (const name of found) await client.query(`drop database ${name} with (force)`)
    await client.query('create database draft')
    const shape = shapeOf(tasks, decisions)
    await build(withName(serverUrl, 'draft'), shape, log)
    const { steps, print } = await fingerprint()
    const name = `world_${tasks}_${decisions}_${steps}_${print}`
    await client.query(`alter database draft rename to ${name}`)
    return name
  })

  await administer(serverUrl, (client) =>
    client.query(`create database run template ${template} strategy file_copy`),
  )
  const url = withName(serverUrl, 'run')
  const shape = await administer(url, async (client) => {
    const { rows } = await client.query<{ shape: Shape }>('select shape from bench.shape')
    return rows[0]?.shape
  })
  if (shape === undefined) throw new Error('The world says nothing about its shape')
  return { url, shape }
}

/** What people ask for all day: kept in the database's own memory. The rest is read once, into the system's. */
const HOT = ['tasks', 'open_task_slots', 'users', 'ledger_accounts', 'identities', 'sessions', 'search_terms']

const QUIET_SECONDS = 3
const SENT_EMAILS = 20_000

/**
 * Brings a fresh copy into the state of a marketplace that has been at work for a while: what is on disk is in memory
 * too, and nothing runs but what people cause.
 */
export async function warm(url: string): Promise<void> {
  await administer(url, async (client) => {
    await client.query('checkpoint')
    await client.query('create extension if not exists pg_prewarm')
    await client.query(
      `select pg_prewarm(pg_class.oid, case when coalesce(table_of.relname, pg_class.relname) = any ($1) then 'buffer' else 'read' end)
         from pg_class left join pg_index on indexrelid = pg_class.oid left join pg_class as table_of on table_of.oid = indrelid
        where pg_class.relnamespace = 'public'::regnamespace and pg_class.relkind in ('r', 'i')
        order by coalesce(table_of.relname, pg_class.relname) = any ($1)`,
      [HOT],
    )
    // Without sent emails PostgreSQL takes the queue of a busy minute for an empty one.
    const { rowCount: queues } = await client.query(
      `select from pg_class where oid = to_regclass('jobs.job')`,
    )
    if (queues === 1) {
      await client.query(
        `insert into jobs.job (name, state, completed_on) select 'mail', 'completed', now() from generate_series(1, $1)`,
        [SENT_EMAILS],
      )
      await client.query('analyze jobs.job_common')
    }
    // The server audits the books when it starts, and autovacuum runs on a copy.
    for (let quiet = 0; quiet < QUIET_SECONDS; quiet++) {
      await sleep(1000)
      const { rowCount } = await client.query(
        `select from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() or backend_type = 'autovacuum worker'`,
      )
      if (rowCount !== 0) quiet = -1
    }
  })
}

async function build(url: string, shape: Shape, log: (line: string) => void): Promise<void> {
  const database = openDatabase({ connectionString: url, query_timeout: 0 }, { max: 2, prepare: true })
  try {
    await migrate(database.pool)
    await fill(database, shape, log)
    const { balanced, checks, figures, tookMs } = await audit(database)
    if (!balanced) {
      const wrong = checks.filter((check) => check.wrong !== 0)
      throw new Error(`The books of the built world do not balance: ${JSON.stringify(wrong)}`)
    }
    await updateRecords(database)
    log(
      `  audited: the books balance over ${figures.transfers?.toLocaleString('en')} transfers (${(tookMs / 1000).toFixed(1)} s)`,
    )
  } finally {
    await database.close()
  }
}

/** Writes a world into an empty, migrated database. As sets, without triggers: only here, and the audit proves the books. */
export async function fill(database: Database, shape: Shape, log: (line: string) => void): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query(
      `set session_replication_role = replica; set work_mem = '256MB'; set maintenance_work_mem = '512MB'; set synchronous_commit = off`,
    )
    const indexes = await dropIndexes(client)
    for (const [name, sql] of [
      ...stepsOf(shape, await hashPassword(PASSWORD)),
      ['indexes', indexes.join(';')] as const,
    ]) {
      const started = performance.now()
      await client.query(sql)
      log(`  ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
    }
    await client.query('create table bench.shape as select $1::jsonb as shape', [JSON.stringify(shape)])
    await client.query('vacuum analyze')
  } finally {
    client.release(true)
  }
}

/** Indexes are cheaper to make afterwards, all rows at once. Returns the statements that create them. */
async function dropIndexes(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    // Those of partitions are dropped and created with their table's.
    `select indexname, replace(indexdef, ' ON ONLY ', ' ON ') as indexdef from pg_indexes
      where schemaname = 'public' and not exists (select from pg_constraint where conname = indexname)
        and not exists (select from pg_class where relname = indexname and relispartition)`,
  )
  for (const { indexname } of rows) await client.query(`drop index ${indexname}`)
  return rows.map(({ indexdef }) => indexdef)
}

/**
 * The inputs of a data set: its steps and migrations; the server runs later ones on its copy, as on any
 * database. A world is a month old at most.
 */
async function fingerprint(steps = Number.POSITIVE_INFINITY): Promise<{ steps: number; print: string }> {
  const root = join(import.meta.dirname, '..', '..', '..')
  const paths = async (pattern: string) => (await Array.fromAsync(glob(pattern, { cwd: root }))).sort()
  const migrations = (await paths('server/database/migrations/*.sql')).slice(0, steps)
  const hash = createHash('sha256')
  for (const path of [...migrations, ...(await paths('tests/load/world/*.ts'))])
    hash.update(readFileSync(join(root, path)))
  const print = hash.update(new Date().toISOString().slice(0, 7)).digest('hex').slice(0, 12)
  return { steps: migrations.length, print }
}

async function administer<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function withName(url: string, name: string): string {
  const named = new URL(url)
  named.pathname = `/${name}`
  return named.href
}
