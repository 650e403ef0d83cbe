import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { defendRejection, openAppeal } from '#server/appeals/appeal.ts'
import { booksDifference } from '#server/stats/queries.ts'
import { deleteUser } from '#server/users/delete.ts'
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
  outcomes,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { makeDue, slotsLeft, stateOf } from '#tests/support/submissions.ts'
import { approveSubmission } from './approve.ts'
import { acceptRejection, concedeRejection, reopenSlot, reverseRejection } from './end-dispute.ts'
import { rejectSubmission } from './reject.ts'
import { requestRevision, reviseSubmission } from './revise.ts'
import { settleDueSubmissions } from './settle-due.ts'

describe('after a rejection', () => {
  const db = useDatabase()
  /** Asserts that the books balance with these transfer kinds. */
  afterEach(async () => assert.equal((await booksDifference(db.database)).difference, 0))

  const reject = (submissionId: string, buyer: TestUser) =>
    rejectSubmission(db.database, testConfig, submissionId, buyer.id, {
      reason: 'Not what I asked for',
      category: 'wrong',
    })

  async function aRejectedSubmission(options: Parameters<typeof aPendingSubmission>[1] = {}) {
    const made = await aPendingSubmission(db.database, options)
    await reject(made.submissionId, made.buyer)
    return made
  }

  test('a reopened slot costs the reward again, which is refunded when the rejection becomes final', async () => {
    const { buyer, taskId, submissionId, reward } = await aRejectedSubmission({ slots: 1 })
    await db.owner.query('delete from outbox')
    await atOnce(5, () => reopenSlot(db.database, submissionId, buyer.id))
    assert.equal(await balanceOf(db.database, buyer), 50 - reward)
    assert.equal(await slotsLeft(db.database, taskId), 1)
    const { rows } = await db.owner.query(
      `select user_id from outbox where topic = 'changed' and payload ->> 'task' = $1`,
      [taskId],
    )
    assert.deepEqual(rows, [{ user_id: buyer.id }], 'open lists have the slot')
    await makeDue(db.owner, submissionId)
    await settleDueSubmissions(db.database, testConfig)
    assert.equal(await balanceOf(db.database, buyer), 50)
    assert.equal(await slotsLeft(db.database, taskId), 1)
  })

  test('a reopened slot stays paid for when the buyer concedes, and a late reopening is refused', async () => {
    for (let round = 0; round < 6; round++) {
      const { buyer, worker, taskId, submissionId, reward } = await aRejectedSubmission({ slots: 1 })
      await openAppeal(db.database, submissionId, worker.id, { text: 'It does what the task says.' })
      const [reopened] = await Promise.allSettled([
        reopenSlot(db.database, submissionId, buyer.id),
        concedeRejection(db.database, submissionId, buyer.id),
      ])
      const paidTwice = reopened.status === 'fulfilled'
      assert.equal(await balanceOf(db.database, worker), 10 + reward)
      assert.equal(await balanceOf(db.database, buyer), paidTwice ? 50 - reward : 50)
      assert.equal(await slotsLeft(db.database, taskId), paidTwice ? 1 : 0)
    }
  })

  test('a task with as many slots as can be posted is reopened and its rejections are reversed', async () => {
    const buyer = await aBuyer(db.database, { coins: 99_952 })
    const taskId = await aTask(db.database, buyer, { slots: 100_000, reward: 1 })
    const [reopened, reversed] = [await aWorker(db.database), await aWorker(db.database)]
    const submissions = [
      await aSubmission(db.database, taskId, reopened),
      await aSubmission(db.database, taskId, reversed),
    ]
    const [first = '', second = ''] = submissions
    for (const id of submissions) await reject(id, buyer)
    await reopenSlot(db.database, first, buyer.id)
    await acceptRejection(db.database, second, reversed.id)
    await reverseRejection(db.database, second, buyer.id)
    assert.equal(await balanceOf(db.database, buyer), 0)
    assert.equal(await balanceOf(db.database, reversed), 11)
  })

  test('a final rejection is reversed with coins of the buyer, within thirty days', async () => {
    const { buyer, worker, submissionId, reward } = await aRejectedSubmission({ slots: 1 })
    await acceptRejection(db.database, submissionId, worker.id)
    const { good } = outcomes(await atOnce(5, () => reverseRejection(db.database, submissionId, buyer.id)))
    assert.equal(good, 1)
    assert.equal(await balanceOf(db.database, worker), 10 + reward)
    assert.equal(await balanceOf(db.database, buyer), 50 - reward)

    const old = await aRejectedSubmission({ slots: 1 })
    await acceptRejection(db.database, old.submissionId, old.worker.id)
    await db.owner.query(`update submissions set decided_at = now() - interval '31 days' where id = $1`, [
      old.submissionId,
    ])
    await assert.rejects(reverseRejection(db.database, old.submissionId, old.buyer.id), {
      message: 'deadline_passed.reversal',
    })

    const poor = await aRejectedSubmission({ slots: 1, reward: 60 })
    await acceptRejection(db.database, poor.submissionId, poor.worker.id)
    await assert.rejects(reverseRejection(db.database, poor.submissionId, poor.buyer.id), {
      message: 'insufficient_coins',
    })
  })

  test('a rejection of a deleted worker is not reversed: nobody would get the coins', async () => {
    const admin = await anAdmin(db.database)
    const { buyer, worker, submissionId } = await aRejectedSubmission({ slots: 1 })
    await acceptRejection(db.database, submissionId, worker.id)
    await deleteUser(db.database, worker.id, admin.id)
    await assert.rejects(reverseRejection(db.database, submissionId, buyer.id), { message: 'user_not_found' })

    const other = await aRejectedSubmission({ slots: 1 })
    await acceptRejection(db.database, other.submissionId, other.worker.id)
    await Promise.allSettled([
      reverseRejection(db.database, other.submissionId, other.buyer.id),
      deleteUser(db.database, other.worker.id, admin.id),
    ])
  })

  test('a revision is requested once and keeps the slot; without one the work returns to review unchanged', async () => {
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(db.database, { slots: 1 })
    await requestRevision(db.database, submissionId, buyer.id, 'Please add the date.')
    assert.equal(await slotsLeft(db.database, taskId), 0)
    await assert.rejects(reject(submissionId, buyer), { message: 'state_conflict.revision' })
    await reviseSubmission(db.database, testConfig, submissionId, worker.id, 'With the date')
    assert.equal(await stateOf(db.database, submissionId), 'pending')
    await assert.rejects(requestRevision(db.database, submissionId, buyer.id, 'And the time.'), {
      message: 'state_conflict.revision_used',
    })

    const late = await aPendingSubmission(db.database, { slots: 1 })
    await requestRevision(db.database, late.submissionId, late.buyer.id, 'Please add the date.')
    await makeDue(db.owner, late.submissionId)
    await settleDueSubmissions(db.database, testConfig)
    assert.equal(await stateOf(db.database, late.submissionId), 'pending')
    await approveSubmission(db.database, late.submissionId, late.buyer.id)
  })

  test('a passed deadline binds the buyer before a job notices it, and neither an approval nor what the worker does', async () => {
    const pending = await aPendingSubmission(db.database, { slots: 1 })
    await makeDue(db.owner, pending.submissionId)
    const late = { message: 'deadline_passed.review' }
    await assert.rejects(reject(pending.submissionId, pending.buyer), late)
    await assert.rejects(
      requestRevision(db.database, pending.submissionId, pending.buyer.id, 'Please add the date.'),
      late,
    )
    await approveSubmission(db.database, pending.submissionId, pending.buyer.id)
    assert.equal(await stateOf(db.database, pending.submissionId), 'approved')

    const { buyer, worker, submissionId } = await aPendingSubmission(db.database, { slots: 1 })
    await requestRevision(db.database, submissionId, buyer.id, 'Please add the date.')
    await makeDue(db.owner, submissionId)
    await reviseSubmission(db.database, testConfig, submissionId, worker.id, 'With the date')
    await reject(submissionId, buyer)
    await makeDue(db.owner, submissionId)
    await openAppeal(db.database, submissionId, worker.id, { text: 'It does what the task says.' })
    await makeDue(db.owner, submissionId)
    await assert.rejects(defendRejection(db.database, submissionId, buyer.id, 'The date is wrong.'), {
      message: 'deadline_passed.defence',
    })
    await concedeRejection(db.database, submissionId, buyer.id)
    assert.equal(await stateOf(db.database, submissionId), 'approved')
  })
})
