import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Database, Db } from '#server/database/database.ts'
import type { Viewer } from '#server/http/caller.ts'
import { purgeUnusedImages } from '#server/images/purge-unused.ts'
import type { ImageStore } from '#server/images/store.ts'
import { booksDifference } from '#server/stats/queries.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { approveSubmissions } from '#server/submissions/approve-many.ts'
import { payBonus } from '#server/submissions/bonus.ts'
import { acceptRejection, concedeRejection, reopenSlot } from '#server/submissions/end-dispute.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { rejectSubmissions } from '#server/submissions/reject-many.ts'
import { requestRevision } from '#server/submissions/revise.ts'
import { settleDueSubmissions } from '#server/submissions/settle-due.ts'
import { deleteTask } from '#server/tasks/delete.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
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
import { inOpenTransaction, lockWaits } from '#tests/support/lock-waits.ts'
import { makeDue, slotsLeft, stateOf } from '#tests/support/submissions.ts'
import { defendRejection, openAppeal } from './appeal.ts'
import { readCase } from './case.ts'
import { decideReviews } from './decide.ts'
import { presentReview } from './present.ts'
import { openReviewsOf } from './queries.ts'
import { assignReviews, settleDueAppeals } from './settle-due.ts'

const reject = (database: Database, submissionId: string, buyer: TestUser, reason = 'Not what I asked for') =>
  rejectSubmission(database, testConfig, submissionId, buyer.id, { reason, category: 'wrong' })
const appeal = (database: Database, submissionId: string, worker: TestUser) =>
  openAppeal(database, submissionId, worker.id, { text: 'It does what the task says.' })
const defend = (database: Database, submissionId: string, buyer: TestUser) =>
  defendRejection(database, submissionId, buyer.id, 'The third line is missing.')

