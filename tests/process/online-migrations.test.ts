import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { functionSet, ownFunctions } from '#server/database/function-set.ts'
import { migrate } from '#server/database/migrate.ts'
import { startPartition } from '#server/database/partitions.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, aPendingSubmission, balanceOf } from '#tests/support/factories.ts'
import { killUpgrade, MIGRATIONS, waitsForRow } from '#tests/support/older-database.ts'

const LOCKS = `select from pg_locks where relation = 'users'::regclass`
/** The first migration that has to say what it locks. */
const FIRST_WITH_LOCKS = '0240'

test('new migrations say what they lock, and build indexes of existing tables concurrently', async () => {
  const problems: string[] = []
  for (const name of (await readdir(MIGRATIONS)).filter((file) => file >= FIRST_WITH_LOCKS)) {
    const sql = await readFile(join(MIGRATIONS, name), 'utf8')
    if (!/^-- Locks: \S/m.test(sql)) problems.push(`${name} has no comment "-- Locks: …"`)
    const created = new Set(
      Array.from(sql.matchAll(/create table (?:if not exists )?(\w+)/gi), ([, table]) => table),
    )
    const isOnline = name.endsWith('.online.sql')
    for (const [, concurrently, table] of sql.matchAll(
      /^\s*create (?:unique )?index (concurrently )?\w+\s+on (\w+)/gim,
    )) {
      if (concurrently !== undefined && !isOnline)
        problems.push(`${name}: concurrently needs a file *.online.sql`)
      if (concurrently === undefined && !created.has(table))
        problems.push(`${name} blocks writes to ${table} while it builds an index; use *.online.sql`)
    }
  }
  assert.deepEqual(problems, [])
})

