import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { searchWords } from '#server/database/search-words.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { requestRevision } from '#server/submissions/revise.ts'
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
  taskBody,
  testConfig,
} from '#tests/support/factories.ts'
import { slotsLeft } from '#tests/support/submissions.ts'
import { addTask } from './add.ts'
import { confirmRefund } from './confirm-refund.ts'
import { deleteTask } from './delete.ts'
import { listTasks } from './list.ts'
import { updateTask } from './update.ts'

describe('tasks', () => {
  const db = useDatabase()
  test('deletion refunds free slots; approved work stays paid and pending work can still be reviewed', async () => {
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(db.database, {
      slots: 3,
      reward: 10,
    })
    const second = await aWorker(db.database)
    const paid = await aSubmission(db.database, taskId, second)
    await approveSubmission(db.database, paid, buyer.id)

    const deletion = await deleteTask(db.database, taskId, buyer)
    assert.deepEqual(deletion, { deleted: 1, completed: false, refund: 10 })
    assert.equal(await balanceOf(db.database, buyer), 50 + 10)
    assert.equal(await balanceOf(db.database, second), 20)

    await approveSubmission(db.database, submissionId, buyer.id)
    assert.equal(await balanceOf(db.database, worker), 20)
    assert.deepEqual(await deleteTask(db.database, taskId, buyer), { deleted: 0, completed: true, refund: 0 })
  })

  test('rejecting work of a closed task refunds its coins to the buyer instead of freeing a slot', async () => {
    const { buyer, taskId, submissionId } = await aPendingSubmission(db.database, { slots: 1, reward: 10 })
    await deleteTask(db.database, taskId, buyer)
    assert.equal(await balanceOf(db.database, buyer), 50)
    const results = await atOnce(8, () =>
      rejectSubmission(db.database, noAppeals, submissionId, buyer.id, { reason: 'No' }),
    )
    assert.equal(outcomes(results).good, 8)
    assert.equal(await balanceOf(db.database, buyer), 60)
  })

  test('repeated rejections free the slot once', async () => {
    const { buyer, taskId, submissionId } = await aPendingSubmission(db.database, { slots: 2 })
    await atOnce(10, () => rejectSubmission(db.database, noAppeals, submissionId, buyer.id, { reason: '' }))
    assert.equal(await slotsLeft(db.database, taskId), 2)
  })

  test('a worker may submit again after a rejection, but not while work is pending', async () => {
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(db.database)
    await assert.rejects(aSubmission(db.database, taskId, worker), { message: 'already_submitted' })
    await rejectSubmission(db.database, noAppeals, submissionId, buyer.id, { reason: 'Please add the code' })
    await aSubmission(db.database, taskId, worker)
    await assert.rejects(approveSubmission(db.database, submissionId, buyer.id), {
      message: 'already_decided.submission',
    })
  })

  test('ten concurrent submissions of one worker take one slot', async () => {
    const buyer = await aBuyer(db.database, { coins: 100 })
    const taskId = await aTask(db.database, buyer, { slots: 10, reward: 5 })
    const worker = await aWorker(db.database)
    const { good } = outcomes(await atOnce(10, () => aSubmission(db.database, taskId, worker)))
    assert.equal(good, 1)
    assert.equal(await slotsLeft(db.database, taskId), 9)
  })

  test('three of a hundred concurrent workers get the three slots', async () => {
    const buyer = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer, { slots: 3, reward: 10 })
    const workers = await Promise.all(Array.from({ length: 100 }, () => aWorker(db.database)))
    const { good } = outcomes(
      await Promise.allSettled(workers.map((one) => aSubmission(db.database, taskId, one))),
    )
    assert.equal(good, 3)
    assert.equal(await slotsLeft(db.database, taskId), 0)
  })

  test('concurrent deletion and submission refund the slot or hold it, never both', async () => {
    for (let round = 0; round < 15; round++) {
      const buyer = await aBuyer(db.database)
      const worker = await aWorker(db.database)
      const taskId = await aTask(db.database, buyer, { slots: 1, reward: 50 })
      const [deletion, submission] = await Promise.allSettled([
        deleteTask(db.database, taskId, buyer),
        aSubmission(db.database, taskId, worker),
      ])
      assert.equal(deletion.status, 'fulfilled')
      assert.equal(await balanceOf(db.database, buyer), submission.status === 'fulfilled' ? 0 : 50)
    }
  })

  test('concurrent deletion, rejection and approval lose no coin', async () => {
    for (let round = 0; round < 10; round++) {
      const { buyer, worker, taskId, submissionId } = await aPendingSubmission(db.database, {
        slots: 2,
        reward: 20,
      })
      await Promise.allSettled([
        rejectSubmission(db.database, noAppeals, submissionId, buyer.id, { reason: '' }),
        deleteTask(db.database, taskId, buyer),
        approveSubmission(db.database, submissionId, buyer.id),
      ])
      assert.equal(
        (await balanceOf(db.database, buyer)) + (await balanceOf(db.database, worker)),
        50 + 40 + 10,
      )
    }
  })

  test("another buyer's task cannot be changed or deleted; an Admin deletes it and its owner gets the refund", async () => {
    const buyer = await aBuyer(db.database)
    const stranger = await aBuyer(db.database)
    const admin = await anAdmin(db.database)
    const taskId = await aTask(db.database, buyer, { slots: 2, reward: 10 })
    const edit = { task_title: 'x', task_detail: 'x', submission_info: 'x' }
    const refused = async (code: string) => {
      await assert.rejects(deleteTask(db.database, taskId, stranger), { message: code })
      await assert.rejects(updateTask(db.database, taskId, stranger.id, edit), { message: code })
    }
    await refused('not_yours')
    assert.equal((await deleteTask(db.database, taskId, admin)).refund, 20)
    await refused('task_not_found')
    assert.equal(await balanceOf(db.database, buyer), 50)
    assert.equal(await balanceOf(db.database, admin), 0)
  })

  test('an Admin who deletes a task notifies workers whose work still waits for its review, and no others', async () => {
    const { buyer, worker, taskId } = await aPendingSubmission(db.database, { slots: 3 })
    const [reviewed, revising] = [await aWorker(db.database), await aWorker(db.database)]
    const rejected = await aSubmission(db.database, taskId, reviewed)
    await rejectSubmission(db.database, testConfig, rejected, buyer.id, { reason: 'No' })
    await requestRevision(
      db.database,
      await aSubmission(db.database, taskId, revising),
      buyer.id,
      'Please add the date.',
    )
    await deleteTask(db.database, taskId, await anAdmin(db.database))
    const { rows } = await db.owner.query(
      `select user_id from notifications where kind = 'task_deleted' and params ->> 'recipient' = 'worker' and ref = $1`,
      [taskId],
    )
    assert.deepEqual(new Set(rows.map(({ user_id }) => user_id)), new Set([worker.id, revising.id]))
  })

  test('a refund is confirmed only when the ledger contains it, and the confirmation moves no coins', async () => {
    const buyer = await aBuyer(db.database)
    const other = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer, { slots: 2, reward: 10 })
    await assert.rejects(confirmRefund(db.database, buyer.accountId, 20), { code: 'refund_mismatch' })
    await deleteTask(db.database, taskId, buyer)
    assert.equal(await confirmRefund(db.database, buyer.accountId, 20), 50)
    assert.equal(await confirmRefund(db.database, buyer.accountId, 20), 50)
    await assert.rejects(confirmRefund(db.database, buyer.accountId, 21), { code: 'refund_mismatch' })
    await assert.rejects(confirmRefund(db.database, other.accountId, 20), { code: 'refund_mismatch' })
  })

  test("contradicting values of the cost, a past deadline and a submission to one's own task are rejected", async () => {
    const buyer = await aBuyer(db.database)
    const task = taskBody({ slots: 2, reward: 10 })
    for (const shown of [{ total: 1 }, { worker: 20 }, { amount: 1 }, { buyer: 'somebody@example.com' }]) {
      await assert.rejects(addTask(db.database, testConfig, buyer, task, shown))
    }
    await assert.rejects(aTask(db.database, buyer, { day: dayFromNow(-2) }), {
      message: 'deadline_passed.new_task',
    })
    const taskId = await aTask(db.database, buyer, { slots: 1, reward: 10 })
    await db.database.pool.query(`update users set role = 'Worker' where id = $1`, [buyer.id])
    await assert.rejects(aSubmission(db.database, taskId, buyer), { message: 'own_task' })
  })

  test('a task closes at the end of its deadline day in the marketplace’s time zone', async () => {
    const buyer = await aBuyer(db.database)
    const taskId = await aTask(db.database, buyer, { slots: 2, reward: 10, day: '2031-03-09' })
    const { rows } = await db.database.pool.query('select closes_at from tasks where id = $1', [taskId])
    // Dhaka is six hours ahead of UTC.
    assert.equal(rows[0].closes_at, '2031-03-09T18:00:00.000Z')
    const submitAt = (time: string) =>
      db.database.transaction(async (tx) => {
        await tx.run({ name: 'test_clock', sql: `select set_config('tallywork.clock', $1, true)` }, [time])
        const worker = await aWorker(db.database)
        const id = crypto.randomUUID()
        await tx.run(
          { name: 'test_submit', sql: `select submit_work($1, $2, $3, 'x', null, null, null, '7 days')` },
          [id, taskId, worker.id],
        )
      })
    await submitAt('2031-03-09T17:59:59Z')
    await assert.rejects(submitAt('2031-03-09T18:00:00Z'), { message: 'deadline_passed' })
  })

  test('lists have no gaps or duplicates between pages in any order, and search finds words in any script', async () => {
    const buyer = await aBuyer(db.database, { coins: 10_000 })
    for (let index = 0; index < 12; index++) {
      await aTask(db.database, buyer, {
        reward: 1 + (index % 4),
        slots: 1 + (index % 3),
        title: `Needle ${index} বাংলা লেখা`,
        day: dayFromNow(3 + (index % 2)),
      })
    }
    const keys = {
      newest: (r: Row) => [r.id],
      pay: (r: Row) => [r.reward, r.id],
      hourly: (r: Row) => [r.hourly_pay, r.id],
      deadline: (r: Row) => [r.completion_date, r.id],
      slots: (r: Row) => [r.slots_left, r.id],
    }
    type Row = Awaited<ReturnType<typeof listTasks>>[number]
    for (const sort of ['newest', 'pay', 'hourly', 'deadline', 'slots'] as const) {
      for (const scope of ['open', 'workers', 'all'] as const) {
        const listed: string[] = []
        let after: (string | number | null)[] = sort === 'newest' ? [null] : [null, null]
        for (;;) {
          const rows = await listTasks(
            db.database,
            { scope, sort, q: 'needle', payMin: 1, payMax: 9 },
            after,
            5,
          )
          listed.push(...rows.map((row) => row.id))
          const last = rows.at(-1)
          if (rows.length < 5 || last === undefined) break
          after = keys[sort](last)
        }
        assert.equal(new Set(listed).size, 12, `${sort} ${scope}`)
        assert.equal(listed.length, 12)
      }
    }
    const matches = async (q: string) =>
      (await listTasks(db.database, { scope: 'open', sort: 'newest', q }, [null], 100)).length
    assert.equal(await matches('বাংলা'), 12)
    assert.equal(await matches('বাং'), 12)
    assert.equal(await matches('needle 11'), 1)
    assert.equal(await matches('NEED লে'), 12)
    assert.equal(await matches('needle nothing'), 0)
    await aTask(db.database, buyer, { title: "O'Brien\\Söhne: see example.com/a-b?c=d and x@y.example" })
    for (const q of ["o'brien", 'söh', 'brien exam', 'see O', 'example.com/a-b', 'com d y@x'])
      assert.equal(await matches(q), 1, q)
    assert.equal(await matches("o'brien & | ! :* \\ <->"), 1)
    assert.equal(await matches('!!! ()'), 0)
    assert.equal(searchWords('!!! ()'), null)
  })
})
