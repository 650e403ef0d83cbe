import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { backup } from '#server/backup/backup.ts'
import { restoreTables } from '#server/backup/restore.ts'
import { useApi } from '#tests/support/api.ts'
import { freshDatabase, LONG_TIMEOUTS, useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aWorker, type TestUser, testConfig } from '#tests/support/factories.ts'
import { itemWork } from '#tests/support/items.ts'
import { startDuePartitions } from './due-partitions.ts'
import { attachPartition, detachPartition, partitionsOf, startPartition } from './partitions.ts'

describe('the partitions of notifications', () => {
  const api = useApi()
  let owner: pg.Pool
  before(() => {
    owner = api.owner
  })

  const rows = async (sql: string, values: unknown[] = []) => (await api.owner.query(sql, values)).rows
  const notify = (user: TestUser, name: string) =>
    api.database.pool.query(`select notify_user($1, 'contact_message', $2, null)`, [
      user.id,
      { name, subject: 'Hello' },
    ])
  const listed = async (user: TestUser, query = '') =>
    (await api.as(user).get(`/my-notifications?limit=100${query}`)).body as {
      _id: string
      message: string
      read: boolean
    }[]
  const names = async (user: TestUser, query = '') =>
    (await listed(user, query)).map(({ message }) => message.replace(' wrote to you: Hello', ''))
  const partitionNames = async () => (await partitionsOf(owner, 'notifications')).map(({ name }) => name)
  const newest = async () => (await partitionNames()).at(-1) ?? ''
  const startNext = async (margin: number) => startPartition(owner, await newest(), margin)
  /** Notifies a user until the newest partition has a row. Returns the names in the notifications, newest first. */
  async function fillNewest(user: TestUser): Promise<string[]> {
    const partition = await newest()
    const written: string[] = []
    do {
      written.unshift(`${partition} ${written.length}`)
      await notify(user, written[0] ?? '')
    } while ((await rows(`select from ${partition}`)).length === 0)
    return written
  }

  test('start above the existing ids, and lists, counts and changes cover all of them', async () => {
    const worker = await aWorker(api.database)
    await notify(worker, 'first')
    const before = await partitionNames()
    assert.equal(await startNext(3), `notifications_${before.length + 1}`)
    const written = await fillNewest(worker)
    await startNext(2)
    written.unshift(...(await fillNewest(worker)))
    const all = [...written, 'first']
    assert.ok(written.length > 4)
    assert.deepEqual(await names(worker), all)
    assert.deepEqual((await partitionNames()).length, before.length + 2)
    const used = await rows(
      'select distinct tableoid::regclass::text as name from notifications where user_id = $1',
      [worker.id],
    )
    assert.equal(used.length, 3)

    const seen: string[] = []
    for (let next = ''; ; ) {
      const page = await api.as(worker).get(`/my-notifications?limit=2${next}`)
      seen.push(
        ...page.body.map(({ message }: { message: string }) => message.replace(' wrote to you: Hello', '')),
      )
      next = page.next
      if (next === '') break
    }
    assert.deepEqual(seen, all)
    const [last, oldest] = [(await listed(worker)).at(0), (await listed(worker)).at(-1)]
    const ids = [last?._id, oldest?._id]
    const { body } = await api.as(worker).put('/my-notifications/read', { ids, read: true })
    assert.equal(body.modifiedCount, 2)
    assert.equal((await names(worker, '&unread=true')).length, all.length - 2)
    const marked = await api.as(worker).patch(`/notifications/${worker.email}`, {})
    assert.equal(marked.body.modifiedCount, all.length - 2)
    assert.deepEqual(await names(worker, '&unread=true'), [])
  })

  test('start while notifications are written: none fails, and all are found', async () => {
    const worker = await aWorker(api.database)
    let written = 0
    let isOver = false
    const writers = [1, 2, 3].map(async () => {
      while (!isOver) {
        await notify(worker, 'Ruma')
        written++
      }
    })
    try {
      for (let start = 0; start < 4; start++) {
        const enough = written + 20
        await eventually(() => written > enough)
        const before = await newest()
        await startNext(100_000)
        const bound = Number(
          (await partitionsOf(owner, 'notifications')).find(({ name }) => name === before)?.to,
        )
        // The writers soon reach the new partition.
        await owner.query(`select setval(pg_get_serial_sequence('notifications', 'id'), $1)`, [bound - 10])
      }
    } finally {
      isOver = true
      await Promise.all(writers)
    }
    const [found] = await rows(
      'select count(*)::int as count, count(distinct id)::int as ids from notifications where user_id = $1',
      [worker.id],
    )
    assert.deepEqual(found, { count: written, ids: written })
    const used = await rows('select distinct tableoid from notifications where user_id = $1', [worker.id])
    assert.ok(used.length > 3)
  })

  test('continue after an interruption, with a bound that is not too close', async () => {
    const worker = await aWorker(api.database)
    const partition = await newest()
    await fillNewest(worker)
    const [{ last }] = await rows('select max(id)::int as last from notifications')
    const boundOf = async (name: string) =>
      (await partitionsOf(owner, 'notifications')).find((one) => one.name === name)?.to
    const leave = (bound: number) =>
      owner.query(
        `alter table ${partition} add constraint ${partition}_bound check (id < ${bound}) not valid`,
      )
    await leave(last + 80)
    const next = (await startNext(100)) ?? ''
    assert.equal(await boundOf(partition), String(last + 80))

    await owner.query(`select setval(pg_get_serial_sequence('notifications', 'id'), $1)`, [last + 79])
    await notify(worker, 'above the bound')
    await owner.query(`alter table ${next} add constraint ${next}_bound check (id < ${last + 90}) not valid`)
    await startNext(100)
    assert.equal(await boundOf(next), String(last + 80 + 100))
    assert.deepEqual(await rows(`select from pg_constraint where conname like '%\\_bound'`), [])
  })

  test('wait for a transaction that uses the table, and let others write meanwhile', async () => {
    const worker = await aWorker(api.database)
    await fillNewest(worker)
    const reader = await api.owner.connect()
    await reader.query('begin')
    await reader.query('lock table notifications in access share mode')
    const started = startNext(100)
    await eventually(async () => {
      const waiting = await rows(
        `select from pg_locks where relation::regclass::text like 'notifications%' and mode = 'AccessExclusiveLock' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      )
      return waiting.length > 0
    })
    await notify(worker, 'meanwhile')
    await reader.query('commit')
    reader.release()
    assert.equal(await started, await newest())
  })

  test('are started when the newest one is large and a month old, by one instance', async () => {
    const worker = await aWorker(api.database)
    await fillNewest(worker)
    const partition = await newest()
    assert.deepEqual(await startDuePartitions(owner), [])
    assert.deepEqual(await startDuePartitions(owner, 1), [], 'not a month old')
    await owner.query(`update notifications set created_at = created_at - interval '32 days'`)
    assert.deepEqual(await startDuePartitions(owner), [], 'not large')
    const started = await Promise.all([1, 2, 3].map(() => startDuePartitions(owner, 1)))
    assert.deepEqual(started.flat(), [await newest()])
    assert.notEqual(await newest(), partition)
    assert.deepEqual(await startDuePartitions(owner, 1), [], 'nothing in the newest one')
  })

  test('have no privileges of their own, also after a start of the server', async () => {
    await startNext(1)
    for (const { name } of await partitionsOf(owner, 'notifications'))
      await assert.rejects(api.database.pool.query(`select from ${name}`), { code: '42501' })
  })

  test('that are detached are out of all lists, and are back when attached', async () => {
    const worker = await aWorker(api.database)
    const partition = await newest()
    await fillNewest(worker)
    const old = ['oldest', 'older']
    for (const name of old) await notify(worker, name)
    const filled = (await names(worker)).length
    await assert.rejects(detachPartition(owner, partition), /still gets new rows/)
    await startNext(1)
    await assert.rejects(detachPartition(owner, partition), /still gets new rows/)
    const [young] = await fillNewest(worker)
    const all = await names(worker)
    assert.ok(all.length > filled && all.some((name) => old.includes(name)))
    await assert.rejects(detachPartition(owner, 'notifications_999'), /no partition notifications_999/)
    await assert.rejects(attachPartition(owner, partition), /No partition .* was detached/)

    await detachPartition(owner, partition)
    const rest = await names(worker)
    assert.equal(rest[0], young)
    assert.deepEqual(
      rest.filter((name) => old.includes(name)),
      [],
    )
    assert.equal(
      (await api.as(worker).patch(`/notifications/${worker.email}`, {})).body.modifiedCount,
      rest.length,
    )
    assert.equal(
      (await api.as(worker).get(`/my-data/${worker.email}`)).body.notifications.length,
      rest.length,
    )
    await assert.rejects(api.database.pool.query(`select from detached.${partition}`), { code: '42501' })

    await attachPartition(owner, partition)
    assert.deepEqual(await names(worker), all)
    assert.deepEqual(
      await names(worker, '&unread=true'),
      all.filter((name) => !rest.includes(name)),
    )
  })

  test('that are detached take counted notifications with them: the next item begins a new one', async () => {
    const { aBatch, work } = itemWork(api)
    const { buyer, taskId } = await aBatch(2)
    const worker = await aWorker(api.database)
    await fillNewest(worker)
    const partition = await newest()
    await work(worker, taskId)
    await startNext(1)
    await fillNewest(worker)
    const counts = () =>
      rows(
        `select params -> 'count' as count from notifications where user_id = $1 and kind = 'items_received' order by id`,
        [buyer.id],
      )
    assert.deepEqual(await counts(), [{ count: 1 }])
    await detachPartition(owner, partition)
    await work(worker, taskId)
    assert.deepEqual(await counts(), [{ count: 1 }])
    await attachPartition(owner, partition)
    assert.deepEqual(await counts(), [{ count: 1 }, { count: 1 }])
  })

  test('are read from another disk', async () => {
    const worker = await aWorker(api.database)
    await fillNewest(worker)
    const [partition, all] = [await newest(), await names(worker)]
    const tablespace = `slow_${randomUUID().replaceAll('-', '')}`
    const client = await owner.connect()
    await client.query('set allow_in_place_tablespaces = on')
    await client.query(`create tablespace ${tablespace} location ''`)
    client.release(true)
    try {
      await owner.query(`alter table ${partition} set tablespace ${tablespace}`)
      assert.deepEqual(await names(worker), all)
      await notify(worker, 'after it was moved')
      assert.equal((await names(worker)).length, all.length + 1)
    } finally {
      await owner.query(`alter table ${partition} set tablespace pg_default`)
      await owner.query(`drop tablespace ${tablespace}`)
    }
  })
})

describe('a partitioned table', () => {
  const db = useDatabase()

  test('is restored from a backup, without what is detached, and its numbers continue', async () => {
    const worker = await aWorker(db.database)
    const { owner } = db
    const notify = (pool = db.owner) =>
      pool.query(`select notify_user($1, 'contact_message', '{"name": "Ruma", "subject": "Hello"}', null)`, [
        worker.id,
      ])
    const folder = await mkdtemp(join(tmpdir(), 'tallywork-partitions-'))
    const url = await freshDatabase()
    const restored = new pg.Pool({ connectionString: url, ...LONG_TIMEOUTS })
    try {
      await notify()
      await startPartition(owner, 'notifications_1', 1)
      await notify()
      await startPartition(owner, 'notifications_2', 1)
      await notify()
      await detachPartition(owner, 'notifications_1')
      const { tables } = await backup(
        db.owner,
        { ...testConfig, dataDir: folder },
        join(folder, 'copy'),
        () => {},
      )
      assert.deepEqual(
        tables.filter(({ name }) => name.startsWith('notifications')).map(({ name, rows }) => [name, rows]),
        [['notifications', 2]],
      )
      await restoreTables(restored, join(folder, 'copy'), () => {})
      await notify(restored)
      const ids = async (pool: pg.Pool) =>
        (await pool.query<{ id: string }>('select id from notifications order by id')).rows.map(({ id }) =>
          Number(id),
        )
      const original = await ids(db.owner)
      const copied = await ids(restored)
      assert.deepEqual(copied.slice(0, 2), original)
      assert.ok(Number(copied[2]) > Number(original[1]))
    } finally {
      await restored.end()
      await rm(folder, { recursive: true })
    }
  })
})
