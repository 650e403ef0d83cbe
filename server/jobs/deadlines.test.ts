import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Database } from '#server/database/database.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { sendReviewReminders } from '#server/submissions/review-reminder.ts'
import { settleDueSubmissions } from '#server/submissions/settle-due.ts'
import { submitWork } from '#server/submissions/submit.ts'
import { addTask } from '#server/tasks/add.ts'
import { closeDueTasks } from '#server/tasks/close-due.ts'
import { deleteTask } from '#server/tasks/delete.ts'
import { atTime, later } from '#tests/support/clock.ts'
import { useDatabase } from '#tests/support/database.ts'
import {
  aBuyer,
  aPendingSubmission,
  aSubmission,
  aTask,
  atOnce,
  aWorker,
  balanceOf,
  dayFromNow,
  noAppeals,
  type TestUser,
  taskBody,
  testConfig,
} from '#tests/support/factories.ts'

const in8Days = later(new Date(), { days: 8 })

const settleDue = (database: Database) => settleDueSubmissions(database, testConfig)

describe('deadlines and review periods', () => {
  const db = useDatabase()
  const at = <Result>(moment: Date, work: (database: Database) => Promise<Result>) =>
    atTime(db.url, moment, work)

  async function notificationsOf({ id }: TestUser): Promise<string[]> {
    const { rows } = await db.database.pool.query<{ kind: string }>(
      'select kind from notifications where user_id = $1 order by id',
      [id],
    )
    return rows.map(({ kind }) => kind)
  }
  async function closeReasonOf(taskId: string): Promise<string | null> {
    const { rows } = await db.database.pool.query('select close_reason from tasks where id = $1', [taskId])
    return rows[0].close_reason
  }

  test('a task closes at its deadline: free slots are refunded, pending work stays, the buyer is notified once', async () => {
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(db.database, {
      reward: 20,
      slots: 5,
    })
    assert.equal(await balanceOf(db.database, buyer), 50)
    await closeDueTasks(db.database)
    assert.equal(await closeReasonOf(taskId), null)

    await at(in8Days, (database) => Promise.all([1, 2, 3].map(() => closeDueTasks(database))))
    assert.equal(await closeReasonOf(taskId), 'deadline')
    assert.equal(await balanceOf(db.database, buyer), 50 + 4 * 20)
    assert.deepEqual(await notificationsOf(buyer), ['work_received', 'task_closed'])

    await approveSubmission(db.database, submissionId, buyer.id)
    assert.equal(await balanceOf(db.database, worker), 10 + 20)
  })

  test('a task closes at the end of its deadline day in the marketplace’s time zone, also when clocks change', async () => {
    const zones = [
      // Far in the future, because a task cannot be posted with a deadline that has passed. In New York 7 November 2032 has
      // 25 hours and 14 March 23; in Dhaka and Kiritimati every day has 24.
      { timeZone: 'Asia/Dhaka', day: '2032-12-31', closes: '2032-12-31T18:00:00Z' },
      { timeZone: 'America/New_York', day: '2032-11-07', closes: '2032-11-08T05:00:00Z' },
      { timeZone: 'America/New_York', day: '2032-03-14', closes: '2032-03-15T04:00:00Z' },
      { timeZone: 'Pacific/Kiritimati', day: '2032-02-29', closes: '2032-02-29T10:00:00Z' },
    ]
    for (const { timeZone, day, closes } of zones) {
      const buyer = await aBuyer(db.database)
      const taskId = await addTask(db.database, { ...testConfig, timeZone }, buyer, taskBody({ day }), {})
      const end = new Date(closes)
      await at(later(end, { minutes: -1 }), closeDueTasks)
      assert.equal(await closeReasonOf(taskId), null, `${timeZone} ${day} is not over`)
      const worker = await aWorker(db.database)
      await at(later(end, { minutes: -1 }), (database) => aSubmission(database, taskId, worker))

      await assert.rejects(
        at(end, async (database) => aSubmission(database, taskId, await aWorker(db.database))),
        { message: 'deadline_passed' },
      )
      await at(end, closeDueTasks)
      assert.equal(await closeReasonOf(taskId), 'deadline', `${timeZone} ${day} is over`)
    }
  })

  test('concurrent deadline, submission and deletion refund each slot once', async () => {
    for (let round = 0; round < 8; round++) {
      const buyer = await aBuyer(db.database)
      const taskId = await aTask(db.database, buyer, { slots: 2, reward: 10, day: dayFromNow(1) })
      const worker = await aWorker(db.database)
      const { closes_at } = (
        await db.database.pool.query('select closes_at from tasks where id = $1', [taskId])
      ).rows[0]
      await Promise.allSettled([
        at(later(new Date(closes_at), { minutes: 1 }), closeDueTasks),
        at(later(new Date(closes_at), { minutes: -1 }), (database) =>
          submitWork(database, testConfig, worker, { taskId, text: 'In time' }, {}),
        ),
        at(later(new Date(closes_at), { minutes: -1 }), (database) =>
          deleteTask(database, taskId, { id: buyer.id, role: 'Buyer' }),
        ),
      ])
      const { rows } = await db.database.pool.query('select from submissions where task_id = $1', [taskId])
      assert.equal(await balanceOf(db.database, buyer), 50 - rows.length * 10)
    }
  })

  test('work without a decision is approved once after the review period, and both users are notified', async () => {
    const { buyer, worker, submissionId } = await aPendingSubmission(db.database, { reward: 30 })
    assert.equal(await settleDue(db.database), 0)
    await at(in8Days, (database) => atOnce(4, () => settleDue(database)))
    assert.equal(await balanceOf(db.database, worker), 10 + 30)
    assert.deepEqual(await notificationsOf(worker), ['submission_approved'])
    assert.deepEqual(await notificationsOf(buyer), ['work_received', 'approved_by_time'])
    await assert.rejects(
      rejectSubmission(db.database, noAppeals, submissionId, buyer.id, { reason: 'Too late' }),
      {
        message: 'already_decided.submission',
      },
    )
  })

  test('the review period of a task decides when its work is approved, whatever the marketplace has', async () => {
    const [buyer, worker] = [await aBuyer(db.database), await aWorker(db.database)]
    const task = { ...taskBody({ reward: 30, slots: 1 }), review_hours: 2 }
    const taskId = await addTask(db.database, testConfig, buyer, task, {})
    await aSubmission(db.database, taskId, worker)
    await at(later(new Date(), { hours: 1 }), settleDue)
    assert.equal(await balanceOf(db.database, worker), 10)
    await at(later(new Date(), { hours: 3 }), settleDue)
    assert.equal(await balanceOf(db.database, worker), 10 + 30)
  })

  test('concurrent automatic approval, decision and deletion make one decision and one payment', async () => {
    for (let round = 0; round < 10; round++) {
      const { buyer, worker, taskId, submissionId } = await aPendingSubmission(db.database, {
        reward: 25,
        slots: 2,
      })
      await at(in8Days, (database) =>
        Promise.allSettled([
          settleDue(database),
          round % 2 === 0
            ? approveSubmission(database, submissionId, buyer.id)
            : rejectSubmission(database, noAppeals, submissionId, buyer.id, { reason: 'Not this' }),
          deleteTask(database, taskId, { id: buyer.id, role: 'Buyer' }),
          closeDueTasks(database),
        ]),
      )
      const { status } = (
        await db.database.pool.query('select status from submissions where id = $1', [submissionId])
      ).rows[0]
      const paid = status === 'approved' ? 25 : 0
      assert.equal(await balanceOf(db.database, worker), 10 + paid)
      assert.equal(await balanceOf(db.database, buyer), 50 + 2 * 25 - paid)
    }
  })

  test('a buyer is reminded once, a day before, with one notification for all submissions', async () => {
    const { buyer, taskId } = await aPendingSubmission(db.database, { slots: 3 })
    await aSubmission(db.database, taskId, await aWorker(db.database))
    const now = new Date()
    await at(later(now, { days: 5, hours: 23 }), sendReviewReminders)
    assert.ok(!(await notificationsOf(buyer)).includes('review_near'))
    await at(later(now, { days: 6, minutes: 1 }), (database) =>
      Promise.all([sendReviewReminders(database), sendReviewReminders(database)]),
    )
    await at(later(now, { days: 6, hours: 12 }), sendReviewReminders)
    assert.equal((await notificationsOf(buyer)).filter((kind) => kind === 'review_near').length, 1)
    const { rows } = await db.database.pool.query(
      `select params from notifications where user_id = $1 and kind = 'review_near'`,
      [buyer.id],
    )
    assert.deepEqual(rows[0].params, { count: 2, title: 'Label ten photos' })
  })

  test('a buyer whose role has changed cannot review any more and is not reminded', async () => {
    const { buyer } = await aPendingSubmission(db.database)
    await db.database.pool.query(`update users set role = 'Worker' where id = $1`, [buyer.id])
    await at(later(new Date(), { days: 6, minutes: 1 }), sendReviewReminders)
    assert.ok(!(await notificationsOf(buyer)).includes('review_near'))
  })

  test('with a review period of two hours the reminder comes after one', async () => {
    const buyer = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer)
    const config = { ...testConfig, reviewDays: 2 / 24 }
    await submitWork(db.database, config, await aWorker(db.database), { taskId, text: 'Quick' }, {})
    const now = new Date()
    await at(later(now, { minutes: 55 }), sendReviewReminders)
    assert.ok(!(await notificationsOf(buyer)).includes('review_near'))
    await at(later(now, { minutes: 65 }), sendReviewReminders)
    assert.ok((await notificationsOf(buyer)).includes('review_near'))
  })

  test('after a month without a server each deadline is processed once, without late reminders', async () => {
    const submissions = await Promise.all(
      Array.from({ length: 12 }, () => aPendingSubmission(db.database, { reward: 10, slots: 4 })),
    )
    await at(later(new Date(), { days: 30 }), async (database) => {
      await Promise.all([
        closeDueTasks(database),
        settleDue(database),
        sendReviewReminders(database),
        closeDueTasks(database),
        settleDue(database),
      ])
    })
    for (const { buyer, worker } of submissions) {
      assert.equal(await balanceOf(db.database, buyer), 50 + 30)
      assert.equal(await balanceOf(db.database, worker), 20)
      assert.deepEqual((await notificationsOf(buyer)).sort(), [
        'approved_by_time',
        'task_closed',
        'work_received',
      ])
    }
  })

  test('a row that fails does not block the others and is reported', async () => {
    const good = await aPendingSubmission(db.database)
    const bad = await aPendingSubmission(db.database)
    await db.owner.query(`
      create function fail_one() returns trigger language plpgsql as $$ begin
        if new.id = '${bad.submissionId}' then raise exception 'planted failure'; end if; return new; end $$;
      create trigger fail_one before update on submissions for each row execute function fail_one()`)
    await assert.rejects(at(in8Days, settleDue), /1 failed and 1 were processed.*planted failure/)
    await db.owner.query('drop trigger fail_one on submissions')
    assert.equal(await balanceOf(db.database, good.worker), 20)
    assert.equal(await at(in8Days, settleDue), 1)
    assert.equal(await balanceOf(db.database, bad.worker), 20)
  })
})
