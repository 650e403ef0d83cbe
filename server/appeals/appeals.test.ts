import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Viewer } from '#server/http/caller.ts'
import { purgeUnusedImages } from '#server/images/purge-unused.ts'
import type { ImageStore } from '#server/images/store.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { payBonus } from '#server/submissions/bonus.ts'
import {
  acceptRejection,
  concedeRejection,
  reopenSlot,
  reverseRejection,
} from '#server/submissions/end-dispute.ts'
import { requestRevision } from '#server/submissions/revise.ts'
import { settleDueSubmissions } from '#server/submissions/settle-due.ts'
import { deleteTask } from '#server/tasks/delete.ts'
import { deleteUser } from '#server/users/delete.ts'
import { appeal, defend, reject, useAppeals } from '#tests/support/appeals.ts'
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
import { openAppeal } from './appeal.ts'
import { readCase } from './case.ts'
import { decideReviews } from './decide.ts'
import { presentReview } from './present.ts'
import { openReviewsOf } from './queries.ts'
import { assignReviews, sendReviewerReminders, settleDueAppeals } from './settle-due.ts'
import { readAppealStatistics } from './statistics.ts'

describe('appeals', () => {
  const { db, reviewerOf, aRejectedSubmission, aCase, onlyReviewers } = useAppeals()

  const viewerOf = (user: TestUser): Viewer => ({ ...user, isReviewer: true, locale: 'en' })
  /** Returns the users who get an event of submissions without a notification. */
  async function usersWithEvents(): Promise<Set<string | null>> {
    const { rows } = await db.owner.query(
      `select user_id from outbox where payload ->> 'topic' = 'submissions'`,
    )
    return new Set(rows.map(({ user_id }) => user_id))
  }

  /** Makes rejections of one task with the same category and reason, which are appealed and defended. Returns the submissions. */
  async function aCaseOf(count: number): Promise<string[]> {
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(db.database, { slots: count })
    const workers = [worker]
    const submissions = [submissionId]
    while (submissions.length < count) {
      const other = await aWorker(db.database)
      workers.push(other)
      submissions.push(await aSubmission(db.database, taskId, other))
    }
    for (const [index, id] of submissions.entries()) {
      await reject(db.database, id, buyer)
      await appeal(db.database, id, workers[index] as TestUser)
      await defend(db.database, id, buyer)
    }
    return submissions
  }

  test('a buyer with one slot who rejects everything gets work of only one worker in seven days', async () => {
    const buyer = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer, { slots: 1, reward: 50 })
    const workers = await Promise.all(Array.from({ length: 20 }, () => aWorker(db.database)))
    const taken: string[] = []
    for (const worker of workers) {
      const result = await Promise.allSettled([aSubmission(db.database, taskId, worker)])
      if (result[0].status === 'fulfilled') {
        taken.push(result[0].value)
        await reject(db.database, result[0].value, buyer)
      }
    }
    assert.equal(taken.length, 1)
    const { refund } = await deleteTask(db.database, taskId, buyer)
    assert.equal(refund, 0)
    assert.equal(await balanceOf(db.database, buyer), 0)

    // The worker appeals, the buyer does not respond: the work is paid.
    await appeal(db.database, taken[0] as string, workers[0] as TestUser)
    await makeDue(db.owner, taken[0] as string)
    assert.equal(await settleDueAppeals(db.database), 1)
    assert.equal(await balanceOf(db.database, workers[0] as TestUser), 10 + 50)
  })

  test('a rejection keeps its coins and its slot until the appeal window ends', async () => {
    const { buyer, worker, taskId, submissionId } = await aRejectedSubmission({ reward: 10, slots: 3 })
    assert.equal(await stateOf(db.database, submissionId), 'rejection_open')
    assert.equal(await slotsLeft(db.database, taskId), 2)
    await assert.rejects(approveSubmission(db.database, submissionId, buyer.id), {
      message: 'already_decided.submission',
    })
    assert.equal(await reject(db.database, submissionId, buyer, 'Another reason'), 1)

    await makeDue(db.owner, submissionId)
    assert.equal(await settleDueSubmissions(db.database, testConfig), 1)
    assert.equal(await stateOf(db.database, submissionId), 'rejected')
    assert.equal(await slotsLeft(db.database, taskId), 3)
    assert.equal(await balanceOf(db.database, worker), 10)
    await assert.rejects(appeal(db.database, submissionId, worker), { message: 'state_conflict.submission' })
  })

  test('a worker accepts a rejection, which frees the slot at once', async () => {
    const { worker, taskId, submissionId } = await aRejectedSubmission({ slots: 1 })
    await acceptRejection(db.database, submissionId, worker.id)
    assert.equal(await stateOf(db.database, submissionId), 'rejected')
    assert.equal(await slotsLeft(db.database, taskId), 1)
  })

  test('pictures of an appeal are uploaded ones, and are kept while unused ones are deleted', async () => {
    const { worker, submissionId } = await aRejectedSubmission({ slots: 1 })
    const url = 'http://localhost:3000/images/appeal.webp'
    await db.owner.query(
      'insert into identities (id, name, email, email_key) values ($1, $2, $2, $2) on conflict do nothing',
      [worker.id, worker.email],
    )
    await db.owner.query(
      `insert into images (hash, url, thumb_url, uploader, uploaded_at) values
         ($1, $3, $3, $4, now() - interval '9 days'), ($2, $3 || '2', $3 || '2', $4, now() - interval '9 days')`,
      ['a'.repeat(40), 'b'.repeat(40), url, worker.id],
    )
    const withPicture = (picture: string) =>
      openAppeal(db.database, submissionId, worker.id, { text: 'Look at it.', pictures: [picture] })
    await assert.rejects(withPicture('https://elsewhere.example.com/x.png'), { message: 'invalid_image' })
    await withPicture(url)
    const removed: string[] = []
    const store = { remove: async (hash: string) => void removed.push(hash) } as ImageStore
    await purgeUnusedImages(db.database, store, testConfig.appealDays)
    assert.deepEqual(removed, ['b'.repeat(40)])
  })

  test('a buyer concedes an appeal and the worker is paid once, however often it is sent', async () => {
    const { buyer, worker, submissionId, reward } = await aRejectedSubmission()
    await appeal(db.database, submissionId, worker)
    const { good, codes } = outcomes(
      await atOnce(8, () => concedeRejection(db.database, submissionId, buyer.id)),
    )
    assert.equal(good, 1)
    assert.deepEqual(new Set(codes), new Set(['state_conflict']))
    assert.equal(await balanceOf(db.database, worker), 10 + reward)
  })

  test('the reviewer of a rejection that is withdrawn gets an event', async () => {
    const reviewer = await aWorker(db.database)
    await onlyReviewers(reviewer)
    const { buyer, submissionId } = await aCase()
    await db.owner.query('delete from outbox')
    await concedeRejection(db.database, submissionId, buyer.id)
    assert.ok((await usersWithEvents()).has(reviewer.id))
  })

  test('a neutral reviewer who upholds a rejection frees the slot; one who overturns it pays the worker', async () => {
    const reviewer = await anAdmin(db.database)
    await onlyReviewers(reviewer)
    const upheld = await aCase({ slots: 1 })
    const overturned = await aCase({ slots: 1 })
    for (const { submissionId } of [upheld, overturned])
      assert.equal(await reviewerOf(submissionId), reviewer.id)
    const decide = (submissions: string[], decision: 'upheld' | 'overturned') =>
      decideReviews(db.database, testConfig, reviewer.id, {
        submissions,
        decision,
        reason: 'I compared both.',
      })

    await db.owner.query('delete from outbox')
    await decide([upheld.submissionId], 'upheld')
    assert.ok((await usersWithEvents()).has(reviewer.id))
    assert.equal(await slotsLeft(db.database, upheld.taskId), 1)
    assert.equal(await balanceOf(db.database, upheld.worker), 10)
    await decide([overturned.submissionId], 'overturned')
    assert.equal(await balanceOf(db.database, overturned.worker), 10 + overturned.reward)
    await assert.rejects(decide([overturned.submissionId], 'upheld'), { message: 'already_decided.review' })

    const { rows } = await db.database.pool.query(
      `select content::jsonb->>'act' as act from admin_audit_log where content::jsonb->>'admin' = $1`,
      [reviewer.id],
    )
    assert.deepEqual(
      rows.map(({ act }) => act),
      ['review_decided', 'review_decided'],
    )
  })

  test('a reviewer sees neither names nor the id of the task, an Admin sees the task', async () => {
    const admin = await anAdmin(db.database)
    const reviewer = await aWorker(db.database)
    await onlyReviewers(reviewer)
    const { taskId, submissionId } = await aCase()
    const forReviewer = await readCase(db.database, submissionId, viewerOf(reviewer), null)
    assert.deepEqual(
      [forReviewer.decides, forReviewer.taskId, forReviewer.buyer_name, forReviewer.worker_name],
      [true, null, null, null],
    )
    const queue = await openReviewsOf(db.database, reviewer.id, null, null, null, 10)
    const [review] = queue.map(presentReview)
    assert.equal(review?.caseId, submissionId)
    assert.ok(!JSON.stringify([forReviewer, review]).includes(taskId))
    assert.equal((await readCase(db.database, submissionId, viewerOf(admin), null)).taskId, taskId)
    await decideReviews(db.database, testConfig, reviewer.id, {
      submissions: [submissionId],
      decision: 'upheld',
      reason: 'The third line is missing.',
    })
  })

  test('nobody reviews a case of their own task or work', async () => {
    const { buyer, worker, taskId, submissionId } = await aRejectedSubmission({ slots: 3 })
    const colleague = await aWorker(db.database)
    await aSubmission(db.database, taskId, colleague)
    await onlyReviewers(buyer, worker, colleague)
    await appeal(db.database, submissionId, worker)
    await defend(db.database, submissionId, buyer)
    assert.equal(await reviewerOf(submissionId), null)
    for (const { id } of [buyer, worker, colleague]) {
      await assert.rejects(
        decideReviews(db.database, testConfig, id, {
          submissions: [submissionId],
          decision: 'upheld',
          reason: 'Mine',
        }),
        { message: 'not_yours.review_side' },
      )
    }
    const neutral = await aWorker(db.database)
    await db.owner.query('update users set is_reviewer = true where id = $1', [neutral.id])
    assert.equal(await assignReviews(db.database), 1)
    assert.equal(await reviewerOf(submissionId), neutral.id)
  })

  test('a reviewer who submits work on the same task later is replaced', async () => {
    const [reviewer, other] = [await aWorker(db.database), await aWorker(db.database)]
    await onlyReviewers(reviewer)
    const { taskId, submissionId } = await aCase({ slots: 2 })
    const elsewhere = await aCase()
    await onlyReviewers(reviewer, other)
    await aSubmission(db.database, taskId, reviewer)
    await db.owner.query('delete from outbox')
    await assignReviews(db.database)
    assert.ok((await usersWithEvents()).has(reviewer.id))
    assert.equal(await reviewerOf(submissionId), other.id)
    assert.equal(await reviewerOf(elsewhere.submissionId), reviewer.id)
  })

  test('identical rejections of a task have one reviewer, others go to the reviewer with the fewest', async () => {
    const [first, second] = await Promise.all([aWorker(db.database), aWorker(db.database)])
    await onlyReviewers(first, second)
    const submissions = await aCaseOf(4)
    const [submissionId] = submissions
    const reviewers = new Set(await Promise.all(submissions.map(reviewerOf)))
    assert.equal(reviewers.size, 1)
    const [reviewer = null] = reviewers
    const queue = await openReviewsOf(db.database, reviewer ?? '', null, null, null, 10)
    assert.deepEqual(new Set(queue.map((review) => review.case_id)), new Set([submissionId]))
    assert.deepEqual(new Set(queue.map((review) => review.case_size)), new Set([4]))
    const elsewhere = await aCase()
    assert.ok(!reviewers.has(await reviewerOf(elsewhere.submissionId)))

    await db.owner.query('update reviews set reviewer_id = $1 where submission_id = $2', [
      reviewer,
      elsewhere.submissionId,
    ])
    const caseOf = async (id: string) =>
      (await openReviewsOf(db.database, reviewer ?? '', id, null, null, 10)).map((review) => review.id)
    assert.deepEqual((await caseOf(submissions[2] ?? '')).toSorted(), submissions.toSorted())
    assert.deepEqual(await caseOf(elsewhere.submissionId), [elsewhere.submissionId])
  })

  test('a case of several submissions is one case for its reviewer', async () => {
    const [first, second] = await Promise.all([aWorker(db.database), aWorker(db.database)])
    await onlyReviewers(first)
    await aCaseOf(3)
    await onlyReviewers(second)
    await aCase()
    await aCase()
    await onlyReviewers(first, second)
    const { submissionId: next } = await aCase()
    assert.equal(await reviewerOf(next), first.id)
  })

  test('a review without a decision goes to another reviewer, and is then paid', async () => {
    const [first, second] = await Promise.all([aWorker(db.database), aWorker(db.database)])
    await onlyReviewers(first, second)
    const { buyer, worker, submissionId, reward } = await aCase()
    const before = await reviewerOf(submissionId)
    const roundOf = async () => (await readCase(db.database, submissionId, viewerOf(worker), null)).round
    assert.equal(await roundOf(), 1)
    await makeDue(db.owner, submissionId)
    await db.owner.query('delete from outbox')
    await settleDueAppeals(db.database)
    assert.equal(await roundOf(), 2)
    assert.deepEqual(await usersWithEvents(), new Set([buyer.id, worker.id, before]))
    const after = await reviewerOf(submissionId)
    assert.notEqual(after, before)
    assert.ok([first.id, second.id].includes(after ?? ''))
    await makeDue(db.owner, submissionId)
    await settleDueAppeals(db.database)
    assert.equal(await stateOf(db.database, submissionId), 'approved')
    assert.equal(await roundOf(), null)
    assert.equal(await balanceOf(db.database, worker), 10 + reward)
  })

  test('the case shows reopened slots, a second reviewer, a reversal and a bonus', async () => {
    const [first, second] = await Promise.all([aWorker(db.database), aWorker(db.database)])
    await onlyReviewers(first, second)
    const { buyer, worker, submissionId, reward } = await aCase({ slots: 1 })
    await reopenSlot(db.database, submissionId, buyer.id)
    await makeDue(db.owner, submissionId)
    await settleDueAppeals(db.database)
    await decideReviews(db.database, testConfig, (await reviewerOf(submissionId)) ?? '', {
      submissions: [submissionId],
      decision: 'upheld',
      reason: 'The third line is missing.',
    })
    await reverseRejection(db.database, submissionId, buyer.id)
    await payBonus(db.database, submissionId, buyer.id, { coins: 5, message: 'Thank you!' })
    const { steps } = await readCase(db.database, submissionId, viewerOf(worker), null)
    assert.deepEqual(
      steps.map(({ step, decidedBy, coins }) => [step, decidedBy, coins]),
      [
        ['submitted', null, null],
        ['rejected', null, null],
        ['appealed', null, null],
        ['defended', null, null],
        ['slot_reopened', null, reward],
        ['second_review', null, null],
        ['review_upheld', null, null],
        ['rejection_final', 'reviewer', null],
        ['slot_refunded', null, reward],
        ['approved', 'reversal', null],
        ['bonus', null, 5],
      ],
    )
    assert.equal(steps.at(-1)?.text, 'Thank you!')
  })

  test('the case shows that a revision was not submitted in time', async () => {
    const { buyer, worker, submissionId } = await aPendingSubmission(db.database)
    await requestRevision(db.database, submissionId, buyer.id, 'Please add the date.')
    await db.owner.query(`update submissions set created_at = created_at - interval '5 days' where id = $1`, [
      submissionId,
    ])
    await db.owner.query(
      `update submission_revisions set requested_at = requested_at - interval '4 days' where submission_id = $1`,
      [submissionId],
    )
    const stepsNow = async () =>
      (await readCase(db.database, submissionId, viewerOf(worker), null)).steps.map(({ step }) => step)
    assert.deepEqual(await stepsNow(), ['submitted', 'revision_requested'])
    await makeDue(db.owner, submissionId)
    await settleDueSubmissions(db.database, testConfig)
    assert.deepEqual(await stepsNow(), ['submitted', 'revision_requested', 'revision_missed'])
  })

  test('who takes over a review in its last hour is reminded, and has not missed it', async () => {
    const [first, second] = await Promise.all([aWorker(db.database), aWorker(db.database)])
    await onlyReviewers(first)
    const { submissionId } = await aCase()
    const dueIn = (time: string) =>
      db.owner.query(
        `update submissions set state_since = clock_time() - interval '5 days', due_at = clock_time() + $2::interval where id = $1`,
        [submissionId, time],
      )
    const remindersOf = async ({ id }: TestUser) =>
      (await db.owner.query(`select from notifications where user_id = $1 and kind = 'deadline_near'`, [id]))
        .rowCount
    await dueIn('1 hour')
    await sendReviewerReminders(db.database)
    await onlyReviewers(second)
    await assignReviews(db.database)
    await sendReviewerReminders(db.database)
    await sendReviewerReminders(db.database)
    assert.deepEqual([await remindersOf(first), await remindersOf(second)], [1, 1])

    await dueIn('0')
    await settleDueAppeals(db.database)
    assert.equal(await reviewerOf(submissionId), second.id)
    await dueIn('0')
    await settleDueAppeals(db.database)
    assert.equal(await stateOf(db.database, submissionId), 'approved')
    const { reviewers } = await readAppealStatistics(db.database, testConfig)
    assert.equal(reviewers.find(({ _id }) => _id === second.id)?.missed ?? 0, 0)
  })

  test('a case without any reviewer is paid after both periods', async () => {
    await onlyReviewers()
    const { worker, submissionId, reward } = await aCase()
    for (const _ of [1, 2]) {
      await makeDue(db.owner, submissionId)
      await settleDueAppeals(db.database)
    }
    assert.equal(await balanceOf(db.database, worker), 10 + reward)
  })

  test('after five lost appeals of ten a worker has one open appeal at a time', async () => {
    const worker = await aWorker(db.database)
    for (let n = 0; n < 5; n++) {
      const buyer = await aBuyer(db.database)
      const id = await aSubmission(db.database, await aTask(db.database, buyer, { slots: 1 }), worker)
      await reject(db.database, id, buyer)
      await appeal(db.database, id, worker)
      await db.owner.query(
        `update submissions set status = 'rejected', decided_at = now(), decided_by = 'reviewer' where id = $1`,
        [id],
      )
      await db.owner.query(`select free_slot(task_id, id) from submissions where id = $1`, [id])
    }
    const open = []
    for (let n = 0; n < 3; n++) {
      const buyer = await aBuyer(db.database)
      const id = await aSubmission(db.database, await aTask(db.database, buyer, { slots: 1 }), worker)
      await reject(db.database, id, buyer)
      open.push(id)
    }
    const { good, codes } = outcomes(
      await Promise.allSettled(open.map((id) => appeal(db.database, id, worker))),
    )
    assert.equal(good, 1)
    assert.deepEqual(codes, ['state_conflict', 'state_conflict'])
  })

  test('deleting the buyer pays work in every state, deleting the worker frees its slot', async () => {
    const admin = await anAdmin(db.database)
    for (const gone of ['buyer', 'worker'] as const) {
      const steps = [
        (made: Awaited<ReturnType<typeof aPendingSubmission>>) =>
          requestRevision(db.database, made.submissionId, made.buyer.id, 'Please add the date.'),
        (made: Awaited<ReturnType<typeof aPendingSubmission>>) =>
          reject(db.database, made.submissionId, made.buyer),
        async (made: Awaited<ReturnType<typeof aPendingSubmission>>) => {
          await reject(db.database, made.submissionId, made.buyer)
          await reopenSlot(db.database, made.submissionId, made.buyer.id)
          await appeal(db.database, made.submissionId, made.worker)
        },
        async (made: Awaited<ReturnType<typeof aPendingSubmission>>) => {
          await reject(db.database, made.submissionId, made.buyer)
          await appeal(db.database, made.submissionId, made.worker)
          await defend(db.database, made.submissionId, made.buyer)
        },
      ]
      for (const step of steps) {
        const made = await aPendingSubmission(db.database, { slots: 2 })
        await step(made)
        await deleteUser(db.database, made[gone].id, admin.id)
        assert.equal(
          await stateOf(db.database, made.submissionId),
          gone === 'buyer' ? 'approved' : 'rejected',
        )
        if (gone === 'buyer') assert.equal(await balanceOf(db.database, made.worker), 10 + made.reward)
        else assert.equal(await slotsLeft(db.database, made.taskId), 2)
      }
    }
  })
})
