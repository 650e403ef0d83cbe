import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { presentStatementLine } from '#server/ledger/present.ts'
import { readStatement } from '#server/ledger/statement.ts'
import { acceptRejection, reopenSlot } from '#server/submissions/end-dispute.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { deleteUser } from '#server/users/delete.ts'
import { atTime, later } from '#tests/support/clock.ts'
import { useDatabase } from '#tests/support/database.ts'
import {
  aBuyer,
  anAdmin,
  aPendingSubmission,
  aSubmission,
  aTask,
  atOnce,
  aWorker,
  balanceOf,
  dayFromNow,
  noAppeals,
  outcomes,
  type TestUser,
  taskBody,
  testConfig,
} from '#tests/support/factories.ts'
import { addTask } from './add.ts'
import { closeTask } from './close.ts'
import { closeDueTasks } from './close-due.ts'
import { confirmRefund } from './confirm-refund.ts'
import { deleteTask } from './delete.ts'
import { moveDeadline } from './move-deadline.ts'
import { reopenTask } from './reopen.ts'
import { reserveSlot } from './reserve.ts'
import { addSlots } from './top-up.ts'

const ROUNDS = 12

describe('changes of a posted task', () => {
  const db = useDatabase()
  const topUp = (taskId: string, buyer: TestUser, slots: number) =>
    addSlots(db.database, testConfig, taskId, buyer.id, slots)
  const close = (taskId: string, buyer: TestUser) => closeTask(db.database, taskId, buyer.id)
  const reopen = (taskId: string, buyer: TestUser, day: string | null = null) =>
    reopenTask(db.database, testConfig, taskId, buyer.id, day)
  const move = (taskId: string, buyer: TestUser, day: string) =>
    moveDeadline(db.database, testConfig, taskId, buyer.id, day)
  const balance = (user: TestUser) => balanceOf(db.database, user)

  async function stateOf(taskId: string) {
    const { rows } = await db.database.pool.query(
      `select slots, slots_left as left, closed_at is not null as closed, completion_date::text as day, closes_at
         from tasks where id = $1`,
      [taskId],
    )
    return rows[0]
  }

  test('added slots are paid into escrow with the fee, and workers can take them', async () => {
    const buyer = await aBuyer(db.database, { coins: 100 })
    const taskId = await aTask(db.database, buyer, { slots: 1, reward: 15 })
    await aSubmission(db.database, taskId, await aWorker(db.database))
    const config = { ...testConfig, taskFeePercent: 10 }
    assert.equal(await addSlots(db.database, config, taskId, buyer.id, 3), 45 + 5)
    assert.equal(await balance(buyer), 150 - 15 - 50)
    await aSubmission(db.database, taskId, await aWorker(db.database))
    const { slots, left } = await stateOf(taskId)
    assert.deepEqual({ slots, left }, { slots: 4, left: 2 })
  })

  test('the fee is rounded up: splitting a task into small ones, or adding slots one by one, saves none of it', async () => {
    const buyer = await aBuyer(db.database, { coins: 100 })
    const config = { ...testConfig, taskFeePercent: 1 }
    const task = taskBody({ slots: 1, reward: 2 })
    const taskId = await addTask(db.database, config, buyer, task, {})
    assert.equal(await balance(buyer), 150 - 2 - 1)
    assert.equal(await addSlots(db.database, config, taskId, buyer.id, 1), 2 + 1)
    assert.equal(await addSlots(db.database, config, taskId, buyer.id, 40), 80 + 1)
    await addTask(db.database, testConfig, buyer, task, {})
    assert.equal(await balance(buyer), 150 - 3 - 3 - 81 - 2)
  })

  test('slots cannot be added without the coins, above the maximum, or to a task that takes no work', async () => {
    const buyer = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer, { slots: 1, reward: 20 })
    await assert.rejects(topUp(taskId, buyer, 2), { message: 'insufficient_coins' })
    await assert.rejects(topUp(taskId, buyer, 100_000), { message: 'invalid_fields.slots' })
    const { closes_at } = await stateOf(taskId)
    await assert.rejects(
      atTime(db.url, new Date(closes_at), (database) => addSlots(database, testConfig, taskId, buyer.id, 1)),
      { message: 'deadline_passed' },
    )
    await close(taskId, buyer)
    await assert.rejects(topUp(taskId, buyer, 1), { message: 'task_closed.buyer' })
    assert.equal(await balance(buyer), 50)
  })

  test('closing, reopening and closing again books each time, and every refund can be confirmed', async () => {
    const buyer = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer, { slots: 3, reward: 10, title: 'Label' })
    await aSubmission(db.database, taskId, await aWorker(db.database))
    assert.equal(await close(taskId, buyer), 20)
    assert.equal(await close(taskId, buyer), null)
    assert.equal(await confirmRefund(db.database, buyer.accountId, 20), 40)
    assert.equal(await reopen(taskId, buyer), 20)
    assert.equal(await reopen(taskId, buyer), null)
    await topUp(taskId, buyer, 1)
    assert.equal(await close(taskId, buyer), 30)
    assert.equal(await confirmRefund(db.database, buyer.accountId, 30), 40)

    const lines = await readStatement(db.database, buyer.accountId, null, 5)
    assert.deepEqual(
      lines.map((line) => [presentStatementLine(line, 'en').text, line.coins]),
      [
        ['Refund for "Label"', 30],
        ['Reserved for added slots of "Label"', -10],
        ['Reserved to reopen "Label"', -20],
        ['Refund for "Label"', 20],
        ['Reserved for "Label"', -30],
      ],
    )
  })

  test('reopening frees every slot that nobody holds, those of work rejected after closing too', async () => {
    const { buyer, taskId, submissionId } = await aPendingSubmission(db.database, { slots: 3, reward: 10 })
    await aSubmission(db.database, taskId, await aWorker(db.database))
    await close(taskId, buyer)
    await rejectSubmission(db.database, noAppeals, submissionId, buyer.id, { reason: 'No' })
    assert.equal(await balance(buyer), 50 + 20)
    assert.equal(await reopen(taskId, buyer), 20)
    const { slots, left } = await stateOf(taskId)
    assert.deepEqual({ slots, left }, { slots: 3, left: 2 })
  })

  test('a slot added for disputed work is refunded and restored with the others, until the rejection stands', async () => {
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(db.database, {
      slots: 2,
      reward: 10,
    })
    await rejectSubmission(db.database, testConfig, submissionId, buyer.id, { reason: 'No' })
    await reopenSlot(db.database, submissionId, buyer.id)
    assert.equal(await close(taskId, buyer), 20)
    assert.equal(await reopen(taskId, buyer), 20)
    assert.equal(await close(taskId, buyer), 20)
    await acceptRejection(db.database, submissionId, worker.id)
    assert.equal(await reopen(taskId, buyer), 20)
    const { slots, left } = await stateOf(taskId)
    assert.deepEqual({ slots, left }, { slots: 2, left: 2 })
    assert.equal(await balance(buyer), 50)
  })

  test('a reserved slot stays with its worker while the task is closed and reopened', async () => {
    const [buyer, worker] = [await aBuyer(db.database), await aWorker(db.database)]
    const taskId = await aTask(db.database, buyer, { slots: 3, reward: 10 })
    await reserveSlot(db.database, testConfig, taskId, worker.id)
    assert.equal(await close(taskId, buyer), 20)
    assert.equal(await reopen(taskId, buyer), 20)
    await aSubmission(db.database, taskId, worker)
    assert.equal((await stateOf(taskId)).left, 2)
  })

  test('a task closed at its deadline reopens with a new one only', async () => {
    const buyer = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer, { slots: 2, reward: 10, day: dayFromNow(1) })
    const in3Days = later(new Date(), { days: 3 })
    await atTime(db.url, in3Days, closeDueTasks)
    await atTime(db.url, in3Days, async (database) => {
      const reopenWith = (day: string | null) => reopenTask(database, testConfig, taskId, buyer.id, day)
      await assert.rejects(reopenWith(null), { message: 'deadline_passed.new_task' })
      await assert.rejects(reopenWith(dayFromNow(1)), { message: 'deadline_passed.new_task' })
      assert.equal(await reopenWith('2031-03-09'), 20)
      assert.equal(await closeDueTasks(database), 0)
    })
    // Dhaka is six hours ahead of UTC.
    assert.equal((await stateOf(taskId)).closes_at, '2031-03-09T18:00:00.000Z')
  })

  test('a deadline moves later and earlier, and the task closes at the new one', async () => {
    const buyer = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer, { slots: 1, reward: 10, day: '2031-03-09' })
    assert.equal(await move(taskId, buyer, '2031-03-09'), false)
    assert.equal(await move(taskId, buyer, '2031-04-01'), true)
    const after = new Date('2031-03-20T00:00:00Z')
    await atTime(db.url, after, closeDueTasks)
    await atTime(db.url, after, async (database) => aSubmission(database, taskId, await aWorker(db.database)))
    await move(taskId, buyer, '2031-03-01')
    await atTime(db.url, after, closeDueTasks)
    assert.deepEqual(await stateOf(taskId), {
      slots: 1,
      left: 0,
      closed: true,
      day: '2031-03-01',
      closes_at: '2031-03-01T18:00:00.000Z',
    })
    await assert.rejects(move(taskId, buyer, '2031-05-01'), { message: 'task_closed.buyer' })
  })

  test('a deadline cannot move into the past', async () => {
    const buyer = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer, { slots: 1, reward: 10 })
    await assert.rejects(move(taskId, buyer, dayFromNow(-2)), { message: 'deadline_passed.new_task' })
  })

  test("another buyer's task, a deleted task and a deleted buyer's task are not found", async () => {
    const buyer = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer, { slots: 1, reward: 10 })
    const everyChange = (by: TestUser) => [
      topUp(taskId, by, 1),
      move(taskId, by, dayFromNow(9)),
      close(taskId, by),
      reopen(taskId, by),
    ]
    const refused = async (by: TestUser, code: string) => {
      await Promise.all(everyChange(by).map((change) => assert.rejects(change, { message: code })))
    }
    await refused(await aBuyer(db.database), 'not_yours')
    await deleteTask(db.database, taskId, buyer)
    await refused(buyer, 'task_not_found')
    await deleteUser(db.database, buyer.id, (await anAdmin(db.database)).id)
    await refused(buyer, 'role_not_allowed')
  })

  test('reopening twice at once books once', async () => {
    const buyer = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer, { slots: 2, reward: 20 })
    await close(taskId, buyer)
    const results = await atOnce(6, () => reopen(taskId, buyer))
    assert.equal(outcomes(results).good, 6)
    assert.equal(await balance(buyer), 10)
  })

  test('concurrent additions never cost more than the balance', async () => {
    const buyer = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer, { slots: 1, reward: 10 })
    const { good, codes } = outcomes(await atOnce(8, () => topUp(taskId, buyer, 1)))
    assert.equal(good, 4)
    assert.deepEqual(new Set(codes), new Set(['insufficient_coins']))
    assert.equal(await balance(buyer), 0)
  })

  /** Runs changes of a new task at the same time, several times. The books are audited after the test. */
  async function inRounds(
    changes: (taskId: string, buyer: TestUser) => Promise<unknown>[],
    check: (found: Awaited<ReturnType<typeof stateOf>>, coins: number) => void,
  ) {
    for (let round = 0; round < ROUNDS; round++) {
      const buyer = await aBuyer(db.database)
      const taskId = await aTask(db.database, buyer, { slots: 2, reward: 10, day: dayFromNow(2) })
      await Promise.allSettled(changes(taskId, buyer))
      check(await stateOf(taskId), await balance(buyer))
    }
  }

  test('an extension against the deadline: the task is open with the new one, or closed and refunded', async () => {
    await inRounds(
      (taskId, buyer) => [
        atTime(db.url, later(new Date(), { days: 5 }), closeDueTasks),
        move(taskId, buyer, dayFromNow(30)),
      ],
      ({ closed, left, day }, coins) => {
        assert.equal(day, closed ? dayFromNow(2) : dayFromNow(30))
        assert.deepEqual([left, coins], closed ? [0, 50] : [2, 30])
      },
    )
  })

  test('an addition against closing: the added slots are refunded, or never paid', async () => {
    await inRounds(
      (taskId, buyer) => [topUp(taskId, buyer, 2), close(taskId, buyer)],
      ({ closed, left }, coins) => assert.deepEqual([closed, left, coins], [true, 0, 50]),
    )
  })

  test('closing against a submission: the slot is held or refunded', async () => {
    const worker = await aWorker(db.database)
    await inRounds(
      (taskId, buyer) => [aSubmission(db.database, taskId, worker), close(taskId, buyer)],
      ({ closed, left }, coins) => {
        assert.deepEqual([closed, left], [true, 0])
        assert.ok([40, 50].includes(coins), String(coins))
      },
    )
  })

  test('a deletion against reopening: the task is deleted and its coins are refunded', async () => {
    await inRounds(
      (taskId, buyer) => [
        close(taskId, buyer).then(() =>
          Promise.allSettled([reopen(taskId, buyer), deleteTask(db.database, taskId, buyer)]),
        ),
      ],
      ({ closed, left }, coins) => assert.deepEqual([closed, left, coins], [true, 0, 50]),
    )
  })

  test('the deletion of the buyer against every change leaves no open task and no coin', async () => {
    const admin = await anAdmin(db.database)
    await inRounds(
      (taskId, buyer) => [
        topUp(taskId, buyer, 1),
        close(taskId, buyer).then(() => reopen(taskId, buyer)),
        deleteUser(db.database, buyer.id, admin.id),
      ],
      ({ closed, left }, coins) => assert.deepEqual([closed, left, coins], [true, 0, 0]),
    )
  })
})
