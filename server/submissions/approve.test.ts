import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import {
  aBuyer,
  aPendingSubmission,
  aSubmission,
  aTask,
  atOnce,
  aWorker,
  balanceOf,
  noAppeals,
  outcomes,
} from '#tests/support/factories.ts'
import { approveSubmission } from './approve.ts'
import { rejectSubmission } from './reject.ts'

describe('approve submission', () => {
  const db = useDatabase()

  test('twelve concurrent approvals pay once', async () => {
    const { buyer, worker, submissionId } = await aPendingSubmission(db.database, { reward: 25 })
    const results = await atOnce(12, () => approveSubmission(db.database, submissionId, buyer.id))
    assert.equal(outcomes(results).good, 12)
    assert.equal(await balanceOf(db.database, worker), 10 + 25)
  })

  test('one of a concurrent approval and rejection wins, the other gets already_decided', async () => {
    for (let round = 0; round < 10; round++) {
      const { buyer, worker, submissionId } = await aPendingSubmission(db.database, { reward: 25 })
      const results = await Promise.allSettled([
        approveSubmission(db.database, submissionId, buyer.id),
        rejectSubmission(db.database, noAppeals, submissionId, buyer.id, { reason: 'Not what I asked for' }),
      ])
      const { good, codes } = outcomes(results)
      assert.equal(good, 1)
      assert.deepEqual(codes, ['already_decided'])
      const paid = results[0].status === 'fulfilled' ? 25 : 0
      assert.equal(await balanceOf(db.database, worker), 10 + paid)
    }
  })

  test('a rejection that finds the work revised meanwhile is refused', async () => {
    const { buyer, submissionId } = await aPendingSubmission(db.database)
    // The statement that rejects has seen the revision in progress, and the next one sees the revised work.
    const decided = db.database.pool.query(`select existing_decision($1, $2, 'rejected')`, [
      submissionId,
      buyer.id,
    ])
    await assert.rejects(decided, { message: 'state_conflict.revision' })
  })

  test("a buyer cannot approve submissions to another buyer's task", async () => {
    const { worker, submissionId } = await aPendingSubmission(db.database)
    const stranger = await aBuyer(db.database)
    const results = await atOnce(1, () => approveSubmission(db.database, submissionId, stranger.id))
    assert.deepEqual(outcomes(results).codes, ['submission_not_found'])
    assert.equal(await balanceOf(db.database, worker), 10)
  })

  test('one of eight concurrent workers gets the last slot', async () => {
    const buyer = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer, { slots: 1, reward: 20 })
    const workers = await Promise.all(Array.from({ length: 8 }, () => aWorker(db.database)))
    const { good, codes } = outcomes(
      await Promise.allSettled(workers.map((worker) => aSubmission(db.database, taskId, worker))),
    )
    assert.equal(good, 1)
    assert.deepEqual(new Set(codes), new Set(['task_filled']))
  })

  test('a submission beside a rejection gets the freed slot or finds the task filled', async () => {
    const { buyer, taskId, ...first } = await aPendingSubmission(db.database, { slots: 1 })
    let { submissionId } = first
    for (let round = 0; round < 30; round++) {
      const workers = await Promise.all(Array.from({ length: 4 }, () => aWorker(db.database)))
      const [, ...submitted] = await Promise.allSettled([
        rejectSubmission(db.database, noAppeals, submissionId, buyer.id, { reason: 'Not what I asked for' }),
        ...workers.map((worker) => aSubmission(db.database, taskId, worker)),
      ])
      const { good, codes } = outcomes(submitted)
      assert.ok(good <= 1)
      assert.deepEqual(new Set(codes), new Set(['task_filled']))
      const taken = submitted.find((result) => result.status === 'fulfilled')
      submissionId = taken?.value ?? (await aSubmission(db.database, taskId, await aWorker(db.database)))
    }
  })

  test('of ten concurrent tasks of 20 coins a buyer with 50 posts two', async () => {
    const buyer = await aBuyer(db.database)
    const { good, codes } = outcomes(
      await atOnce(10, () => aTask(db.database, buyer, { slots: 2, reward: 10 })),
    )
    assert.equal(good, 2)
    assert.deepEqual(new Set(codes), new Set(['insufficient_coins']))
    assert.equal(await balanceOf(db.database, buyer), 10)
  })
})
