import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Db } from '#server/database/database.ts'
import { approveSubmissions } from '#server/submissions/bulk-approve.ts'
import { rejectSubmissions } from '#server/submissions/bulk-reject.ts'
import { needsReviewer, rejectSubmission } from '#server/submissions/reject.ts'
import { deleteUser } from '#server/users/delete.ts'
import { appeal, defend, reject, useAppeals } from '#tests/support/appeals.ts'
import { eventually } from '#tests/support/eventually.ts'
import {
  anAdmin,
  aPendingSubmission,
  aSubmission,
  aTask,
  aWorker,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { lockWaits } from '#tests/support/lock-waits.ts'
import { makeDue, stateOf } from '#tests/support/submissions.ts'
import { readCase } from './case.ts'
import { decideReviews } from './decide.ts'
import { assignReviews, settleDueAppeals } from './settle-due.ts'

describe('mass rejection', () => {
  const { db, reviewerOf, onlyReviewers } = useAppeals()

  /** Submissions of as many workers on one task of a buyer, oldest first. */
  async function pendingSubmissions(count: number) {
    const { buyer, taskId, submissionId } = await aPendingSubmission(db.database, { slots: count, reward: 2 })
    const submissions = [submissionId]
    for (let n = 1; n < count; n++)
      submissions.push(await aSubmission(db.database, taskId, await aWorker(db.database)))
    return { buyer, submissions }
  }

  test('a buyer who rejected more than the limit needs a reviewer for each rejection', async () => {
    const reviewer = await aWorker(db.database)
    await onlyReviewers(reviewer)
    const { buyer, submissions } = await pendingSubmissions(12)
    const needsIt = () => needsReviewer(db.database, testConfig, buyer.id)
    for (const [index, id] of submissions.entries()) {
      assert.equal(await needsIt(), index >= 10)
      await reject(db.database, id, buyer)
    }
    assert.equal(await needsReviewer(db.database, { ...testConfig, appealDays: 0 }, buyer.id), false)
    const states = await Promise.all(submissions.map((id) => stateOf(db.database, id)))
    assert.deepEqual(states, [...Array(10).fill('rejection_open'), 'in_review', 'in_review'])

    await assignReviews(db.database)
    const unconfirmed = submissions[10] as string
    assert.equal(await reviewerOf(unconfirmed), reviewer.id)
    await decideReviews(db.database, testConfig, reviewer.id, {
      submissions: [unconfirmed],
      decision: 'upheld',
      reason: 'The third line is missing.',
    })
    assert.equal(await stateOf(db.database, unconfirmed), 'rejection_open')
    const { rows } = await db.owner.query(
      'select user_id, kind from notifications where ref = $1 order by id',
      [unconfirmed],
    )
    assert.deepEqual(
      rows.filter(({ user_id }) => user_id === buyer.id).map(({ kind }) => kind),
      ['work_received', 'rejection_confirmed'],
    )
  })

  test('the rejection of a case is held until a reviewer has confirmed it, and not when it is appealed', async () => {
    const reviewer = await aWorker(db.database)
    await onlyReviewers(reviewer)
    const { buyer, submissions } = await pendingSubmissions(11)
    for (const id of submissions) await reject(db.database, id, buyer)
    const last = submissions[10] as string
    const heldIn = async () => {
      const { state, held } = await readCase(
        db.database,
        last,
        { ...buyer, isReviewer: false, locale: 'en' },
        null,
      )
      return [state, held]
    }
    assert.deepEqual(await heldIn(), ['in_review', true])
    await assignReviews(db.database)
    assert.deepEqual(await heldIn(), ['in_review', true])
    await decideReviews(db.database, testConfig, reviewer.id, {
      submissions: [last],
      decision: 'upheld',
      reason: 'The third line is missing.',
    })
    assert.deepEqual(await heldIn(), ['rejection_open', false])
    const { rows } = await db.owner.query('select worker_id as id from submissions where id = $1', [last])
    await appeal(db.database, last, rows[0])
    assert.deepEqual(await heldIn(), ['appealed', false])
    await defend(db.database, last, buyer)
    assert.deepEqual(await heldIn(), ['in_review', false])
  })

  test('who confirmed a rejection reviews its appeal only when there is no other reviewer', async () => {
    const [only, other] = [await aWorker(db.database), await aWorker(db.database)]
    const { buyer, submissions } = await pendingSubmissions(12)
    await onlyReviewers(only)
    for (const id of submissions) await reject(db.database, id, buyer)
    const unconfirmed = submissions.slice(10)
    await assignReviews(db.database)
    await decideReviews(db.database, testConfig, only.id, {
      submissions: unconfirmed,
      decision: 'upheld',
      reason: 'The third line is missing.',
    })
    const appealAndDefend = async (id: string) => {
      const { rows } = await db.owner.query('select worker_id as id from submissions where id = $1', [id])
      await appeal(db.database, id, rows[0])
      await defend(db.database, id, buyer)
    }
    const [first = '', second = ''] = unconfirmed
    await appealAndDefend(first)
    assert.equal(await reviewerOf(first), only.id)
    await onlyReviewers(only, other)
    await appealAndDefend(second)
    assert.equal(await reviewerOf(second), other.id)
  })

  test('who approves the newest work and then rejects the older needs a reviewer, also in one transaction', async () => {
    await onlyReviewers(await aWorker(db.database))
    const config = { ...testConfig, massRejection: { decisions: 10, percent: 30 } }
    type Work = { buyer: TestUser; older: string[]; newest: string[] }
    const reason = 'Not what I asked for'
    const rejectOlder = (on: Db, { older, buyer }: Work) =>
      rejectSubmissions(
        on,
        config,
        older.map((id) => ({ id, reason })),
        buyer.id,
      )
    const approveNewest = (on: Db, { newest, buyer }: Work) => approveSubmissions(on, newest, buyer.id)
    const ways = {
      'one by one': async (work: Work) => {
        await approveNewest(db.database, work)
        for (const id of work.older)
          await rejectSubmission(db.database, config, id, work.buyer.id, { reason })
      },
      'all rejections at once': async (work: Work) => {
        await approveNewest(db.database, work)
        await rejectOlder(db.database, work)
      },
      'in one transaction': (work: Work) =>
        db.database.transaction(async (tx) => {
          await approveNewest(tx, work)
          await rejectOlder(tx, work)
        }),
    }
    for (const [way, decide] of Object.entries(ways)) {
      const { buyer, submissions } = await pendingSubmissions(16)
      const older = submissions.slice(0, 6)
      await decide({ buyer, older, newest: submissions.slice(6) })
      const states = await Promise.all(older.map((id) => stateOf(db.database, id)))
      // Of sixteen decisions that have no order, 30 % are one more than of the last ten.
      const alone = way === 'in one transaction' ? 5 : 4
      const expected = older.map((_, index) => (index < alone ? 'rejection_open' : 'in_review'))
      assert.deepEqual(states, expected, way)
    }
  })

  test('who rejects little in a file of many decisions needs no reviewer for them, and for the next rejection', async () => {
    const config = { ...testConfig, massRejection: { decisions: 10, percent: 30 } }
    const { buyer, submissions } = await pendingSubmissions(31)
    const [next = '', ...inFile] = submissions
    const rejected = inFile.slice(0, 6)
    const reason = 'Not what I asked for'
    await db.database.transaction(async (tx) => {
      await approveSubmissions(tx, inFile.slice(6), buyer.id)
      await rejectSubmissions(
        tx,
        config,
        rejected.map((id) => ({ id, reason })),
        buyer.id,
      )
    })
    await rejectSubmission(db.database, config, next, buyer.id, { reason })
    const states = await Promise.all([...rejected, next].map((id) => stateOf(db.database, id)))
    assert.deepEqual(new Set(states), new Set(['rejection_open']))
  })

  test('undecided work of a deleted worker is no decision of the buyer', async () => {
    await onlyReviewers(await aWorker(db.database))
    const { buyer, submissions } = await pendingSubmissions(11)
    const leaver = await aWorker(db.database)
    for (let count = 0; count < 20; count++) {
      const taskId = await aTask(db.database, buyer, { slots: 1, reward: 1 })
      await aSubmission(db.database, taskId, leaver)
    }
    await deleteUser(db.database, leaver.id, (await anAdmin(db.database)).id)
    for (const id of submissions) await reject(db.database, id, buyer)
    const states = await Promise.all(submissions.map((id) => stateOf(db.database, id)))
    assert.deepEqual(states, [...Array(10).fill('rejection_open'), 'in_review'])
  })

  test('a rejection beside another one counts it', async () => {
    const { buyer, submissions } = await pendingSubmissions(11)
    const [last = '', beside = '', ...earlier] = submissions
    for (const id of earlier) await reject(db.database, id, buyer)
    const rejection = { reason: 'Not what I asked for' }
    const rejecting = await db.database.transaction(async (tx) => {
      await rejectSubmission(tx, testConfig, beside, buyer.id, rejection)
      const pending = reject(db.database, last, buyer)
      await eventually(async () => (await lockWaits(db.owner)) === 1)
      return { pending }
    })
    await rejecting.pending
    assert.equal(await stateOf(db.database, beside), 'rejection_open')
    assert.equal(await stateOf(db.database, last), 'in_review')
  })

  test('a rejection whose review nobody began in time goes to a reviewer for the second period', async () => {
    const reviewer = await aWorker(db.database)
    await onlyReviewers(reviewer)
    const { buyer, submissions } = await pendingSubmissions(11)
    for (const id of submissions) await reject(db.database, id, buyer)
    const last = submissions[10] as string
    await makeDue(db.owner, last)
    await settleDueAppeals(db.database)
    assert.equal(await stateOf(db.database, last), 'in_review')
    assert.equal(await reviewerOf(last), reviewer.id)
  })
})
