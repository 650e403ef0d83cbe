import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decideReviews } from '#server/appeals/decide.ts'
import { assignReviews } from '#server/appeals/settle-due.ts'
import type { Database, Statement } from '#server/database/database.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { acceptRejection } from '#server/submissions/end-dispute.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { useApi } from '#tests/support/api.ts'
import {
  aBuyer,
  anAdmin,
  aPendingSubmission,
  aSubmission,
  aTask,
  aWorker,
  testConfig,
} from '#tests/support/factories.ts'
import { itemWork } from '#tests/support/items.ts'
import { runMigrationInBatches } from '#tests/support/migrations.ts'
import { updateRecords } from './update.ts'

describe('records', () => {
  const api = useApi()
  /** Submits work on a task that its worker reserved `minutes` before. */
  const aTimedSubmission = async (taskId: string, minutes: number): Promise<string> => {
    const id = await aSubmission(api.database, taskId, await aWorker(api.database))
    await api.owner.query(
      `update submissions set reserved_at = created_at - make_interval(mins => $2) where id = $1`,
      [id, minutes],
    )
    return id
  }
  const hourlyPayOf = async (taskId: string) => {
    const { rows } = await api.owner.query('select hourly_pay from tasks where id = $1', [taskId])
    return Number(rows[0]?.hourly_pay)
  }

  test("a task shows its buyer's decisions of 90 days, also rejections that are not final", async () => {
    const { buyer, taskId, submissionId } = await aPendingSubmission(api.database, { slots: 5 })
    const open = await aSubmission(api.database, taskId, await aWorker(api.database))
    const pending = await aSubmission(api.database, taskId, await aWorker(api.database))
    const old = await aSubmission(api.database, taskId, await aWorker(api.database))
    await approveSubmission(api.database, submissionId, buyer.id)
    await approveSubmission(api.database, old, buyer.id)
    await rejectSubmission(api.database, testConfig, open, buyer.id, { reason: 'No' })
    await api.owner.query(
      `update submissions set created_at = decided_at - interval '2 hours' where id = $1`,
      [submissionId],
    )
    await api.owner.query(`update submissions set decided_at = now() - interval '91 days' where id = $1`, [
      old,
    ])
    await updateRecords(api.database)
    const { body } = await api.as(buyer).get(`/task-datails/${taskId}`)
    const { decided, approved, rejected, appealsLost, paymentSeconds } = body.buyerRecord
    assert.deepEqual([decided, approved, rejected, appealsLost, paymentSeconds], [2, 1, 1, 0, 7200])
    assert.ok(pending)
  })

  test('an unconfirmed rejection is in the record when a reviewer has upheld it', async () => {
    const reviewer = await anAdmin(api.database)
    await api.owner.query(`update users set role = 'Worker' where role = 'Admin' and id <> $1`, [reviewer.id])
    const buyer = await aBuyer(api.database, { coins: 500 })
    const taskId = await aTask(api.database, buyer, { slots: 11, reward: 2 })
    let last = ''
    for (let n = 0; n < 11; n++) {
      last = await aSubmission(api.database, taskId, await aWorker(api.database))
      await rejectSubmission(api.database, testConfig, last, buyer.id, { reason: 'No' })
    }
    const countsOf = async () => {
      await updateRecords(api.database)
      const { decided, rejected } = (await api.as(buyer).get(`/task-datails/${taskId}`)).body.buyerRecord
      return [decided, rejected]
    }
    assert.deepEqual(await countsOf(), [10, 10])
    await assignReviews(api.database)
    await decideReviews(api.database, testConfig, reviewer.id, {
      submissions: [last],
      decision: 'upheld',
      reason: 'The third line is missing.',
    })
    assert.deepEqual(await countsOf(), [11, 11])
  })

  test('a worker is judged by final rejections only', async () => {
    const worker = await aWorker(api.database)
    const buyer = await aBuyer(api.database, { coins: 500 })
    const submit = async () =>
      aSubmission(api.database, await aTask(api.database, buyer, { slots: 1, reward: 5 }), worker)
    const [approved, final, open, pending] = [await submit(), await submit(), await submit(), await submit()]
    await approveSubmission(api.database, approved, buyer.id)
    for (const id of [final, open]) {
      await rejectSubmission(api.database, testConfig, id, buyer.id, { reason: 'No' })
    }
    await acceptRejection(api.database, final, worker.id)
    await updateRecords(api.database)
    const { body } = await api.as(buyer).get(`/task-to-review?email=${buyer.email}`)
    assert.deepEqual([body[0]._id, body[0].workerRecord], [pending, { approved: 1, rejected: 1 }])
  })

  test('the working time of a task is known from five reservations on', async () => {
    const buyer = await aBuyer(api.database, { coins: 500 })
    const taskId = await aTask(api.database, buyer, { slots: 6, reward: 5 })
    const later = await aTask(api.database, buyer, { slots: 1, reward: 7 })
    const admin = await anAdmin(api.database)
    const byHourlyPay = async (path: string) =>
      (await api.as(admin).get(`${path}?sort=hourly`)).body
        .map(({ _id }: { _id: string }) => _id)
        .filter((id: string) => id === taskId || id === later)
    const workSeconds = async () => {
      await updateRecords(api.database)
      return (await api.as(admin).get(`/task-datails/${taskId}`)).body.workSeconds
    }
    for (let n = 1; n <= 5; n++) {
      assert.equal(await workSeconds(), null)
      await aTimedSubmission(taskId, n)
    }
    assert.deepEqual(await byHourlyPay('/all-task'), [later, taskId])
    assert.equal(await workSeconds(), 180)
    const { rows } = await api.owner.query('select hourly_pay from tasks where id = any ($1) order by id', [
      [taskId, later],
    ])
    assert.deepEqual(
      rows.map(({ hourly_pay }) => Number(hourly_pay)),
      [100, 0],
    )
    assert.deepEqual(await byHourlyPay('/task-list-worker'), [taskId, later])

    const [latest] = (
      await api.owner.query<{ id: string }>(
        'select id from submissions where task_id = $1 order by id desc limit 1',
        [taskId],
      )
    ).rows
    await rejectSubmission(api.database, testConfig, latest?.id ?? '', buyer.id, { reason: 'No' })
    assert.equal(await workSeconds(), null)
    assert.equal(await hourlyPayOf(taskId), 0)
  })

  test('the upgrade deletes the working times of tasks with fewer than five reservations', async () => {
    const buyer = await aBuyer(api.database, { coins: 500 })
    const taskId = await aTask(api.database, buyer, { slots: 6, reward: 5 })
    const known = await aTask(api.database, buyer, { slots: 5, reward: 5 })
    for (let n = 1; n <= 4; n++) await aTimedSubmission(taskId, n)
    const rejected = await aTimedSubmission(taskId, 5)
    await rejectSubmission(api.database, testConfig, rejected, buyer.id, { reason: 'No' })
    for (let n = 1; n <= 5; n++) await aTimedSubmission(known, 1)
    await updateRecords(api.database)
    // As versions before 0384 left it.
    await api.owner.query('insert into task_records (task_id, timed, median_seconds) values ($1, 5, 180)', [
      taskId,
    ])
    await api.owner.query('update tasks set hourly_pay = 100 where id = $1', [taskId])
    await runMigrationInBatches(api.owner, '0384_task_records_of_few')
    assert.equal(await hourlyPayOf(taskId), 0)
    const records = await api.owner.query(
      'select task_id, timed from task_records where task_id = any ($1)',
      [[taskId, known]],
    )
    assert.deepEqual(records.rows, [{ task_id: known, timed: 5 }])
  })

  test('a second run without changes updates nothing', async () => {
    await updateRecords(api.database)
    await api.owner.query(`update notifications set created_at = created_at - interval '5 minutes'`)
    await updateRecords(api.database)
    assert.equal(await updateRecords(api.database), 0)
  })

  test('work on items counts too, although one notification is about all of them', async () => {
    const { aBatch, work } = itemWork(api)
    const { buyer, id, taskId } = await aBatch(3)
    const workers = [await aWorker(api.database), await aWorker(api.database)]
    const sent: string[] = []
    for (const worker of workers) sent.push((await work(worker, taskId)).id)
    const list = async () => {
      await updateRecords(api.database)
      const { body } = await api.as(buyer).get('/my-workers')
      return body.map(
        ({ name, submitted, approved }: { name: string; submitted: number; approved: number }) => [
          name,
          submitted,
          approved,
        ],
      )
    }
    const names = workers.map(({ name }) => name).toReversed()
    assert.deepEqual(
      await list(),
      names.map((name) => [name, 1, 0]),
    )
    const decisions = sent.map((submission) => ({ submission, decision: 'approve' }))
    await api.as(buyer).post(`/batches/${id}/decisions`, { preview: false, decisions })
    assert.deepEqual(
      await list(),
      names.map((name) => [name, 1, 1]),
    )
    const { rows } = await api.owner.query('select approved from worker_records where worker_id = any ($1)', [
      workers.map((worker) => worker.id),
    ])
    assert.deepEqual(
      rows.map(({ approved }) => approved),
      [1, 1],
    )
    const { rows: left } = await api.owner.query('select count(*)::int as count from work_changes')
    assert.equal(left[0].count, 0)
  })

  test('many subjects are updated by statements of few, which may take long', async () => {
    const { submissionId, buyer, worker } = await aPendingSubmission(api.database, { slots: 1 })
    await approveSubmission(api.database, submissionId, buyer.id)
    await api.owner.query(
      `insert into work_changes (buyer_id, worker_id, task_id)
       select $1, gen_random_uuid(), gen_random_uuid() from generate_series(1, 60)`,
      [buyer.id],
    )
    await api.owner.query(
      'insert into work_changes (buyer_id, worker_id, task_id) values ($1, $2, gen_random_uuid())',
      [buyer.id, worker.id],
    )
    const updates: Statement[] = []
    const subjects: number[] = []
    const recorded: Database = {
      ...api.database,
      run(statement, values) {
        if (/^update_\w+_(records|workers)$/.test(statement.name)) {
          updates.push(statement)
          subjects.push(...values.map((ids) => (ids as string[]).length))
        }
        return api.database.run(statement, values)
      },
    }
    assert.ok((await updateRecords(recorded)) >= 123)
    assert.equal(Math.max(...subjects), 50)
    assert.ok(updates.every(({ timeoutMs = 0 }) => timeoutMs >= 60_000))
    const { rows } = await api.owner.query('select approved from worker_records where worker_id = $1', [
      worker.id,
    ])
    assert.deepEqual(rows, [{ approved: 1 }])
  })
})
