import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Database } from '#server/database/database.ts'
import { deleteUser } from '#server/users/delete.ts'
import { atTime, later } from '#tests/support/clock.ts'
import { useDatabase } from '#tests/support/database.ts'
import {
  aBuyer,
  anAdmin,
  aSubmission,
  aTask,
  atOnce,
  aWorker,
  balanceOf,
  outcomes,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { slotsLeft } from '#tests/support/submissions.ts'
import { closeDueTasks } from './close-due.ts'
import { deleteTask } from './delete.ts'
import { lapseDueReservations } from './lapse-reservations.ts'
import { reserveSlot, returnReservation } from './reserve.ts'

// The books are audited after each test.
describe('concurrent reservations', () => {
  const db = useDatabase()

  const at = <Result>(moment: Date, work: (database: Database) => Promise<Result>) =>
    atTime(db.url, moment, work)
  const reserve = (taskId: string, worker: TestUser) =>
    reserveSlot(db.database, testConfig, taskId, worker.id)
  const giveBack = (taskId: string, worker: TestUser) => returnReservation(db.database, taskId, worker.id)
  const lapse = () => at(later(new Date(), { hours: 2 }), lapseDueReservations)

  async function aTaskOf(slots: number, reward = 10) {
    const buyer = await aBuyer(db.database, { coins: slots * reward })
    return { buyer, taskId: await aTask(db.database, buyer, { slots, reward }) }
  }

  test('ten concurrent reservations of one worker take one slot', async () => {
    const { taskId } = await aTaskOf(10)
    const worker = await aWorker(db.database)
    const results = await atOnce(10, () => reserve(taskId, worker))
    const ids = new Set(
      results.map((result) => (result.status === 'fulfilled' ? result.value.id : 'refused')),
    )
    assert.equal(ids.size, 1)
    assert.equal(await slotsLeft(db.database, taskId), 9)
  })

  test('three of a hundred concurrent workers get the three slots, reserving and submitting', async () => {
    const { taskId } = await aTaskOf(3)
    const crowd = await Promise.all(Array.from({ length: 100 }, () => aWorker(db.database)))
    const results = await Promise.allSettled<unknown>(
      crowd.map((worker, index) =>
        index % 2 === 0 ? reserve(taskId, worker) : aSubmission(db.database, taskId, worker),
      ),
    )
    assert.deepEqual(
      [outcomes(results).good, new Set(outcomes(results).codes)],
      [3, new Set(['task_filled'])],
    )
    assert.equal(await slotsLeft(db.database, taskId), 0)
  })

  test('concurrent submission and lapse: the work has one slot and the reservation one outcome', async () => {
    for (let round = 0; round < 10; round++) {
      const { taskId } = await aTaskOf(1)
      const worker = await aWorker(db.database)
      await reserve(taskId, worker)
      const [submission] = await Promise.allSettled([aSubmission(db.database, taskId, worker), lapse()])
      assert.equal(submission.status, 'fulfilled')
      assert.equal(await slotsLeft(db.database, taskId), 0)
    }
  })

  test('concurrent return and submission: the work has one slot', async () => {
    for (let round = 0; round < 10; round++) {
      const { taskId } = await aTaskOf(1)
      const worker = await aWorker(db.database)
      await reserve(taskId, worker)
      const [submission] = await Promise.allSettled([
        aSubmission(db.database, taskId, worker),
        giveBack(taskId, worker),
        giveBack(taskId, worker),
      ])
      assert.equal(submission.status, 'fulfilled')
      assert.equal(await slotsLeft(db.database, taskId), 0)
    }
  })

  test('concurrent closing and reservation refund the slot or hold it, never both', async () => {
    for (let round = 0; round < 10; round++) {
      const { buyer, taskId } = await aTaskOf(1)
      const worker = await aWorker(db.database)
      const [, reservation] = await Promise.allSettled([
        round % 2 === 0
          ? deleteTask(db.database, taskId, buyer)
          : at(later(new Date(), { days: 9 }), closeDueTasks),
        reserve(taskId, worker),
      ])
      assert.equal(await balanceOf(db.database, buyer), reservation.status === 'fulfilled' ? 50 : 60)
    }
  })

  test('concurrent deletion of buyer or worker and submission leave nothing open', async () => {
    const admin = await anAdmin(db.database)
    for (let round = 0; round < 12; round++) {
      const { buyer, taskId } = await aTaskOf(2)
      const worker = await aWorker(db.database)
      await reserve(taskId, worker)
      if (round % 3 === 0) await deleteTask(db.database, taskId, buyer)
      const [deletion] = await Promise.allSettled([
        deleteUser(db.database, round % 2 === 0 ? buyer.id : worker.id, admin.id),
        aSubmission(db.database, taskId, worker),
      ])
      assert.equal(deletion.status, 'fulfilled')
    }
  })
})