describe('migrations beside running instances', () => {
  const db = useDatabase()
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallywork-online-'))
    await cp(MIGRATIONS, folder, { recursive: true })
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const isWaiting = async () => {
    const { rows } = await db.database.pool.query(
      `select from pg_locks where database = (select oid from pg_database where datname = current_database())
          and relation = 'users'::regclass and mode = 'AccessExclusiveLock' and not granted`,
    )
    return rows.length > 0
  }
  const isValid = async (index: string) => {
    const { rows } = await db.owner.query(
      'select indisvalid from pg_index where indexrelid = to_regclass($1)',
      [index],
    )
    return rows[0]?.indisvalid
  }

  test('a migration that waits for a table in use lets writes pass, and runs when the table is free', async () => {
    await writeFile(join(folder, '9100_column.sql'), 'alter table users add column waited int;')
    const reader = await db.owner.connect()
    await reader.query('begin')
    await reader.query('lock table users in access share mode')
    const migrated = migrate(db.owner, folder)
    await eventually(isWaiting)
    // Waits behind the migration until that gives up; the reader still holds the table.
    await aBuyer(db.database)
    await reader.query('commit')
    reader.release()
    assert.deepEqual(await migrated, ['9100_column.sql'])
  })

  test('a migration that deadlocks with a write runs after it', async () => {
    // Its second lock is stronger than the first one, for which the write then waits.
    await writeFile(
      join(folder, '9099_reference.sql'),
      `create table favourite_users (user_id uuid references users);
       do $$ begin
         while exists (${LOCKS} and granted and mode = 'AccessShareLock' and pid <> pg_backend_pid())
               and not exists (${LOCKS} and not granted and mode = 'RowExclusiveLock') loop
           perform pg_sleep(0.01);
         end loop;
       end $$;
       alter table users add column deadlocked int;`,
    )
    const buyer = await aBuyer(db.database)
    const writer = await db.database.pool.connect()
    await writer.query('begin')
    await writer.query('lock table users in access share mode')
    const migrated = migrate(db.owner, folder)
    await eventually(async () => {
      const { rows } = await db.database.pool.query(`${LOCKS} and granted and mode = 'ShareRowExclusiveLock'`)
      return rows.length > 0
    })
    await writer.query('update users set image = image where id = $1', [buyer.id])
    await writer.query('commit')
    writer.release()
    assert.deepEqual(await migrated, ['9099_reference.sql'])
  })

  test('an index is built while a transaction writes to its table, once, by whichever instance', async () => {
    const name = '9101_index.online.sql'
    await writeFile(join(folder, name), 'create index concurrently users_waited on users (waited);')
    const writer = await db.database.pool.connect()
    await writer.query('begin')
    await writer.query('update users set waited = 1')
    const both = [migrate(db.owner, folder), migrate(db.owner, folder)]
    // The build waits for the transaction of the writer, which continues.
    await eventually(async () => (await isValid('users_waited')) === false)
    await writer.query('update users set waited = 2')
    await writer.query('commit')
    writer.release()
    const ran = (await Promise.all(both)).flat()
    assert.ok(ran.includes(name))
    assert.equal(await isValid('users_waited'), true)
    assert.deepEqual(await migrate(db.owner, folder), [])
  })

  test('what an interrupted build left is built again', async () => {
    const name = '9102_again.online.sql'
    await writeFile(
      join(folder, name),
      'create unique index concurrently users_waited_once on users (waited);',
    )
    await aBuyer(db.database)
    await db.owner.query('update users set waited = 7')
    await assert.rejects(migrate(db.owner, folder), /could not create unique index/)
    assert.equal(await isValid('users_waited_once'), false)
    await db.owner.query('update users set waited = account_id')
    assert.deepEqual(await migrate(db.owner, folder), [name])
    assert.equal(await isValid('users_waited_once'), true)
  })

  test('the index that another replaces is dropped after it, also when the drop was interrupted', async () => {
    await db.owner.query('create index users_former on users (account_id)')
    const name = '9103_replace.online.sql'
    const replaced = `create index concurrently users_latter on users (account_id, id);
drop index concurrently if exists users_former;`
    await writeFile(join(folder, name), replaced)
    assert.deepEqual(await migrate(db.owner, folder), [name])
    assert.equal(await isValid('users_latter'), true)
    assert.equal(await isValid('users_former'), undefined)

    await db.owner.query('create index users_former on users (account_id)')
    await db.owner.query('delete from schema_migrations where name = $1', [name])
    assert.deepEqual(await migrate(db.owner, folder), [name])
    assert.equal(await isValid('users_former'), undefined)
  })

  test('the index of a partitioned table is built for each partition while a transaction writes, and for later ones', async () => {
    await startPartition(db.owner, 'submissions_1', 1000)
    await db.owner.query('create index submissions_former on submissions (reward)')
    const name = '91031_partitions.online.sql'
    await writeFile(
      join(folder, name),
      `create index concurrently submissions_latter on submissions (reward, id) where reward > 1;
drop index concurrently if exists submissions_former;`,
    )
    const unique = '91032_partitions.online.sql'
    await writeFile(
      join(folder, unique),
      'create unique index concurrently submissions_texts on submissions (text, worker_id);',
    )
    const writer = await db.database.pool.connect()
    await writer.query('begin')
    await writer.query('update submissions set reason = reason')
    const both = [migrate(db.owner, folder), migrate(db.owner, folder)]
    await eventually(async () => (await isValid('submissions_1_latter')) === false)
    await writer.query('update submissions set reason = reason')
    await writer.query('commit')
    writer.release()
    const ran = (await Promise.all(both)).flat()
    assert.ok(ran.includes(name) && ran.includes(unique))
    await startPartition(db.owner, 'submissions_2', 1000)
    for (const table of ['submissions_1', 'submissions_2', 'submissions_3'])
      assert.equal(await isValid(`${table}_texts`), true, table)
    for (const index of ['submissions_latter', 'submissions_1_latter', 'submissions_2_latter'])
      assert.equal(await isValid(index), true, index)
    assert.equal(await isValid('submissions_texts'), undefined)
    for (const table of ['submissions', 'submissions_1', 'submissions_2'])
      assert.equal(await isValid(`${table}_former`), undefined)
    assert.deepEqual(await migrate(db.owner, folder), [])
    await db.owner.query('drop index submissions_1_texts, submissions_2_texts, submissions_3_texts')
  })

  /** SQL that waits for a table as long as it is in one transaction with the migration `name`. */
  const unlessAlone = (name: string) => `
    do $$ begin
      if exists (select from schema_migrations where name = '${name}' and applied_at = now()) then
        raise exception 'in use' using errcode = 'lock_not_available';
      end if;
    end $$;`

  test('migrations of tables that stay in use run one by one, with the functions and triggers after them', async () => {
    await writeFile(join(folder, '9104_first.sql'), 'create table first_things (id int);')
    await writeFile(join(folder, '9105_second.sql'), unlessAlone('9104_first.sql'))
    const newer = ownFunctions().files.map((file) => ({ ...file, sql: `${file.sql}\n-- Newer` }))
    await db.owner.query(`drop trigger tasks_closed_event on tasks; update schema_functions set files = '{}'`)
    const lines: string[] = []
    const ran = await migrate(db.owner, folder, functionSet(newer), (line) => lines.push(line))
    assert.deepEqual(ran, ['9104_first.sql', '9105_second.sql'])
    assert.match(lines.join(), /each migration runs in a transaction of its own/)
    const { rows } = await db.owner.query(
      `select sha256 = $1 as installed, files <> '{}' as recorded,
              (select count(*)::int from pg_trigger where tgname = 'tasks_closed_event') as triggers,
              exists (select from function_sets where schema_name = $2) as used
         from schema_functions`,
      [functionSet(newer).fingerprint, functionSet(newer).schema],
    )
    assert.deepEqual(rows, [{ installed: true, recorded: true, triggers: 1, used: true }])
    assert.deepEqual(await migrate(db.owner, folder), [])
  })

  test('an upgrade that is killed between two migrations leaves the version before running, and is continued', async () => {
    await writeFile(join(folder, '9106_first.sql'), 'alter table users add column first_of_two int;')
    await writeFile(
      join(folder, '9107_second.sql'),
      `${unlessAlone('9106_first.sql')}
       do $$ begin
         while not exists (select from pg_class where relname = 'killed') loop perform pg_sleep(0.01); end loop;
       end $$;`,
    )
    const sleeps = async () => {
      const { rows } = await db.owner.query(
        `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      )
      return rows.length > 0
    }
    await killUpgrade(db.url, sleeps, folder)

    const story = await aPendingSubmission(db.database)
    await approveSubmission(db.database, story.submissionId, story.buyer.id)
    await db.owner.query('create table killed ()')
    await assert.rejects(migrate(db.owner), /newer version \(migration 9/)
    assert.deepEqual(await migrate(db.owner, folder), ['9107_second.sql'])
    assert.equal(await balanceOf(db.database, story.worker), 20)
    await expectBooksToBalance(db.database)
  })

  test('many rows are changed in batches before the next migration, by whichever instance', async () => {
    await writeFile(join(folder, '9108_filled.sql'), 'alter table users add column filled int;')
    await writeFile(
      join(folder, '9109_fill.batches.sql'),
      `with part as (select account_id from users where account_id > $1 order by account_id limit 1),
            filled as (update users set filled = 1 from part where users.account_id = part.account_id)
       select max(account_id) as last from part`,
    )
    await writeFile(
      join(folder, '9110_checked.sql'),
      'alter table users add constraint users_filled check (filled = 1);',
    )
    for (let number = 0; number < 3; number++) await aBuyer(db.database)
    const ran = (await Promise.all([1, 2].map(() => migrate(db.owner, folder)))).flat()
    for (const name of ['9108_filled.sql', '9109_fill.batches.sql', '9110_checked.sql'])
      assert.ok(ran.includes(name), name)
    const { rows } = await db.owner.query('select filled, count(*)::int from users group by filled')
    assert.deepEqual(
      rows.map(({ filled }) => filled),
      [1],
    )
    assert.deepEqual(await migrate(db.owner, folder), [])
  })

  test('a batch that deadlocks with a write is repeated', async () => {
    const name = '9111_fill_again.batches.sql'
    await writeFile(
      join(folder, name),
      `with part as materialized (select account_id from users where account_id > $1 order by account_id limit 1000 for update),
            filled as (update users set filled = 1 from part where users.account_id = part.account_id)
       select max(account_id) as last from part`,
    )
    const [first, second] = [await aBuyer(db.database), await aBuyer(db.database)]
    const writer = await db.owner.connect()
    const write = (id: string) => writer.query('update users set image = image where id = $1', [id])
    await writer.query('begin')
    await write(second.id)
    const migrated = migrate(db.owner, folder)
    await eventually(() => waitsForRow(db.owner))
    // The database ends the one that has waited for a second, mostly the migration.
    await write(first.id).catch(() => {})
    await writer.query('rollback')
    writer.release()
    assert.deepEqual(await migrated, [name])
  })
})
