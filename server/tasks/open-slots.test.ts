import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { audit } from '#server/ledger/audit.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { anOpenBatch } from '#tests/support/batches.ts'
import { atTime, later } from '#tests/support/clock.ts'
import { useDatabase } from '#tests/support/database.ts'
import {
  aBuyer,
  aSubmission,
  aTask,
  atOnce,
  aWorker,
  dayFromNow,
  noAppeals,
  outcomes,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { closeTask } from './close.ts'
import { closeDueTasks } from './close-due.ts'
import { deleteTask } from './delete.ts'
import { lapseDueReservations } from './lapse-reservations.ts'
import { reopenTask } from './reopen.ts'
import { reserveSlot, returnReservation } from './reserve.ts'
import { addSlots } from './top-up.ts'

const CHECK = 'every open task is listed with its free slots, and no other task is'

// The books are audited after each test, and open_task_slots with them.
describe('the free slots of open tasks', () => {
  const db = useDatabase()

  const rows = async (sql: string, values: unknown[] = []) => (await db.owner.query(sql, values)).rows
  const reserve = (taskId: string, worker: TestUser) =>
    reserveSlot(db.database, testConfig, taskId, worker.id)
  const giveBack = (taskId: string, worker: TestUser) => returnReservation(db.database, taskId, worker.id)
  const topUp = (taskId: string, buyer: TestUser, slots = 1) =>
    addSlots(db.database, testConfig, taskId, buyer.id, slots)
  const reopen = (taskId: string, buyer: TestUser) =>
    reopenTask(db.database, testConfig, taskId, buyer.id, dayFromNow(20))
  const lapse = () => atTime(db.url, later(new Date(), { hours: 2 }), lapseDueReservations)
  const listed = async (taskId: string) =>
    (await rows('select slots_left from open_task_slots where task_id = $1', [taskId])).map(
      (row) => row.slots_left,
    )

  async function aTaskOf(slots: number, coins = 1000) {
    const buyer = await aBuyer(db.database, { coins })
    return { buyer, taskId: await aTask(db.database, buyer, { slots, reward: 10 }) }
  }

  test('are listed from the post until the task is closed, and again when it is reopened', async () => {
    const { buyer, taskId } = await aTaskOf(3)
    const [one, other] = [await aWorker(db.database), await aWorker(db.database)]
    assert.deepEqual(await listed(taskId), [3])
    await reserve(taskId, one)
    assert.deepEqual(await listed(taskId), [2])
    await giveBack(taskId, one)
    assert.deepEqual(await listed(taskId), [3])
    const submission = await aSubmission(db.database, taskId, one)
    await reserve(taskId, other)
    assert.deepEqual(await listed(taskId), [1])
    await rejectSubmission(db.database, noAppeals, submission, buyer.id, { reason: 'Too short' })
    assert.deepEqual(await listed(taskId), [2])
    await lapse()
    assert.deepEqual(await listed(taskId), [3])
    await topUp(taskId, buyer, 4)
    assert.deepEqual(await listed(taskId), [7])
    await closeTask(db.database, taskId, buyer.id)
    assert.deepEqual(await listed(taskId), [])
    await reopen(taskId, buyer)
    assert.deepEqual(await listed(taskId), [7])
    await deleteTask(db.database, taskId, buyer)
    assert.deepEqual(await listed(taskId), [])
  })

  test('are listed when all are taken', async () => {
    const { taskId } = await aTaskOf(1)
    await reserve(taskId, await aWorker(db.database))
    assert.deepEqual(await listed(taskId), [0])
  })

  test('are right after four workers took the last two slots at once', async () => {
    for (let round = 0; round < 10; round++) {
      const { taskId } = await aTaskOf(2)
      const workers = await Promise.all([1, 2, 3, 4].map(() => aWorker(db.database)))
      const results = await Promise.allSettled<unknown>(
        workers.map((worker, index) =>
          index % 2 === 0 ? reserve(taskId, worker) : aSubmission(db.database, taskId, worker),
        ),
      )
      assert.equal(outcomes(results).good, 2)
      assert.deepEqual(await listed(taskId), [0])
    }
  })

  test('are right after a task was closed, reopened and topped up while workers took and returned its slots', async () => {
    const dueLater = later(new Date(), { days: 30 })
    for (let round = 0; round < 12; round++) {
      const { buyer, taskId } = await aTaskOf(3)
      const workers = await Promise.all([1, 2, 3].map(() => aWorker(db.database)))
      const [first, second, third] = workers as [TestUser, TestUser, TestUser]
      await reserve(taskId, first)
      const submission = await aSubmission(db.database, taskId, second)
      if (round % 3 === 0) await closeTask(db.database, taskId, buyer.id)
      const changes: (() => Promise<unknown>)[] = [
        () => giveBack(taskId, first),
        () => lapse(),
        () => reserve(taskId, third),
        () => rejectSubmission(db.database, noAppeals, submission, buyer.id, { reason: 'Too short' }),
        () => topUp(taskId, buyer),
        () => reopen(taskId, buyer),
        () =>
          round % 2 === 0
            ? closeTask(db.database, taskId, buyer.id)
            : atTime(db.url, dueLater, closeDueTasks),
        () => (round % 4 === 0 ? deleteTask(db.database, taskId, buyer) : topUp(taskId, buyer)),
      ]
      await atOnce(changes.length, async (index) => changes[index]?.())
      const [task] = await rows('select slots_left, closed_at from tasks where id = $1', [taskId])
      assert.deepEqual(await listed(taskId), task.closed_at === null ? [task.slots_left] : [])
    }
  })

  test('that are missing, wrong or of a closed task are found by the audit', async () => {
    const found = async () =>
      (await audit(db.database)).checks
        .filter(({ wrong }) => wrong > 0)
        .map(({ name, wrong }) => [name, wrong])
    const { buyer, taskId } = await aTaskOf(3)
    const closed = await aTask(db.database, buyer, { slots: 1, reward: 10 })
    await closeTask(db.database, closed, buyer.id)
    assert.deepEqual(await found(), [])

    await rows('delete from open_task_slots where task_id = $1', [taskId])
    assert.deepEqual(await found(), [[CHECK, 1]])
    await rows('insert into open_task_slots values ($1, 2)', [taskId])
    assert.deepEqual(await found(), [[CHECK, 1]])
    await rows('update open_task_slots set slots_left = 3 where task_id = $1', [taskId])
    assert.deepEqual(await found(), [])

    const wrong = [closed, randomUUID()]
    await rows('insert into open_task_slots values ($1, 0), ($2, 1)', wrong)
    assert.deepEqual(await found(), [[CHECK, 2]])
    await rows('delete from open_task_slots where task_id = any ($1)', [wrong])
    await rows('alter table tasks disable trigger tasks_open_slots')
    try {
      await reserve(taskId, await aWorker(db.database))
      assert.deepEqual(await found(), [[CHECK, 1]])
    } finally {
      await rows('alter table tasks enable trigger tasks_open_slots')
    }
    await reserve(taskId, await aWorker(db.database))
    assert.deepEqual(await listed(taskId), [1])
  })
  /** Returns how a statement updates tasks: its updates, and those of them that write no index. */
  async function updatesOf(sql: string, values: unknown[]): Promise<{ updated: number; heapOnly: number }> {
    const client = await db.owner.connect()
    const counted = async () =>
      (
        await client.query(
          `select pg_stat_get_xact_tuples_updated('tasks'::regclass)::int as updated,
                  pg_stat_get_xact_tuples_hot_updated('tasks'::regclass)::int as heap_only`,
        )
      ).rows[0]
    try {
      await client.query('begin')
      const before = await counted()
      await client.query(sql, values)
      const after = await counted()
      await client.query('commit')
      return { updated: after.updated - before.updated, heapOnly: after.heap_only - before.heap_only }
    } finally {
      client.release(true)
    }
  }

  test('are taken and returned without a write to an index of tasks', async () => {
    const worker = await aWorker(db.database)
    const once = { updated: 1, heapOnly: 1 }
    const reserved = (await aTaskOf(3)).taskId
    const reserveSql = `select reserve_slot($1, $2, $3, 5)`
    assert.deepEqual(await updatesOf(reserveSql, [randomUUID(), reserved, worker.id]), once)
    assert.deepEqual(await updatesOf('select return_reservation($1, $2)', [reserved, worker.id]), once)
    const submit = `select submit_work($1, $2, $3, 'Here is my work', null, null, null, '7 days')`
    const submitted = (await aTaskOf(3)).taskId
    assert.deepEqual(await updatesOf(submit, [randomUUID(), submitted, worker.id]), once)
    const { taskId } = await anOpenBatch(db.database, { items: 3 })
    const take = 'select take_item($1, $2, $3, 5, 3)'
    assert.deepEqual(await updatesOf(take, [randomUUID(), taskId, worker.id]), once)
  })

  test('are in no index of tasks, like the other columns that taking a slot changes', async () => {
    const found = await rows(
      `select classid::regclass::text, objid::regclass::text as index, attname as column
         from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
        where refobjid = 'tasks'::regclass and attname in ('slots_left', 'slots', 'version_used')
          and classid = 'pg_class'::regclass and objid in (select indexrelid from pg_index where indrelid = 'tasks'::regclass)`,
    )
    assert.deepEqual(found, [])
  })
})
