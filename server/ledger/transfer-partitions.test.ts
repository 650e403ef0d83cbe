import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
import { backup } from '#server/backup/backup.ts'
import { restoreTables } from '#server/backup/restore.ts'
import { openDatabase } from '#server/database/database.ts'
import { duePartition, startDuePartitions } from '#server/database/due-partitions.ts'
import { migrate } from '#server/database/migrate.ts'
import { detachPartition, partitionsOf } from '#server/database/partitions.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { freshDatabase, LONG_TIMEOUTS, useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import {
  aBuyer,
  aPendingSubmission,
  aWorker,
  balanceOf,
  giveCoins,
  testConfig,
} from '#tests/support/factories.ts'
import { transferPartitions } from '#tests/support/transfer-partitions.ts'
import { readStatement, statementPositionAfter } from './statement.ts'

const TABLE = 'ledger_transfers'

describe('transfers in partitions', () => {
  const db = useDatabase()
  const { newest, startNext, rows, transfer, approachNextPartition, partitionsOfAccount } =
    transferPartitions(db)

  test('are never changed nor deleted in any partition, and none is written directly, also by the owner', async () => {
    const buyer = await aBuyer(db.database)
    await approachNextPartition(0)
    await giveCoins(db.database, buyer.accountId, 5)
    const partitions = (await partitionsOf(db.owner, TABLE)).map(({ name }) => name)
    for (const table of [TABLE, 'transfer_keys', ...partitions])
      for (const attempt of [
        `update ${table} set ref = gen_random_uuid()`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ]) {
        await assert.rejects(db.owner.query(attempt), /append-only/, attempt)
        await assert.rejects(db.database.pool.query(attempt), /permission denied/, attempt)
      }
    for (const partition of partitions) {
      const insert = `insert into ${partition} (id, kind, ref, debit, credit, amount) overriding system value
        select coalesce(max(id), 0) + 1, 'swept_to_platform', gen_random_uuid(), 1, ${buyer.accountId}, 5 from ${partition}`
      await assert.rejects(db.owner.query(insert), /append-only/, partition)
      await assert.rejects(db.database.pool.query(insert), /permission denied/, partition)
      await assert.rejects(db.database.pool.query(`select from ${partition}`), /permission denied/)
    }
    assert.equal(await balanceOf(db.database, buyer), 55)
  })

  test('keep their rules in each partition: amounts, accounts and available coins', async () => {
    const [from, to] = [await aBuyer(db.database), await aWorker(db.database)]
    await approachNextPartition(0)
    for (const amount of [51, 0, -1])
      await assert.rejects(transfer(randomUUID(), from, to, amount), String(amount))
    await assert.rejects(transfer(randomUUID(), from, from, 5), /two_accounts/)
    await assert.rejects(transfer(randomUUID(), from, { ...to, accountId: 999_999_999 }, 5), /foreign key/)
    const settings = await rows(
      `select partitions.relname as name,
              (select jsonb_agg(concat(conname, pg_get_constraintdef(oid)) order by conname) from pg_constraint
                where conrelid = partitions.oid and contype in ('c', 'f') and conparentid = 0 and not (contype = 'f')) as checks,
              (select count(*)::int from pg_constraint where conrelid = partitions.oid and contype = 'f') as keys,
              (select jsonb_agg(regexp_replace(tgname, '_\\d+', '') order by tgname) from pg_trigger
                where tgrelid = partitions.oid and not tgisinternal) as triggers,
              (select jsonb_agg(attoptions order by attname) from pg_attribute
                where attrelid = partitions.oid and attoptions is not null) as options
         from pg_inherits join pg_class as partitions on partitions.oid = inhrelid where inhparent = '${TABLE}'::regclass`,
    )
    const [{ name, ...first }] = settings
    assert.ok(settings.length > 1 && name !== undefined)
    assert.equal(first.keys, 2)
    assert.deepEqual(first.options, [['n_distinct=-0.2'], ['n_distinct=-0.2']])
    assert.ok(first.triggers.includes('ledger_transfers_partition') && first.triggers.length === 5)
    for (const { name, ...one } of settings) assert.deepEqual(one, first, name)
  })

  test('are listed with balances, approved and audited over all partitions', async () => {
    const worker = await aWorker(db.database)
    for (let round = 0; round < 3; round++) {
      const { submissionId, buyer, worker: other } = await aPendingSubmission(db.database)
      await approachNextPartition(1)
      await approveSubmission(db.database, submissionId, buyer.id)
      await transfer(randomUUID(), other, worker, 10)
    }
    assert.ok((await partitionsOfAccount(worker)) > 2)
    const first = await readStatement(db.database, worker.accountId, null, 2)
    const last = first.at(-1)
    assert.ok(last !== undefined)
    const rest = await readStatement(db.database, worker.accountId, statementPositionAfter(last), 5)
    assert.deepEqual(
      [...first, ...rest].map(({ coins, balance }) => [coins, balance]),
      [
        [10, 40],
        [10, 30],
        [10, 20],
        [10, 10],
      ],
    )
  })

  test('continue while partitions start: none fails, each is made once', async () => {
    const users = await Promise.all([1, 2, 3].map(() => aBuyer(db.database, { coins: 100_000 })))
    const to = await aWorker(db.database)
    let made = 0
    let isOver = false
    // Each reference comes from two connections at the same time.
    const writers = users.map(async (from) => {
      while (!isOver) {
        const ref = randomUUID()
        const both = await Promise.all([1, 2].map(() => transfer(ref, from, to, 1)))
        assert.deepEqual(
          both.toSorted((one, other) => Number(one) - Number(other)),
          [false, true],
        )
        made++
      }
    })
    try {
      for (let start = 0; start < 4; start++) {
        const enough = made + 10
        await eventually(() => made > enough)
        await approachNextPartition(10, 100_000)
      }
      const enough = made + 20
      await eventually(() => made > enough)
    } finally {
      isOver = true
      await Promise.all(writers)
    }
    assert.equal(await balanceOf(db.database, to), made + 10)
    assert.ok((await partitionsOfAccount(to)) > 3)
  })

  test('get the next partition when the newest one is large and a month old', async () => {
    await approachNextPartition(0)
    await aBuyer(db.database)
    const partition = await newest()
    assert.deepEqual(await startDuePartitions(db.owner, 1), [], 'not a month old')
    await db.owner.query('alter table ledger_transfers disable trigger ledger_transfers_immutable')
    await db.owner.query(`update ledger_transfers set created_at = created_at - interval '32 days'`)
    await db.owner.query('alter table ledger_transfers enable trigger ledger_transfers_immutable')
    assert.deepEqual(await startDuePartitions(db.owner), [], 'not large')
    // The metric is read in the role of the server.
    const due = async () => (await duePartition(db.database.pool, TABLE, 1))?.name
    assert.equal(await due(), partition)
    assert.deepEqual(await startDuePartitions(db.owner, 1), [await newest()])
    assert.notEqual(await newest(), partition)
    assert.equal(await due(), undefined)
    assert.deepEqual(await startDuePartitions(db.owner, 1), [])
  })

  test('are not reinstalled at a start because of a new partition', async () => {
    const version = async () =>
      rows(`select tgname, xmin from pg_trigger where tgrelid = '${TABLE}'::regclass order by oid`)
    await startNext(1)
    const before = await version()
    await db.owner.query(`update schema_functions set sha256 = 'of another version'`)
    await migrate(db.owner)
    assert.deepEqual(await version(), before)
  })

  test('stay attached, and move to another disk', async () => {
    const [from, to] = [await aBuyer(db.database), await aWorker(db.database)]
    const [ref, partition] = [randomUUID(), await newest()]
    await transfer(ref, from, to, 5)
    await approachNextPartition(0)
    await transfer(randomUUID(), from, to, 5)
    await assert.rejects(detachPartition(db.owner, partition), {
      message: `${partition} stays attached: the audit compares each transfer with the work, payment or withdrawal that it moved coins for. It can move to a cheaper disk (docs/operating.md#partitions).`,
    })
    const tablespace = `slow_${randomUUID().replaceAll('-', '')}`
    const client = await db.owner.connect()
    await client.query('set allow_in_place_tablespaces = on')
    await client.query(`create tablespace ${tablespace} location ''`)
    client.release(true)
    try {
      await db.owner.query(`alter table ${partition} set tablespace ${tablespace}`)
      for (const { name } of await rows(
        'select indexrelid::regclass as name from pg_index where indrelid = $1::regclass',
        [partition],
      ))
        await db.owner.query(`reindex (tablespace ${tablespace}) index concurrently ${name}`)
      assert.equal(await transfer(ref, from, to, 5), false)
      assert.equal(await transfer(randomUUID(), from, to, 5), true)
      assert.equal(await balanceOf(db.database, to), 25)
      await expectBooksToBalance(db.database)
    } finally {
      await db.owner.query(`alter table all in tablespace ${tablespace} set tablespace pg_default`)
      await db.owner.query(`alter index all in tablespace ${tablespace} set tablespace pg_default`)
      await db.owner.query(`drop tablespace ${tablespace}`)
    }
  })

  test('are restored from a backup with their keys', async () => {
    const [from, to] = [await aBuyer(db.database), await aWorker(db.database)]
    const ref = randomUUID()
    await transfer(ref, from, to, 5)
    await approachNextPartition(0)
    await transfer(randomUUID(), from, to, 5)
    const folder = await mkdtemp(join(tmpdir(), 'tallywork-transfers-'))
    const url = await freshDatabase()
    const restored = new pg.Pool({ connectionString: url, ...LONG_TIMEOUTS })
    const database = openDatabase({ connectionString: url, ...LONG_TIMEOUTS }, { max: 2, prepare: true })
    try {
      await backup(db.owner, { ...testConfig, dataDir: folder }, join(folder, 'copy'), () => {})
      await restoreTables(restored, join(folder, 'copy'), () => {})
      const { rows: again } = await restored.query(
        `select transfer('swept_to_platform', $1, $2, $3, 5) as is_first`,
        [ref, from.accountId, to.accountId],
      )
      assert.deepEqual(again, [{ is_first: false }])
      await restored.query(`select transfer('swept_to_platform', $1, $2, $3, 5)`, [
        randomUUID(),
        from.accountId,
        to.accountId,
      ])
      assert.equal(await balanceOf(database, to), 25)
      await expectBooksToBalance(database)
    } finally {
      await Promise.all([restored.end(), database.close()])
      await rm(folder, { recursive: true })
    }
  })
})
