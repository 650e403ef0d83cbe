import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { approveSubmission } from '#server/submissions/approve.ts'
import { payBonus } from '#server/submissions/bonus.ts'
import { concedeRejection } from '#server/submissions/end-dispute.ts'
import { settleDueSubmissions } from '#server/submissions/settle-due.ts'
import { appeal, defend, reject, useAppeals } from '#tests/support/appeals.ts'
import { eventually } from '#tests/support/eventually.ts'
import {
  aBuyer,
  aPendingSubmission,
  aSubmission,
  aTask,
  aWorker,
  balanceOf,
  outcomes,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { inOpenTransaction, lockWaits } from '#tests/support/lock-waits.ts'
import { makeDue, slotsLeft, stateOf } from '#tests/support/submissions.ts'
import { decideReviews } from './decide.ts'

describe('appeals at the same time as other changes', () => {
  const { db, aRejectedSubmission, aCase, onlyReviewers } = useAppeals()

  test('an appeal and a bonus that wait for the deletion of their worker hold no lock that it needs', async () => {
    const rejected = await aRejectedSubmission()
    const approved = await aPendingSubmission(db.database)
    await approveSubmission(db.database, approved.submissionId, approved.buyer.id)
    const bonus = { coins: 1, message: '' }
    for (const [{ worker, taskId }, act] of [
      [rejected, () => appeal(db.database, rejected.submissionId, rejected.worker)],
      [approved, () => payBonus(db.database, approved.submissionId, approved.buyer.id, bonus)],
    ] as const) {
      await inOpenTransaction(db.owner, async (deletion) => {
        await deletion.query('select from users where id = $1 for no key update', [worker.id])
        const acting = act()
        await eventually(async () => (await lockWaits(db.owner)) === 1)
        await deletion.query('select from tasks where id = $1 for no key update nowait', [taskId])
        await deletion.query('commit')
        await acting
      })
    }
  })

  test('appeal and expiry of its window: one wins', async () => {
    for (let round = 0; round < 6; round++) {
      const { worker, taskId, submissionId } = await aRejectedSubmission({ slots: 1 })
      await makeDue(db.owner, submissionId)
      await Promise.allSettled([
        appeal(db.database, submissionId, worker),
        settleDueSubmissions(db.database, testConfig),
      ])
      const state = await stateOf(db.database, submissionId)
      assert.ok(['appealed', 'rejected'].includes(state), state)
      assert.equal(await slotsLeft(db.database, taskId), state === 'rejected' ? 1 : 0)
    }
  })

  test('concession and decision of the reviewer: one wins', async () => {
    const reviewer = await aWorker(db.database)
    await onlyReviewers(reviewer)
    for (let round = 0; round < 6; round++) {
      const { buyer, worker, submissionId, reward } = await aCase({ slots: 1 })
      const results = await Promise.allSettled([
        concedeRejection(db.database, submissionId, buyer.id),
        decideReviews(db.database, testConfig, reviewer.id, {
          submissions: [submissionId],
          decision: 'upheld',
          reason: 'It is wrong.',
        }),
      ])
      assert.equal(outcomes(results).good, 1)
      const paid = results[0].status === 'fulfilled' ? reward : 0
      assert.equal(await balanceOf(db.database, worker), 10 + paid)
    }
  })

  /** Two reviews of a reviewer. The first submission is on the second task. */
  async function twoReviews() {
    const reviewer = await aWorker(db.database)
    await onlyReviewers(reviewer)
    const buyer = await aBuyer(db.database, { coins: 100 })
    const tasks = [
      await aTask(db.database, buyer, { reward: 10, slots: 1 }),
      await aTask(db.database, buyer, { reward: 10, slots: 1 }),
    ]
    const workers = [await aWorker(db.database), await aWorker(db.database)]
    const submissions: string[] = []
    for (const [index, worker] of workers.entries()) {
      const id = await aSubmission(db.database, tasks[1 - index] as string, worker)
      await reject(db.database, id, buyer)
      await appeal(db.database, id, worker)
      await defend(db.database, id, buyer)
      submissions.push(id)
    }
    return { reviewer, tasks, workers, submissions }
  }

  /** Pays both while another transaction has locked something. Returns whether that transaction gets another lock meanwhile. */
  async function decideWhileLocked(
    { reviewer, submissions }: Awaited<ReturnType<typeof twoReviews>>,
    lock: string,
    tryLock: string,
  ): Promise<boolean> {
    return inOpenTransaction(db.owner, async (client) => {
      await client.query(lock)
      const decided = decideReviews(db.database, testConfig, reviewer.id, {
        submissions,
        decision: 'overturned',
        reason: 'I compared both.',
      })
      await eventually(async () => (await lockWaits(db.owner)) === 1)
      const { rows } = await client.query(tryLock)
      await client.query('rollback')
      await decided
      return rows[0]?.locked === true
    })
  }

  test('a decision about several tasks locks them by id, like other changes of several tasks', async () => {
    const reviews = await twoReviews()
    const [first, second] = reviews.tasks
    const ofTask = (id = '') => `from tasks where id = '${id}' for no key update`
    assert.ok(
      await decideWhileLocked(
        reviews,
        `select ${ofTask(first)}`,
        `select true as locked ${ofTask(second)} skip locked`,
      ),
    )
  })

  test('a decision about several submissions locks the audit log last', async () => {
    const reviews = await twoReviews()
    const [first, second] = reviews.workers as [TestUser, TestUser]
    assert.ok(
      await decideWhileLocked(
        reviews,
        `select from ledger_accounts where id = ${second.accountId} for no key update`,
        'select pg_try_advisory_xact_lock(7461070) as locked',
      ),
    )
    for (const worker of [first, second]) assert.equal(await balanceOf(db.database, worker), 10 + 10)
    const { rows } = await db.database.pool.query(
      `select content::jsonb->>'subject' as subject from admin_audit_log where content::jsonb->>'admin' = $1 order by id`,
      [reviews.reviewer.id],
    )
    assert.deepEqual(
      rows.map(({ subject }) => subject),
      reviews.submissions,
    )
  })
})
