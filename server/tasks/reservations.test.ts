import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Database } from '#server/database/database.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useApi } from '#tests/support/api.ts'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { atTime, later } from '#tests/support/clock.ts'
import {
  aBuyer,
  anAdmin,
  aSubmission,
  aTask,
  aWorker,
  balanceOf,
  noAppeals,
  outcomes,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { slotsLeft } from '#tests/support/submissions.ts'
import { deleteTask } from './delete.ts'
import { lapseDueReservations } from './lapse-reservations.ts'
import { reserveSlot, returnReservation } from './reserve.ts'

const inTwoHours = () => later(new Date(), { hours: 2 })

describe('reservations', () => {
  const api = useApi()

  const at = <Result>(moment: Date, work: (database: Database) => Promise<Result>) =>
    atTime(api.url, moment, work)
  const reserve = (taskId: string, worker: TestUser, database = api.database) =>
    reserveSlot(database, testConfig, taskId, worker.id)
  const giveBack = (taskId: string, worker: TestUser) => returnReservation(api.database, taskId, worker.id)
  const lapse = () => at(inTwoHours(), lapseDueReservations)

  async function aTaskOf(slots: number, reward = 10) {
    const buyer = await aBuyer(api.database, { coins: slots * reward })
    return { buyer, taskId: await aTask(api.database, buyer, { slots, reward }) }
  }
  const workers = (count: number) => Promise.all(Array.from({ length: count }, () => aWorker(api.database)))
  async function outcomesOf(taskId: string): Promise<(string | null)[]> {
    const { rows } = await api.database.pool.query<{ outcome: string | null }>(
      'select outcome from reservations where task_id = $1 order by id',
      [taskId],
    )
    return rows.map(({ outcome }) => outcome)
  }
  async function kindsOf({ id }: TestUser): Promise<string[]> {
    const { rows } = await api.database.pool.query<{ kind: string }>(
      'select kind from notifications where user_id = $1 order by id',
      [id],
    )
    return rows.map(({ kind }) => kind)
  }

  test('a worker reserves a slot once, sees it in their list and the details, submits into it', async () => {
    const { buyer, taskId } = await aTaskOf(1)
    const [worker, other] = await workers(2)
    assert.ok(worker && other)
    const reserved = await api.as(worker).post(`/tasks/${taskId}/reservation`)
    assert.equal(reserved.status, 200, reserved.text)
    const { _id, expiresAt } = reserved.body
    assert.deepEqual(reserved.body, { _id, taskId, taskVersion: 1, expiresAt })
    const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000
    assert.ok(minutes > 50 && minutes <= 60, expiresAt)
    assert.deepEqual((await api.as(worker).post(`/tasks/${taskId}/reservation`)).body, reserved.body)
    assert.equal(await slotsLeft(api.database, taskId), 0)

    assert.deepEqual((await api.as(worker).get('/my-reservations')).body, [
      {
        ...reserved.body,
        task_title: 'Label ten photos',
        payable_amount: 10,
        task_image_url: '',
        item: null,
      },
    ])
    assert.deepEqual((await api.as(worker).get(`/task-datails/${taskId}`)).body.reservation, reserved.body)
    assert.equal((await api.as(other).get(`/task-datails/${taskId}`)).body.reservation, null)
    assert.equal(
      (await api.as(other).post(`/tasks/${taskId}/reservation`)).body.error.message,
      'Task already completed',
    )
    await assert.rejects(aSubmission(api.database, taskId, other), { message: 'task_filled' })

    const submissionId = await aSubmission(api.database, taskId, worker)
    const { rows } = await api.database.pool.query('select reserved_at from submissions where id = $1', [
      submissionId,
    ])
    assert.ok(rows[0].reserved_at)
    assert.deepEqual(await outcomesOf(taskId), ['submitted'])
    assert.deepEqual((await api.as(worker).get('/my-reservations')).body, [])
    await expectBooksToBalance(api.database)
    await approveSubmission(api.database, submissionId, buyer.id)
  })

  test('the list begins with the reservation that expires first', async () => {
    const worker = await aWorker(api.database)
    const tasks = [await aTaskOf(1), await aTaskOf(1), await aTaskOf(1)].map(({ taskId }) => taskId)
    const offsets = [30, 10, 20]
    for (const [index, taskId] of tasks.entries())
      await at(later(new Date(), { minutes: offsets[index] ?? 0 }), (database) =>
        reserve(taskId, worker, database),
      )
    const listed = (await api.as(worker).get('/my-reservations')).body
    assert.deepEqual(
      listed.map((one: { taskId: string }) => one.taskId),
      [tasks[1], tasks[2], tasks[0]],
    )
  })

  test('a reservation is refused like a submission', async () => {
    const { buyer, taskId } = await aTaskOf(2)
    const worker = await aWorker(api.database)
    await assert.rejects(reserve(buyer.id, worker), { message: 'task_not_found' })
    await assert.rejects(reserve(taskId, buyer), { message: 'role_not_allowed' })
    await api.owner.query(`update users set role = 'Worker' where id = $1`, [buyer.id])
    await assert.rejects(reserve(taskId, buyer), { message: 'own_task' })
    await aSubmission(api.database, taskId, worker)
    await assert.rejects(reserve(taskId, worker), { message: 'already_submitted' })
    const late = await aWorker(api.database)
    const afterDeadline = later(new Date(), { days: 9 })
    await assert.rejects(
      at(afterDeadline, (database) => reserve(taskId, late, database)),
      { message: 'deadline_passed' },
    )
    const closed = await aTaskOf(1)
    await api.database.pool.query(`select close_task($1, 'deadline')`, [closed.taskId])
    await assert.rejects(reserve(closed.taskId, late), { message: 'task_closed' })
    await deleteTask(api.database, taskId, { id: buyer.id, role: 'Buyer' })
    await assert.rejects(reserve(taskId, late), { message: 'task_not_found' })
  })

  test('a reservation ends at the latest when its task closes', async () => {
    const { taskId } = await aTaskOf(1)
    const worker = await aWorker(api.database)
    const { rows } = await api.database.pool.query('select closes_at from tasks where id = $1', [taskId])
    const closesAt = new Date(rows[0].closes_at)
    const reservation = await at(later(closesAt, { minutes: -20 }), (database) =>
      reserve(taskId, worker, database),
    )
    assert.equal(new Date(reservation.expires_at).getTime(), closesAt.getTime())
  })

  test('returning frees the slot, also when it is repeated', async () => {
    const { taskId } = await aTaskOf(1)
    const [worker, next] = await workers(2)
    assert.ok(worker && next)
    assert.equal(await giveBack(taskId, worker), 0)
    await reserve(taskId, worker)
    const response = await api.as(worker).delete(`/tasks/${taskId}/reservation`)
    assert.deepEqual(response.body, { acknowledged: true, deletedCount: 1 })
    assert.equal(await giveBack(taskId, worker), 0)
    assert.equal(await slotsLeft(api.database, taskId), 1)
    await reserve(taskId, next)
    await reserve((await aTaskOf(1)).taskId, worker)
  })

  test('an expired reservation lapses, and its worker is notified with a link to the task', async () => {
    const { taskId } = await aTaskOf(1)
    const worker = await aWorker(api.database)
    await reserve(taskId, worker)
    await lapseDueReservations(api.database)
    assert.deepEqual(await outcomesOf(taskId), [null])
    await at(inTwoHours(), (database) => Promise.all([1, 2, 3].map(() => lapseDueReservations(database))))
    assert.deepEqual(await outcomesOf(taskId), ['lapsed'])
    assert.equal(await slotsLeft(api.database, taskId), 1)
    const [notification] = (await api.as(worker).get(`/notifications/${worker.email}`)).body
    assert.equal(
      notification.message,
      'Your reservation for "Label ten photos" has expired. While the task is open and slots are left, you can still submit your work.',
    )
    assert.equal(notification.actionRoute, `/dashboard/task-details/${taskId}`)
  })

  test('an expired reservation blocks nobody before the job has run', async () => {
    const { taskId } = await aTaskOf(2)
    const [first, second, third, fourth] = await workers(4)
    assert.ok(first && second && third && fourth)
    await reserve(taskId, first)
    await reserve(taskId, second)
    await at(inTwoHours(), (database) => aSubmission(database, taskId, third))
    await at(inTwoHours(), (database) => reserve(taskId, fourth, database))
    assert.deepEqual(await outcomesOf(taskId), ['lapsed', 'lapsed', null])
    assert.deepEqual(await kindsOf(first), ['reservation_lapsed'])
    assert.equal(await slotsLeft(api.database, taskId), 0)
  })

  test('a late worker loses the slot and gets another one while any is free', async () => {
    const { taskId } = await aTaskOf(1)
    const worker = await aWorker(api.database)
    await reserve(taskId, worker)
    const submissionId = await at(inTwoHours(), (database) => aSubmission(database, taskId, worker))
    const { rows } = await api.database.pool.query('select reserved_at from submissions where id = $1', [
      submissionId,
    ])
    assert.equal(rows[0].reserved_at, null)
    assert.deepEqual(await outcomesOf(taskId), ['returned'])
  })

  test('a late worker who submits before the job has run holds one slot, and nothing lapses', async () => {
    const { taskId } = await aTaskOf(2)
    const worker = await aWorker(api.database)
    await reserve(taskId, worker)
    await at(inTwoHours(), (database) => aSubmission(database, taskId, worker))
    assert.equal(await slotsLeft(api.database, taskId), 1)
    await lapse()
    assert.deepEqual(await kindsOf(worker), [])
    assert.equal(await slotsLeft(api.database, taskId), 1)
    await expectBooksToBalance(api.database)
  })

  test('after two lapsed reservations of a task a worker can only submit directly', async () => {
    const { taskId } = await aTaskOf(2)
    const worker = await aWorker(api.database)
    await reserve(taskId, worker)
    // The second replaces the expired one, the third request finds two.
    await at(inTwoHours(), (database) => reserve(taskId, worker, database))
    const muchLater = later(new Date(), { hours: 4 })
    await assert.rejects(
      at(muchLater, (database) => reserve(taskId, worker, database)),
      { message: 'reservation_lapsed' },
    )
    await at(muchLater, lapseDueReservations)
    assert.deepEqual(await outcomesOf(taskId), ['lapsed', 'lapsed'])
    const refused = await api.as(worker).post(`/tasks/${taskId}/reservation`)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'reservation_lapsed'])
    await aSubmission(api.database, taskId, worker)
  })

  test('a sixth reservation is refused, also concurrently, and an expired one does not count', async () => {
    const worker = await aWorker(api.database)
    const tasks = await Promise.all(Array.from({ length: 8 }, async () => (await aTaskOf(1)).taskId))
    const results = await Promise.allSettled(tasks.map((taskId) => reserve(taskId, worker)))
    const { good, codes } = outcomes(results)
    assert.deepEqual([good, new Set(codes)], [5, new Set(['reservation_limit'])])
    const left = tasks.filter((_, index) => results[index]?.status === 'rejected')
    const refused = await api.as(worker).post(`/tasks/${left[0]}/reservation`)
    assert.equal(refused.status, 409)
    assert.match(refused.body.error.message, /^You already have 5 reserved slots\./)
    await at(inTwoHours(), (database) => reserve(String(left[0]), worker, database))
  })

  test('a reservation stays usable when the task is closed or deleted, and only its worker sees the task', async () => {
    const { buyer, taskId } = await aTaskOf(3)
    const [worker, late, other] = await workers(3)
    assert.ok(worker && late && other)
    await reserve(taskId, worker)
    await reserve(taskId, late)
    assert.equal((await deleteTask(api.database, taskId, buyer)).refund, 10)
    assert.equal((await api.as(worker).get(`/task-datails/${taskId}`)).status, 200)
    assert.equal((await api.as(other).get(`/task-datails/${taskId}`)).status, 404)
    assert.equal((await api.as(buyer).get(`/task-datails/${taskId}`)).status, 404)

    const submissionId = await aSubmission(api.database, taskId, worker)
    assert.equal((await api.as(worker).get(`/task-datails/${taskId}`)).body.submission._id, submissionId)
    await expectBooksToBalance(api.database)
    await lapse()
    assert.equal((await api.as(late).get(`/task-datails/${taskId}`)).status, 404)
    assert.equal(await balanceOf(api.database, buyer), 50 + 10 + 10)
    const [line] = (await api.as(buyer).get(`/statement/${buyer.email}`)).body
    assert.equal(line.text, 'Refund for a slot of "Label ten photos"')
    await rejectSubmission(api.database, noAppeals, submissionId, buyer.id, { reason: 'No' })
    assert.equal(await balanceOf(api.database, buyer), 50 + 30)
  })

  test('the worker sees the texts that the slot was reserved for, and the work names their version', async () => {
    const { buyer, taskId } = await aTaskOf(2)
    const worker = await aWorker(api.database)
    const other = await aWorker(api.database)
    await reserve(taskId, worker)
    const edit = { task_title: 'Label twenty photos', task_detail: 'All', submission_info: 'Twenty lines' }
    assert.equal((await api.as(buyer).put(`/update-task/${taskId}`, edit)).status, 200)
    const titles = async (viewer: TestUser) => {
      const { task_title, taskVersion } = (await api.as(viewer).get(`/task-datails/${taskId}`)).body
      return [task_title, taskVersion]
    }
    assert.deepEqual(await titles(worker), ['Label ten photos', 1])
    assert.deepEqual(await titles(other), ['Label twenty photos', 2])
    const submissionId = await aSubmission(api.database, taskId, worker)
    const text = (await api.as(worker).get(`/submissions/${submissionId}/task`)).body
    assert.deepEqual([text.taskVersion, text.task_title], [1, 'Label ten photos'])
    assert.equal((await reserve(taskId, other)).task_version, 2)
  })

  test('without a reservation, work for an earlier text is refused, also when nobody worked on that text', async () => {
    const { buyer, taskId } = await aTaskOf(2)
    const [reserver, worker] = [await aWorker(api.database), await aWorker(api.database)]
    const submit = (by: TestUser, taskVersion: number) =>
      api.as(by).post('/submiteted-task', { taskId, submissoin_data: 'Done', taskVersion })
    const edit = { task_title: 'Label photos', task_detail: 'Ten', submission_info: 'Ten lines' }
    await api.as(buyer).put(`/update-task/${taskId}`, edit)
    const early = await submit(worker, 1)
    assert.deepEqual([early.status, early.body.error.code], [409, 'task_changed'])
    assert.match(early.body.error.message, /text of this task has changed/)

    await reserve(taskId, reserver)
    await api.as(buyer).put(`/update-task/${taskId}`, { ...edit, task_detail: 'Twenty' })
    assert.equal((await submit(reserver, 2)).status, 200)
    assert.equal((await submit(worker, 2)).body.error.code, 'task_changed')
    assert.equal((await submit(worker, 3)).status, 200)
  })

  test('a reservation lasts as long as its task says', async () => {
    const { taskId } = await aTaskOf(1)
    await api.owner.query('update tasks set reservation_minutes = 5 where id = $1', [taskId])
    const { expires_at } = await reserve(taskId, await aWorker(api.database))
    assert.ok(Date.parse(expires_at) - Date.now() <= 5 * 60_000)
  })

  test('shown values that contradict the task are refused and leave the reservation', async () => {
    const { taskId } = await aTaskOf(1)
    const worker = await aWorker(api.database)
    await reserve(taskId, worker)
    const work = { taskId, submissoin_data: 'Done' }
    for (const shown of [{ payable_amount: 11 }, { buyer_email: 'another@example.com' }]) {
      const refused = await api.as(worker).post('/submiteted-task', { ...work, ...shown })
      assert.equal(refused.body.error.code, 'task_changed')
    }
    assert.deepEqual(await outcomesOf(taskId), [null])
  })

  test('a deleted worker returns their reservations', async () => {
    const admin = await anAdmin(api.database)
    const { taskId } = await aTaskOf(1)
    const closed = await aTaskOf(1)
    const worker = await aWorker(api.database)
    await reserve(taskId, worker)
    await reserve(closed.taskId, worker)
    await deleteTask(api.database, closed.taskId, closed.buyer)
    const preview = (await api.as(admin).get(`/delete-user/${worker.id}/preview`)).body
    assert.equal(preview.slotsReleased, 2)
    await deleteUser(api.database, worker.id, admin.id)
    assert.deepEqual(await outcomesOf(taskId), ['returned'])
    assert.equal(await slotsLeft(api.database, taskId), 1)
    assert.equal(await balanceOf(api.database, closed.buyer), 50 + 10)
  })

  test('reservations of a deleted buyer’s tasks are cancelled, refunded and swept, as previewed', async () => {
    const admin = await anAdmin(api.database)
    const { buyer, taskId } = await aTaskOf(3)
    const deleted = await aTask(api.database, buyer, { slots: 1, reward: 20 })
    const worker = await aWorker(api.database)
    await reserve(taskId, worker)
    await reserve(deleted, worker)
    await deleteTask(api.database, deleted, buyer)
    const preview = (await api.as(admin).get(`/delete-user/${buyer.id}/preview`)).body
    assert.equal(preview.reservationsCancelled, 2)
    assert.equal(preview.coinsSwept, 50 + 30)
    await deleteUser(api.database, buyer.id, admin.id)
    assert.deepEqual([await outcomesOf(taskId), await outcomesOf(deleted)], [['cancelled'], ['cancelled']])
    assert.deepEqual(await kindsOf(worker), ['reservation_cancelled', 'reservation_cancelled'])
    const { rows } = await api.database.pool.query(
      `select amount from ledger_transfers where kind = 'swept_to_platform' and ref = $1`,
      [buyer.id],
    )
    assert.equal(Number(rows[0].amount), preview.coinsSwept)
  })

  test('a role change keeps reservations, and they can be returned', async () => {
    const admin = await anAdmin(api.database)
    const { taskId } = await aTaskOf(1)
    const worker = await aWorker(api.database)
    await reserve(taskId, worker)
    assert.equal((await api.as(admin).put(`/update-role/${worker.id}`, { value: 'Buyer' })).status, 200)
    assert.equal((await api.as(worker).get('/my-reservations')).body.length, 1)
    assert.equal((await api.as(worker).delete(`/tasks/${taskId}/reservation`)).body.deletedCount, 1)
  })

  test('the export contains the reservations of a worker', async () => {
    const { taskId } = await aTaskOf(1)
    const worker = await aWorker(api.database)
    await reserve(taskId, worker)
    const { reservations } = (await api.as(worker).get(`/my-data/${worker.email}`)).body
    assert.deepEqual([reservations.length, reservations[0].task_id], [1, taskId])
  })
})
