import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { readConfig } from '#server/config.ts'
import { connectToOwnSchema } from '#server/database/connect.ts'
import { failureText } from '#server/run-command.ts'
import { start } from '#server/start.ts'
import { freshDatabase, useDatabase } from '#tests/support/database.ts'
import { CEILING_MS } from '#tests/support/eventually.ts'
import { RANDOM_SECRET } from '#tests/support/random-secret.ts'
import { childEnvironment } from '#tests/support/server-process.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const SERVER = ['server/main.ts']
const AUDIT = ['server/ledger/audit-command.ts']
const RECORD = ['server/admin-audit-log/audit-log-command.ts', 'export']
const SECURITY_LOG = ['server/security-log/security-log-command.ts']

describe('versions of the server and of the schema', () => {
  const db = useDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'tallywork-versions-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  let backups = 0
  const backup = () => ['server/backup/backup-command.ts', 'backup', join(folder, `backup${++backups}`)]

  function run(args: readonly string[], env: Record<string, string>) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: ROOT,
      encoding: 'utf8',
      env: {
        ...childEnvironment(),
        PORT: '0',
        DATA_DIR: join(folder, 'data'),
        AUTH_SECRET: RANDOM_SECRET,
        ...env,
      },
      timeout: CEILING_MS,
    })
    return { code: status, stdout, stderr }
  }
  const configOf = (env: Record<string, string>) =>
    readConfig({ PORT: '0', DATA_DIR: join(folder, 'data'), AUTH_SECRET: RANDOM_SECRET, ...env })
  const startServer = (env: Record<string, string>) => start(configOf(env), () => {})
  /** Opens the database as each command does that changes no schema. */
  const openAsCommand = (env: Record<string, string>) => connectToOwnSchema(configOf(env), () => {})
  /** Expects a failure that is printed as a sentence, without a stack trace. */
  async function expectSentence(work: Promise<unknown>, message: RegExp): Promise<void> {
    await assert.rejects(work, (error) => {
      assert.match(String(failureText(error)), message)
      return typeof failureText(error) === 'string'
    })
  }
  function expectRefusal(args: readonly string[], env: Record<string, string>, message: RegExp): void {
    const { code, stderr } = run(args, env)
    assert.equal(code, 1, `${args.join(' ')}: ${stderr}`)
    assert.match(stderr, message)
    assert.doesNotMatch(stderr, /\n\s+at /, 'no stack trace')
  }
  async function changed(sql: string) {
    const url = await freshDatabase()
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    await pool.query(sql)
    const schema = async () => {
      const { rows } = await pool.query(
        `select (select json_agg(name order by name) from schema_migrations) as migrations,
                (select json_agg(to_jsonb(one)) from schema_functions as one) as functions`,
      )
      return rows
    }
    return { url, schema, end: () => pool.end() }
  }

  test('the server and its commands refuse a schema that a newer version has upgraded, and change nothing', async () => {
    for (const [sql, message, attempts] of [
      [
        `insert into schema_migrations (name, sha256) values ('9999_from_the_future.sql', '')`,
        /upgraded by a newer version \(migration 9999_from_the_future\.sql\)/,
        [startServer, openAsCommand],
      ],
      [
        `update schema_functions set version = '99.0.1', sha256 = 'of 99.0.1'`,
        /upgraded by version 99\.0\.1; this is version /,
        [startServer],
      ],
    ] as const) {
      const { url, schema, end } = await changed(sql)
      const before = await schema()
      for (const attempt of attempts) await expectSentence(attempt({ DATABASE_URL: url }), message)
      assert.deepEqual(await schema(), before)
      await end()
    }
  })

  test('commands that read refuse an earlier schema instead of upgrading it', async () => {
    const { url, schema, end } = await changed(
      'delete from schema_migrations where name = (select max(name) from schema_migrations)',
    )
    const before = await schema()
    for (const args of [backup(), AUDIT, RECORD, SECURITY_LOG])
      expectRefusal(args, { DATABASE_URL: url }, /of an earlier version .+ This command changes no schema/)
    assert.deepEqual(await schema(), before)
    await end()
  })

  test('they refuse a database and a folder without tables, and create none', async () => {
    const empty = new URL(db.url)
    empty.pathname = '/postgres'
    await expectSentence(openAsCommand({ DATABASE_URL: empty.href }), /has no tables of this server/)
    await expectSentence(openAsCommand({ DATA_DIR: join(folder, 'nothing') }), /There is no database in /)
    assert.equal(existsSync(join(folder, 'nothing')), false)
  })

  test('they do not take a folder that they cannot read for an empty one', async () => {
    // As root they read every folder, but follow no loop of links.
    const loop = join(folder, 'loop')
    symlinkSync(loop, loop)
    const message = /^System error: ELOOP: .+ '.+\/loop\/postgres\/PG_VERSION'\.$/m
    await expectSentence(openAsCommand({ DATA_DIR: loop }), message)
  })

  test('pg_dump writes a dump, or the command says which pg_dump it needs', () => {
    const file = join(folder, 'dump')
    const { code, stderr } = run(['server/backup/pg-dump-command.ts', file], { DATABASE_URL: db.url })
    assert.equal(code, existsSync(file) ? 0 : 1)
    if (code !== 0) assert.match(stderr, /^This needs pg_dump \d+ or later\. Install /)
  })

  // The exports run in server/write-output.test.ts.
  test('the audit runs on the schema of this version', () => {
    const { code, stdout, stderr } = run(AUDIT, { DATABASE_URL: db.url })
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^The books balance/m)
  })

  test('a database that refuses the connection and a folder that cannot be written are a sentence each', async () => {
    const missing = new URL(db.url)
    missing.pathname = '/there_is_none'
    const message = /The database refuses the connection: .+ Check DATABASE_URL/
    expectRefusal(SERVER, { DATABASE_URL: missing.href }, message)
    await expectSentence(openAsCommand({ DATABASE_URL: missing.href }), message)
    await expectSentence(startServer({ DATA_DIR: '/dev/null/data' }), /^System error: /)
  })
})
