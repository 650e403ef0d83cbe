import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, before, describe, test } from 'node:test'
import pg from 'pg'
import { readConfig } from '#server/config.ts'
import { asServer, LONG_TIMEOUTS, useDatabase } from '#tests/support/database.ts'
import { OWNER } from '#tests/support/domains.ts'
import { aPendingSubmission } from '#tests/support/factories.ts'
import { connect, connectToOwnSchema } from './connect.ts'
import { grantServerPrivileges, SERVER_ROLE } from './server-role.ts'

const APPEND_ONLY = ['admin_audit_log', 'ledger_debts', 'ledger_transfers', 'security_log', 'transfer_keys']
const READ_ONLY = ['function_sets', 'schema_functions', 'schema_migrations']
const PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']

describe('the role of the running server', () => {
  const db = useDatabase()
  before(async () => {
    await aPendingSubmission(db.database)
  })

  test('is no superuser, owns nothing and may neither create nor grant', async () => {
    const { rows } = await db.database.pool.query(
      `select current_user as name, session_user as session, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
              array(select roleid::regrole::text from pg_auth_members where member = pg_roles.oid) as memberships,
              (select count(*)::int from pg_class where relowner = pg_roles.oid)
                + (select count(*)::int from pg_proc where proowner = pg_roles.oid)
                + (select count(*)::int from pg_namespace where nspowner = pg_roles.oid)
                + (select count(*)::int from pg_database where datdba = pg_roles.oid) as owned,
              has_database_privilege(current_database(), 'CREATE, TEMPORARY') as creates,
              array(select nspname::text from pg_namespace where has_schema_privilege(oid, 'CREATE')) as schemas
         from pg_roles where rolname = current_user`,
    )
    assert.deepEqual(rows, [
      {
        name: SERVER_ROLE,
        session: SERVER_ROLE,
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        rolbypassrls: false,
        memberships: [],
        owned: 0,
        creates: false,
        schemas: [],
      },
    ])
  })

  test('has the listed privileges on every table, and no other', async () => {
    const { rows } = await db.database.pool.query<{ name: string; privileges: string[] }>(
      `select relname as name, array(select p from unnest($1::text[]) as p where has_table_privilege(oid, p)) as privileges
         from pg_class where relkind in ('r', 'p', 'v', 'm') and relnamespace = 'public'::regnamespace`,
      [PRIVILEGES],
    )
    const granted = new Map(rows.map(({ name, privileges }) => [name, privileges]))
    for (const name of Object.keys(OWNER)) {
      const expected = READ_ONLY.includes(name)
        ? ['SELECT']
        : APPEND_ONLY.includes(name) || name === 'ledger_accounts'
          ? ['SELECT', 'INSERT']
          : ['SELECT', 'INSERT', 'UPDATE', 'DELETE']
      const rejected = await rejectedChanges(name)
      const privileges = expected.filter((privilege) => !rejected.includes(privilege))
      assert.deepEqual(granted.get(name), privileges, name)
    }
    for (const name of APPEND_ONLY) assert.deepEqual(await rejectedChanges(name), ['UPDATE', 'DELETE'], name)
  })

  /** Returns the changes that triggers of a table reject. */
  async function rejectedChanges(table: string): Promise<string[]> {
    const { rows } = await db.database.pool.query<{ changes: string[] }>(
      `select array(select change from (values ('UPDATE', 16), ('DELETE', 8)) as changes(change, bit)
                     where exists (select from pg_trigger where tgrelid = $1::regclass and tgtype & bit > 0
                                    and tgfoid::regproc::text like 'reject\\_change%')
                     order by bit desc) as changes`,
      [table],
    )
    return rows[0]?.changes ?? []
  }

  for (const statement of [
    'update ledger_transfers set amount = amount + 1',
    'delete from ledger_transfers',
    'truncate ledger_transfers cascade',
    'delete from ledger_debts',
    'delete from ledger_accounts',
    `update ledger_accounts set kind = 'platform'`,
    'delete from admin_audit_log',
    'delete from security_log',
    'update security_log set params = default',
    `update admin_audit_log set content = '{}'`,
    'truncate users cascade',
    'insert into schema_migrations (name, sha256) values ($$x$$, $$x$$)',
    'create table stolen (id int)',
    'create temporary table stolen (id int)',
    'create function pg_temp.stolen() returns int language sql as $$select 1$$',
    'create schema stolen',
    'create role stolen superuser',
    'create extension dblink',
    'alter table ledger_transfers disable trigger all',
    'alter table users add column stolen int',
    'drop table contact_messages',
    'drop trigger ledger_accounts_guard on ledger_accounts',
    'create or replace function platform_account() returns bigint language sql immutable as $$select 4::bigint$$',
    'create or replace function jobs.job_now() returns timestamptz language sql as $$select now()$$',
    'set session_replication_role = replica',
    'set role tallywork',
    'set session authorization tallywork',
    'copy users to $$/tmp/stolen$$',
    'copy users from program $$true$$',
    'select pg_read_file($$/etc/passwd$$)',
  ])
    test(`cannot ${statement}`, async () => {
      await assert.rejects(
        db.database.pool.query(statement),
        (error: pg.DatabaseError) => error.code === '42501',
        statement,
      )
    })

  test('gets back what was revoked, and loses what was granted, at the next start', async () => {
    await db.owner.query(
      `revoke insert on users from ${SERVER_ROLE}; grant truncate on ledger_transfers to ${SERVER_ROLE}`,
    )
    // Two instances may start at once.
    await Promise.all([1, 2].map(() => grantServerPrivileges(db.owner, SERVER_ROLE)))
    const { rows } = await db.database.pool.query(
      `select has_table_privilege('users', 'INSERT') as insert, has_table_privilege('ledger_transfers', 'TRUNCATE') as truncate`,
    )
    assert.deepEqual(rows, [{ insert: true, truncate: false }])
  })
})