describe('appeals', () => {
  const db = useDatabase()
  /** Asserts that the books balance with these transfer kinds. */
  afterEach(async () => assert.equal((await booksDifference(db.database)).difference, 0))

  async function reviewerOf(submissionId: string): Promise<string | null> {
    const { rows } = await db.database.pool.query(
      'select reviewer_id from reviews where submission_id = $1 and decided_at is null',
      [submissionId],
    )
    return rows[0]?.reviewer_id ?? null
  }

  async function aRejectedSubmission(options: Parameters<typeof aPendingSubmission>[1] = {}) {
    const made = await aPendingSubmission(db.database, options)
    await reject(db.database, made.submissionId, made.buyer)
    return made
  }
  async function aCase(options: Parameters<typeof aPendingSubmission>[1] = {}) {
    const made = await aRejectedSubmission(options)
    await appeal(db.database, made.submissionId, made.worker)
    await defend(db.database, made.submissionId, made.buyer)
    return made
  }
  const viewerOf = (user: TestUser): Viewer => ({ ...user, isReviewer: true, locale: 'en' })
  /** Leaves only these users as reviewers. */
  async function onlyReviewers(...reviewers: TestUser[]) {
    await db.owner.query(
      `update users set role = 'Worker', is_reviewer = false where role = 'Admin' or is_reviewer`,
    )
    await db.owner.query('update users set is_reviewer = true where id = any ($1)', [
      reviewers.map(({ id }) => id),
    ])
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

    await decide([upheld.submissionId], 'upheld')
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
    const forReviewer = await readCase(db.database, submissionId, viewerOf(reviewer))
    assert.deepEqual(
      [forReviewer.decides, forReviewer.taskId, forReviewer.buyer_name, forReviewer.worker_name],
      [true, null, null, null],
    )
    const queue = await openReviewsOf(db.database, reviewer.id, null, null, 10)
    const [review] = queue.map(presentReview)
    assert.equal(review?.caseId, submissionId)
    assert.ok(!JSON.stringify([forReviewer, review]).includes(taskId))
    assert.equal((await readCase(db.database, submissionId, viewerOf(admin))).taskId, taskId)
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
    await assignReviews(db.database)
    assert.equal(await reviewerOf(submissionId), other.id)
    assert.equal(await reviewerOf(elsewhere.submissionId), reviewer.id)
  })

  test('identical rejections of a task have one reviewer, others go to the reviewer with the fewest', async () => {
    const [first, second] = await Promise.all([aWorker(db.database), aWorker(db.database)])
    await onlyReviewers(first, second)
    const { buyer, taskId, submissionId, worker } = await aPendingSubmission(db.database, { slots: 4 })
    const others = await Promise.all(Array.from({ length: 3 }, () => aWorker(db.database)))
    const submissions = [submissionId]
    for (const other of others) submissions.push(await aSubmission(db.database, taskId, other))
    for (const [index, id] of submissions.entries()) {
      await reject(db.database, id, buyer)
      await appeal(db.database, id, [worker, ...others][index] as TestUser)
      await defend(db.database, id, buyer)
    }
    const reviewers = new Set(await Promise.all(submissions.map(reviewerOf)))
    assert.equal(reviewers.size, 1)
    const [reviewer = null] = reviewers
    const queue = await openReviewsOf(db.database, reviewer ?? '', null, null, 10)
    assert.deepEqual(new Set(queue.map((review) => review.case_id)), new Set([submissionId]))
    const elsewhere = await aCase()
    assert.ok(!reviewers.has(await reviewerOf(elsewhere.submissionId)))
  })

  test('a review without a decision goes to another reviewer, and is then paid', async () => {
    const [first, second] = await Promise.all([aWorker(db.database), aWorker(db.database)])
    await onlyReviewers(first, second)
    const { buyer, worker, submissionId, reward } = await aCase()
    const before = await reviewerOf(submissionId)
    await makeDue(db.owner, submissionId)
    await db.owner.query('delete from outbox')
    await settleDueAppeals(db.database)
    const { rows } = await db.owner.query(
      `select user_id from outbox where payload ->> 'topic' = 'submissions'`,
    )
    assert.deepEqual(new Set(rows.map(({ user_id }) => user_id)), new Set([buyer.id, worker.id]))
    const after = await reviewerOf(submissionId)
    assert.notEqual(after, before)
    assert.ok([first.id, second.id].includes(after ?? ''))
    await makeDue(db.owner, submissionId)
    await settleDueAppeals(db.database)
    assert.equal(await stateOf(db.database, submissionId), 'approved')
    assert.equal(await balanceOf(db.database, worker), 10 + reward)
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

  test('a buyer who rejected more than the limit needs a reviewer for each rejection', async () => {
    const reviewer = await aWorker(db.database)
    await onlyReviewers(reviewer)
    const { buyer, taskId, submissionId } = await aPendingSubmission(db.database, { slots: 12, reward: 2 })
    const submissions = [submissionId]
    for (let n = 1; n < 12; n++)
      submissions.push(await aSubmission(db.database, taskId, await aWorker(db.database)))
    for (const id of submissions) await reject(db.database, id, buyer)
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
      const { buyer, taskId, submissionId } = await aPendingSubmission(db.database, { slots: 16, reward: 2 })
      const submissions = [submissionId]
      for (let n = 1; n < 16; n++)
        submissions.push(await aSubmission(db.database, taskId, await aWorker(db.database)))
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
    const { buyer, taskId, submissionId } = await aPendingSubmission(db.database, { slots: 31, reward: 2 })
    const submissions = [submissionId]
    for (let n = 1; n < 31; n++)
      submissions.push(await aSubmission(db.database, taskId, await aWorker(db.database)))
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

  test('a rejection beside another one counts it', async () => {
    const { buyer, taskId, submissionId } = await aPendingSubmission(db.database, { slots: 11, reward: 2 })
    const submissions = [submissionId]
    for (let n = 1; n < 11; n++)
      submissions.push(await aSubmission(db.database, taskId, await aWorker(db.database)))
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
    const { buyer, taskId, submissionId } = await aPendingSubmission(db.database, { slots: 11, reward: 2 })
    const submissions = [submissionId]
    for (let n = 1; n < 11; n++)
      submissions.push(await aSubmission(db.database, taskId, await aWorker(db.database)))
    for (const id of submissions) await reject(db.database, id, buyer)
    const last = submissions[10] as string
    await makeDue(db.owner, last)
    await settleDueAppeals(db.database)
    assert.equal(await stateOf(db.database, last), 'in_review')
    assert.equal(await reviewerOf(last), reviewer.id)
  })

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
