import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
import { openAppeal } from '#server/appeals/appeal.ts'
import { backup } from '#server/backup/backup.ts'
import { restoreTables } from '#server/backup/restore.ts'
import { duePartition, startDuePartitions } from '#server/database/due-partitions.ts'
import { migrate } from '#server/database/migrate.ts'
import { detachPartition, partitionsOf } from '#server/database/partitions.ts'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { freshDatabase, LONG_TIMEOUTS, openPooled, useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import {
  aBuyer,
  aTask,
  aWorker,
  balanceOf,
  noAppeals,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { submissionPartitions } from '#tests/support/submission-partitions.ts'
import { approveSubmission } from './approve.ts'
import { payBonus } from './bonus.ts'
import { concedeRejection, reverseRejection } from './end-dispute.ts'
import { rejectSubmission } from './reject.ts'
import { requestRevision, reviseSubmission } from './revise.ts'

const TABLE = 'submissions'
const REASON = { reason: 'Not what I asked for' }

describe('submissions in partitions', () => {
  const db = useDatabase()
  const { newest, startNext, rows, submit, nextId, approachNextPartition, partitionOf } =
    submissionPartitions(db)
  const aTaskOf = async (slots = 5) => {
    const buyer = await aBuyer(db.database, { coins: 1000 })
    return { buyer, taskId: await aTask(db.database, buyer, { slots }) }
  }
  const unvalidated = () =>
    rows(`select conname from pg_constraint where confrelid = '${TABLE}'::regclass and not convalidated`)

  test('are written through their table only, also by the owner', async () => {
    await approachNextPartition(0)
    for (const { name } of await partitionsOf(db.owner, TABLE))
      for (const statement of [
        `insert into ${name} select from ${name} limit 0`,
        `update ${name} set reward = reward + 1`,
        `delete from ${name}`,
        `truncate ${name} cascade`,
      ]) {
        await assert.rejects(db.owner.query(statement), /is a partition: write to its table/, statement)
        await assert.rejects(db.database.pool.query(statement), /permission denied/, statement)
      }
  })

  test('keep their rules in each partition', async () => {
    await approachNextPartition(0)
    const settings = await rows(
      `select partitions.relname as name, partitions.reloptions as options,
              (select jsonb_agg(concat(conname, pg_get_constraintdef(oid)) order by conname) from pg_constraint
                where conrelid = partitions.oid and contype = 'c') as checks,
              (select count(*)::int from pg_constraint where conrelid = partitions.oid and contype = 'f') as references,
              (select count(*)::int from pg_constraint where confrelid = partitions.oid and contype = 'f') as referring,
              (select jsonb_agg(tgname order by tgname) from pg_trigger where tgrelid = partitions.oid and not tgisinternal) as triggers,
              (select jsonb_agg(regexp_replace(regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+', ''), '_\\d+', '') order by 1)
                 from (select indexrelid from pg_index where indrelid = partitions.oid
                        order by regexp_replace(regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+', ''), '_\\d+', '')) as own) as indexes
         from pg_inherits join pg_class as partitions on partitions.oid = inhrelid where inhparent = '${TABLE}'::regclass`,
    )
    const [{ name, ...first }] = settings
    assert.ok(settings.length > 1 && name !== undefined)
    assert.deepEqual([first.references, first.referring], [3, 5])
    assert.ok(first.triggers.includes('submissions_partition') && first.triggers.includes('submissions_key'))
    assert.ok(first.indexes.some((index: string) => /UNIQUE .* NULLS NOT DISTINCT/.test(index)))
    for (const { name, ...one } of settings) assert.deepEqual(one, first, name)
    assert.deepEqual(await unvalidated(), [])
  })

  test('are decided, revised, appealed and given a bonus in whichever partition', async () => {
    const { buyer, taskId } = await aTaskOf()
    const workers = await Promise.all([1, 2, 3, 4].map(() => aWorker(db.database)))
    const [approved, rejected, revised, reversed] = workers as [TestUser, TestUser, TestUser, TestUser]
    const ids: string[] = []
    for (const worker of workers) {
      ids.push(await submit(taskId, worker))
      await approachNextPartition(0)
    }
    assert.equal(new Set(await Promise.all(ids.map(partitionOf))).size, 4)
    const [first = '', second = '', third = '', fourth = ''] = ids
    await approveSubmission(db.database, first, buyer.id)
    await payBonus(db.database, first, buyer.id, { coins: 7, message: 'Well done' })
    await rejectSubmission(db.database, testConfig, second, buyer.id, REASON)
    await openAppeal(db.database, second, rejected.id, { text: 'It is what you asked for' })
    await concedeRejection(db.database, second, buyer.id)
    await requestRevision(db.database, third, buyer.id, 'A line is missing')
    await reviseSubmission(db.database, testConfig, third, revised.id, 'With the line')
    await approveSubmission(db.database, third, buyer.id)
    await rejectSubmission(db.database, noAppeals, fourth, buyer.id, REASON)
    await reverseRejection(db.database, fourth, buyer.id)
    const balances = [approved, rejected, revised, reversed].map((worker) => balanceOf(db.database, worker))
    assert.deepEqual(await Promise.all(balances), [27, 20, 20, 20])
  })

  test('cannot be referenced before they exist, nor deleted while they are referenced', async () => {
    const { buyer, taskId } = await aTaskOf()
    const worker = await aWorker(db.database)
    await approachNextPartition(0)
    const id = await submit(taskId, worker)
    await requestRevision(db.database, id, buyer.id, 'A line is missing')
    const violation = { code: '23503' }
    await assert.rejects(db.owner.query(`delete from ${TABLE} where id = $1`, [id]), violation)
    await assert.rejects(
      db.owner.query(
        `insert into submission_revisions (submission_id, request, text_before) values ($1, '', '')`,
        [nextId()],
      ),
      violation,
    )
  })

  test('are made and decided while partitions start: none fails', async () => {
    const buyer = await aBuyer(db.database, { coins: 1_000_000 })
    let made = 0
    let isOver = false
    const writers = [1, 2, 3].map(async () => {
      const taskId = await aTask(db.database, buyer, { slots: 5000 })
      while (!isOver) {
        const worker = await aWorker(db.database)
        const id = await submit(taskId, worker)
        await requestRevision(db.database, id, buyer.id, 'A line is missing')
        await reviseSubmission(db.database, testConfig, id, worker.id, 'With the line')
        await approveSubmission(db.database, id, buyer.id)
        made++
      }
    })
    try {
      for (let start = 0; start < 3; start++) {
        const enough = made + 5
        await eventually(() => made > enough)
        await approachNextPartition(5, 600_000)
      }
      const enough = made + 10
      await eventually(() => made > enough)
    } finally {
      isOver = true
      await Promise.all(writers)
    }
    assert.deepEqual(await unvalidated(), [])
    const used = await rows(`select distinct tableoid from ${TABLE} where buyer_id = $1`, [buyer.id])
    assert.ok(used.length > 3)
  })

  test('get the next partition when the newest one is large and a month old', async () => {
    await approachNextPartition(0)
    const { taskId } = await aTaskOf()
    await submit(taskId, await aWorker(db.database))
    await submit(taskId, await aWorker(db.database))
    const partition = await newest()
    await db.owner.query(`analyze ${TABLE}`)
    assert.deepEqual(await startDuePartitions(db.owner, 1), [], 'not a month old')
    await db.owner.query(`update ${TABLE} set created_at = created_at - interval '32 days'`)
    assert.deepEqual(await startDuePartitions(db.owner, 3), [], 'not large')
    // The metric is read in the role of the server.
    const due = async () => (await duePartition(db.database.pool, TABLE, 1))?.name
    assert.equal(await due(), partition)
    assert.deepEqual(await startDuePartitions(db.owner, 1), [await newest()])
    assert.notEqual(await newest(), partition)
    assert.equal(await due(), undefined)
  })

  test('are found by their index in a new partition, with a plan for any id', async () => {
    await approachNextPartition(0)
    const { taskId } = await aTaskOf()
    const id = await submit(taskId, await aWorker(db.database))
    const client = await db.owner.connect()
    try {
      await client.query('begin; set local plan_cache_mode = force_generic_plan')
      await client.query(`prepare by_id (uuid) as select from ${TABLE} where id = $1`)
      const { rows: plan } = await client.query(`explain execute by_id ('${id}')`)
      assert.match(JSON.stringify(plan), new RegExp(`Index.* Scan using ${await newest()}_pkey`))
    } finally {
      await client.query('rollback; deallocate all')
      client.release()
    }
  })

  test('have their foreign keys validated after a start that was interrupted', async () => {
    const leave = () =>
      db.owner.query(
        `alter table bonuses drop constraint bonuses_submission_id_fkey,
           add constraint bonuses_submission_id_fkey foreign key (submission_id) references ${TABLE} not valid`,
      )
    for (const next of [() => startDuePartitions(db.owner), () => migrate(db.owner)]) {
      await leave()
      assert.equal((await unvalidated()).length, 1)
      await next()
      assert.deepEqual(await unvalidated(), [])
    }
  })

  test('are not reinstalled at a start because of a new partition', async () => {
    const version = async () =>
      rows(
        `select tgname, xmin from pg_trigger where tgrelid = '${TABLE}'::regclass and not tgisinternal order by oid`,
      )
    await startNext(1000)
    const before = await version()
    await db.owner.query(`update schema_functions set sha256 = 'of another version'`)
    await migrate(db.owner)
    assert.deepEqual(await version(), before)
  })

  test('stay attached, and move to another disk', async () => {
    const { buyer, taskId } = await aTaskOf()
    await approachNextPartition(0)
    const partition = await newest()
    const id = await submit(taskId, await aWorker(db.database))
    await approachNextPartition(0)
    await assert.rejects(detachPartition(db.owner, partition), {
      message: `${partition} stays attached: appeals, reviews, revisions, reversals and bonuses refer to submissions, and the audit compares each with its payment. It can move to a cheaper disk (docs/operating.md#partitions).`,
    })
    const tablespace = `slow_${id.replaceAll('-', '')}`
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
      await approveSubmission(db.database, id, buyer.id)
      await submit(taskId, await aWorker(db.database))
      await expectBooksToBalance(db.database)
    } finally {
      await db.owner.query(`alter table all in tablespace ${tablespace} set tablespace pg_default`)
      await db.owner.query(`alter index all in tablespace ${tablespace} set tablespace pg_default`)
      await db.owner.query(`drop tablespace ${tablespace}`)
    }
  })

  test('are restored from a backup with their keys', async () => {
    const { buyer, taskId } = await aTaskOf()
    const [one, other] = [await aWorker(db.database), await aWorker(db.database)]
    const id = await submit(taskId, one)
    await approachNextPartition(0)
    await submit(taskId, other)
    const folder = await mkdtemp(join(tmpdir(), 'tallywork-submissions-'))
    const url = await freshDatabase()
    const restored = new pg.Pool({ connectionString: url, ...LONG_TIMEOUTS })
    const database = openPooled(url, {}, 2)
    try {
      await backup(db.owner, { ...testConfig, dataDir: folder }, join(folder, 'copy'), () => {})
      await restoreTables(restored, join(folder, 'copy'), () => {})
      const again = submissionPartitions({ database, owner: restored })
      for (const worker of [one, other]) await assert.rejects(again.submit(taskId, worker), { code: 'TW001' })
      await approveSubmission(database, id, buyer.id)
      await again.submit(taskId, await aWorker(database))
      await expectBooksToBalance(database)
    } finally {
      await Promise.all([restored.end(), database.close()])
      await rm(folder, { recursive: true })
    }
  })
})