describe('the connections of the server', () => {
  const db = useDatabase()
  const opened: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of opened.splice(0)) await close()
  })

  async function open(env: NodeJS.ProcessEnv) {
    const log: string[] = []
    const { database, close } = await connect(readConfig(env), (line) => log.push(line))
    opened.push(close)
    const { rows } = await database.pool.query<{ role: string; session: string }>(
      'select current_user as role, session_user as session',
    )
    return { ...rows[0], log }
  }

  test('have the role of DATABASE_URL where DATABASE_MIGRATION_URL is set', async () => {
    const name = `operator_${randomUUID().slice(0, 8)}`
    await db.owner.query(`create role ${name} login`)
    try {
      const url = new URL(db.url)
      url.username = name
      const env = { DATABASE_URL: url.href, DATABASE_MIGRATION_URL: db.url }
      assert.deepEqual(await open(env), { role: name, session: name, log: [] })
      await opened.pop()?.()
      const other = new pg.Client({ connectionString: url.href, ...LONG_TIMEOUTS })
      await other.connect()
      const { rows } = await other.query('show client_connection_check_interval')
      await other.end()
      assert.deepEqual(rows, [{ client_connection_check_interval: '1s' }], 'also on connections of PgBouncer')
      await db.owner.query(`alter role ${name} createrole`)
      await assert.rejects(open(env), /DATABASE_URL: its role operator_\w+ is a superuser or owns tables/)
    } finally {
      await db.owner.query(`drop owned by ${name}; drop role ${name}`)
    }
  })

  test('are refused where both URLs name different databases, before a table is created', async () => {
    const name = `empty_${randomUUID().slice(0, 8)}`
    const other = new URL(db.url)
    other.pathname = `/${name}`
    await db.owner.query(`create database ${name}`)
    const owner = new pg.Client({ connectionString: other.href, ...LONG_TIMEOUTS })
    await owner.connect()
    try {
      const message = /DATABASE_URL and DATABASE_MIGRATION_URL name different databases/
      const env = { DATABASE_URL: asServer(db.url), DATABASE_MIGRATION_URL: other.href }
      await assert.rejects(open(env), message)
      const { rows } = await owner.query(
        `select count(*)::int as tables from pg_tables where schemaname = 'public'`,
      )
      assert.deepEqual(rows, [{ tables: 0 }])
      const swapped = { DATABASE_URL: asServer(other.href), DATABASE_MIGRATION_URL: db.url }
      await assert.rejects(
        connectToOwnSchema(readConfig(swapped), () => {}),
        message,
      )
    } finally {
      await owner.end()
      await db.owner.query(`drop database ${name} with (force)`)
    }
  })

  test('switch from the role of DATABASE_URL where it is the only one', async () => {
    const { role, log } = await open({ DATABASE_URL: db.url })
    assert.deepEqual([role, log], [SERVER_ROLE, []])
  })

  test('stay with a role that cannot create another, with a warning', async () => {
    const name = `limited_${randomUUID().slice(0, 8)}`
    const base = new URL(db.url)
    const limited = new URL(db.url)
    limited.pathname = `/${name}`
    limited.username = name
    await db.owner.query(`create role ${name} login`)
    await db.owner.query(`create database ${name} owner ${name}`)
    try {
      const { role, log } = await open({ DATABASE_URL: limited.href })
      assert.equal(role, name)
      assert.match(log.join('\n'), /runs as the owner of its tables: set DATABASE_MIGRATION_URL/)
      await opened.pop()?.()
    } finally {
      const admin = new pg.Client({ connectionString: base.href })
      await admin.connect()
      await admin.query(`drop database ${name} with (force)`)
      await admin.query(`drop role ${name}`)
      await admin.end()
    }
  })

  test('need the URL of the server in addition to the one for migrations', () => {
    assert.throws(() => readConfig({ DATABASE_MIGRATION_URL: db.url }), /DATABASE_URL is missing/)
  })

  test('cannot become the owner by their own URL', async () => {
    const client = new pg.Client({ connectionString: asServer(db.url) })
    await client.connect()
    await assert.rejects(client.query('set role tallywork'), /permission denied/)
    await client.end()
  })
})
