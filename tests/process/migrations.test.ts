import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type pg from 'pg'
import { readManifest, restore } from '#server/backup/restore.ts'
import { openDatabase } from '#server/database/database.ts'
import { migrate } from '#server/database/migrate.ts'
import { SERVER_ROLE } from '#server/database/server-role.ts'
import { hashOf, readSqlIn } from '#server/database/sql-files.ts'
import { audit } from '#server/ledger/audit.ts'
import { type NotificationRow, textOf } from '#server/notifications/present.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { LONG_TIMEOUTS, useDatabase } from '#tests/support/database.ts'
import { aPendingSubmission, balanceOf, testConfig } from '#tests/support/factories.ts'
import { anInstance } from '#tests/support/instance.ts'
import { launchServerProcess, startServerProcess } from '#tests/support/server-process.ts'

const RELEASED = join(import.meta.dirname, 'released')
const MIGRATIONS = join(import.meta.dirname, '..', '..', 'server', 'database', 'migrations')

describe('migrations', () => {
  const db = useDatabase()
  let folder = ''

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallywork-migrations-'))
    await cp(MIGRATIONS, folder, { recursive: true })
  })
  after(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  /** A database with nothing in it, for as long as `work` takes. */
  async function inAnEmptyDatabase(work: (url: string) => Promise<void>): Promise<void> {
    const name = `empty_${randomUUID().replaceAll('-', '')}`
    await db.owner.query(`create database ${name}`)
    const url = new URL(db.url)
    url.pathname = `/${name}`
    try {
      await work(url.href)
    } finally {
      await db.owner.query(`drop database ${name} with (force)`)
    }
  }
  /** Creates the tables and functions as a released version did, with all functions in `public`. */
  async function installReleased(pool: pg.Pool, migrations: string, released: string): Promise<void> {
    await pool.query(`
      create table schema_migrations (
        name text primary key, sha256 text not null, applied_at timestamptz not null default now());
      create table schema_functions (
        only_row boolean primary key default true, sha256 text not null, installed_at timestamptz not null default now())`)
    for (const { name, sql } of readSqlIn(migrations)) {
      await pool.query(sql)
      await pool.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, hashOf(sql)])
    }
    await pool.query(
      `set check_function_bodies = off; ${readFileSync(join(released, 'functions.sql'), 'utf8')}`,
    )
    await pool.query(`insert into schema_functions (sha256) values ('of a released version')`)
  }
  /** Starts a server, which receives SIGTERM as soon as it listens: it finishes its start and stops in order. */
  async function stopBeforeReady(env: Record<string, string>): Promise<void> {
    const { serverProcess: server, ready } = await launchServerProcess({
      env: { ...env, PORT: '0', LOG_LEVEL: 'info' },
    })
    const { process: child } = server
    const closed = once(child, 'close')
    let printed = ''
    child.stdout?.on('data', (text) => {
      const isListening = /Server listening/.test(printed)
      printed += text
      if (!isListening && /Server listening/.test(printed)) child.kill('SIGTERM')
    })
    assert.deepEqual(await closed, [0, null])
    await ready
    assert.match(server.output, /Stopping \(SIGTERM\).+ is ready at .+Stopped\./s)
    await server.stop()
  }
  const applied = async (pool: pg.Pool) =>
    (await pool.query('select name, applied_at from schema_migrations order by 1')).rows

  test('two servers that start at once on one empty database migrate it once, and both run', async () => {
    await inAnEmptyDatabase(async (url) => {
      const env = { DATABASE_URL: url, DEMO: '1', AUTH_SECRET: 'one secret for both instances, long enough' }
      const servers = await Promise.all([startServerProcess({ env }), startServerProcess({ env })])
      try {
        for (const server of servers) assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
      } finally {
        await Promise.all(servers.map((server) => server.stop()))
      }
      const database = openDatabase({ connectionString: url, ...LONG_TIMEOUTS }, { max: 2, prepare: true })
      const { balanced } = await audit(database)
      const { rows } = await database.pool.query(
        'select count(*) as times, count(distinct name) as names from schema_migrations',
      )
      await database.close()
      assert.ok(balanced)
      assert.equal(rows[0].times, rows[0].names)
    })
  })

  // Each folder holds a backup of the demo data at a released version (without its files) and the functions of that version.
  // A server starts on that of the first one, which has the most migrations before it, and is stopped at its first request.
  const versions = readdirSync(RELEASED).toSorted()
  for (const version of versions) {
    const isFirst = version === versions[0]
    const andStop = isFirst ? '; SIGTERM before a server on it is ready stops it in order' : ''
    test(`a marketplace of version ${version} with data upgrades, and its books balance${andStop}`, async () => {
      const released = join(RELEASED, version)
      const { migrations, figures } = await readManifest(released)
      const old = await mkdtemp(join(tmpdir(), 'tallywork-released-'))
      try {
        for (const name of migrations) await cp(join(MIGRATIONS, name), join(old, name))
        await inAnEmptyDatabase(async (url) => {
          const database = openDatabase(
            { connectionString: url, ...LONG_TIMEOUTS },
            { max: 2, prepare: true },
          )
          await installReleased(database.pool, old, released)
          await restore(database.pool, { ...testConfig, dataDir: old }, released, () => {})
          const notifications = 'select * from notifications order by id'
          const before = (await database.pool.query(notifications)).rows
          // Instances of that version keep writing with this role.
          await database.pool.query(`grant select, insert, update on notifications to ${SERVER_ROLE}`)
          await migrate(database.pool)
          const { rows: privileges } = await database.pool.query(
            `select from unnest(array['select', 'insert', 'update']) as p where has_table_privilege($1, 'notifications', p)`,
            [SERVER_ROLE],
          )
          assert.equal(privileges.length, 3)
          const { rows } = await database.pool.query<NotificationRow>(notifications)
          const sentences = before.map(({ message, action_route }) => ({
            message,
            actionRoute: action_route,
          }))
          assert.ok(sentences.length > 0)
          assert.deepEqual(
            rows.map((row) => textOf(row, 'en')),
            sentences,
          )
          const { rowCount: withoutOwner } = await database.pool.query(
            `select from ledger_accounts where owner_id is null and kind in ('user', 'escrow', 'hold')`,
          )
          assert.equal(withoutOwner, 0)
          const found = await audit(database)
          const instance = await anInstance(database)
          const tasks = await instance.app.inject('/api/all-task')
          assert.ok((tasks.json() as unknown[]).length > 0)
          await instance.close()
          await database.close()
          assert.ok(found.balanced)
          for (const [name, coins] of Object.entries(figures)) assert.equal(found.figures[name], coins, name)

          if (isFirst) await stopBeforeReady({ DATABASE_URL: url, DEMO: '1' })
        })
      } finally {
        await rm(old, { recursive: true, force: true })
      }
    })
  }

  test('functions of another version that triggers need are replaced: other results, parameter names and parameter lists', async () => {
    const pool = db.owner
    const definitions = async () =>
      (
        await pool.query(
          `select oid::regprocedure::text as signature, pg_get_functiondef(oid) as text from pg_proc
            where pronamespace = 'public'::regnamespace and prokind = 'f'
              and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e') order by 1`,
        )
      ).rows
    const there = await definitions()
    await pool.query(`
      set search_path = public;
      drop function iso_time(timestamptz);
      create function iso_time(p_time timestamptz) returns int language sql as 'select 1';
      create function iso_time(p_time date) returns text language sql as 'select ''of another type''';
      drop function receipt_number(text, bigint);
      create function receipt_number(p_series text, p_count bigint) returns text language sql as 'select ''''';
      create function pay_debt(p_account bigint, p_reason text default '') returns void language sql as '';
      create function transfer(p_ref uuid) returns void language sql as '';
      create function own_report() returns int language sql as 'select 7';
      update schema_functions set sha256 = 'of another version'`)
    await migrate(pool)
    const earlier = await pool.query(
      `select own_report() as own, to_regprocedure('transfer(uuid)') as former`,
    )
    assert.deepEqual(earlier.rows, [{ own: 7, former: 'transfer(uuid)' }], 'what is in nobody’s way stays')
    await pool.query('drop function own_report(); drop function transfer(uuid)')
    assert.deepEqual(await definitions(), there)
  })

  test('a failing migration changes nothing, and the previous version keeps running', async () => {
    const story = await aPendingSubmission(db.database)
    const pool = db.owner
    const there = await applied(pool)
    await writeFile(
      join(folder, '9000_good.sql'),
      'create table new_things (id int); update users set wallet = wallet + 1;',
    )
    await writeFile(join(folder, '9001_bad.sql'), 'alter table users add column more int; select 1 / 0;')
    await assert.rejects(migrate(pool, folder), /division by zero/)
    assert.deepEqual(await applied(pool), there)
    const { rows } = await pool.query(
      `select to_regclass('new_things') as things, sum(wallet) as wallets from users`,
    )
    assert.deepEqual([rows[0].things, Number(rows[0].wallets)], [null, 100])

    await approveSubmission(db.database, story.submissionId, story.buyer.id)
    assert.equal(await balanceOf(db.database, story.worker), 20)

    await writeFile(join(folder, '9001_bad.sql'), 'alter table users add column more int;')
    assert.deepEqual(await migrate(pool, folder), ['9000_good.sql', '9001_bad.sql'])
    assert.deepEqual(await migrate(pool, folder), [], 'and only once')
  })

  test('an edited migration stops the start', async () => {
    await writeFile(join(folder, '9001_bad.sql'), 'alter table users add column other int;')
    await assert.rejects(migrate(db.owner, folder), /9001_bad\.sql was changed after it ran/)
  })
})
