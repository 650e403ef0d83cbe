import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Database } from '#server/database/database.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useApi } from '#tests/support/api.ts'
import { atTime, later } from '#tests/support/clock.ts'
import {
  aBuyer,
  anAdmin,
  aSubmission,
  aTask,
  atOnce,
  aWorker,
  noAppeals,
  type TestUser,
} from '#tests/support/factories.ts'
import { purgeTaskViewers } from './record-views.ts'

describe('the funnel of a task', () => {
  const api = useApi()
  const funnelOf = async (buyer: TestUser, taskId: string) =>
    (await api.as(buyer).get(`/tasks/${taskId}/funnel`)).body
  const open = (user: TestUser, taskId: string) => api.as(user).get(`/task-datails/${taskId}`)
  const viewersOf = async (taskId: string) =>
    (await api.database.pool.query('select worker_id from task_viewers where task_id = $1', [taskId])).rows

  test('counts each worker who opened it once, then what they did, and its coins', async () => {
    const buyer = await aBuyer(api.database, { coins: 50 })
    const taskId = await aTask(api.database, buyer, { slots: 8, reward: 10 })
    const workers = await Promise.all(Array.from({ length: 4 }, () => aWorker(api.database)))
    const [approved, rejected, reserving, looking] = workers as [TestUser, TestUser, TestUser, TestUser]
    await Promise.all(workers.flatMap((worker) => [open(worker, taskId), open(worker, taskId)]))
    await open(buyer, taskId)
    await open(looking, taskId)
    await approveSubmission(api.database, await aSubmission(api.database, taskId, approved), buyer.id)
    const work = await aSubmission(api.database, taskId, rejected)
    await rejectSubmission(api.database, noAppeals, work, buyer.id, { reason: 'No' })
    await api.as(reserving).post(`/tasks/${taskId}/reservation`)
    assert.deepEqual(await funnelOf(buyer, taskId), {
      taskId,
      seen: 4,
      reserved: 3,
      submitted: 2,
      approved: 1,
      rejected: 1,
      paid: 10,
      escrow: 70,
      medianSeconds: null,
    })
    await open(approved, taskId)
    assert.equal((await funnelOf(buyer, taskId)).seen, 4)
  })

  test('concurrent views of many workers and tasks are counted without a deadlock', async () => {
    const buyer = await aBuyer(api.database, { coins: 100 })
    const tasks = await Promise.all(
      Array.from({ length: 3 }, () => aTask(api.database, buyer, { slots: 1, reward: 1 })),
    )
    const workers = await Promise.all(Array.from({ length: 5 }, () => aWorker(api.database)))
    const views = (order: number) =>
      workers
        .flatMap(({ id }) => tasks.map((task) => ({ task, worker: id })))
        .toSorted(() => (order % 2 === 0 ? 1 : -1))
    const written = await atOnce(6, (index) =>
      api.database.pool.query('select record_task_views($1)', [JSON.stringify(views(index))]),
    )
    assert.ok(written.every(({ status }) => status === 'fulfilled'))
    for (const task of tasks) assert.equal((await funnelOf(buyer, task)).seen, 5)
  })

  test('counts a worker once whose work was rejected and who submits again', async () => {
    const buyer = await aBuyer(api.database, { coins: 50 })
    const taskId = await aTask(api.database, buyer, { slots: 2, reward: 10 })
    const worker = await aWorker(api.database)
    for (let attempt = 0; attempt < 2; attempt++) {
      const work = await aSubmission(api.database, taskId, worker)
      await rejectSubmission(api.database, noAppeals, work, buyer.id, { reason: 'No' })
    }
    const { reserved, submitted, rejected } = await funnelOf(buyer, taskId)
    assert.deepEqual([reserved, submitted, rejected], [1, 1, 1])
  })

  test('undecided work of a deleted worker is submitted and not rejected', async () => {
    const buyer = await aBuyer(api.database, { coins: 50 })
    const taskId = await aTask(api.database, buyer, { slots: 2, reward: 10 })
    const worker = await aWorker(api.database)
    await aSubmission(api.database, taskId, worker)
    await deleteUser(api.database, worker.id, (await anAdmin(api.database)).id)
    const { submitted, rejected } = await funnelOf(buyer, taskId)
    assert.deepEqual([submitted, rejected], [1, 0])
  })

  test('is only for its buyer', async () => {
    const buyer = await aBuyer(api.database)
    const taskId = await aTask(api.database, buyer)
    const refused = await api.as(await aBuyer(api.database)).get(`/tasks/${taskId}/funnel`)
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'not_yours'])
    assert.equal((await api.as(await aWorker(api.database)).get(`/tasks/${taskId}/funnel`)).status, 403)
    await api.as(buyer).delete(`/delete-task/${taskId}`)
    assert.equal((await api.as(buyer).get(`/tasks/${taskId}/funnel`)).status, 404)
  })

  test('views are deleted with their worker, and a month after the task closed; the count stays', async () => {
    const buyer = await aBuyer(api.database)
    const taskId = await aTask(api.database, buyer)
    const [stays, leaves] = [await aWorker(api.database), await aWorker(api.database)]
    for (const worker of [stays, leaves]) await open(worker, taskId)
    assert.equal((await funnelOf(buyer, taskId)).seen, 2)
    await api.as(await anAdmin(api.database)).delete(`/delete-user/${leaves.id}`)
    assert.deepEqual(await viewersOf(taskId), [{ worker_id: stays.id }])
    await api.as(buyer).post(`/tasks/${taskId}/close`)
    await purgeTaskViewers(api.database)
    assert.equal((await viewersOf(taskId)).length, 1)
    await atTime(api.url, later(new Date(), { days: 31 }), purgeTaskViewers)
    assert.deepEqual(await viewersOf(taskId), [])
    assert.equal((await funnelOf(buyer, taskId)).seen, 2)
  })

  test('a worker who opens a task long after it closed does not count, however often the views are deleted', async () => {
    const buyer = await aBuyer(api.database)
    const taskId = await aTask(api.database, buyer)
    const worker = await aWorker(api.database)
    await open(worker, taskId)
    await api.as(buyer).post(`/tasks/${taskId}/close`)
    await open(await aWorker(api.database), taskId)
    assert.equal((await funnelOf(buyer, taskId)).seen, 2, 'closed just now')
    await api.owner.query(`update tasks set closed_at = closed_at - interval '31 days' where id = $1`, [
      taskId,
    ])
    for (let visit = 0; visit < 2; visit++) {
      await purgeTaskViewers(api.database)
      await open(worker, taskId)
      assert.equal((await funnelOf(buyer, taskId)).seen, 2)
    }
    assert.deepEqual(await viewersOf(taskId), [])
  })

  test('views are deleted a few tasks at a time, and those of open tasks stay', async () => {
    const buyer = await aBuyer(api.database, { coins: 1000 })
    const tasks = await Promise.all(Array.from({ length: 5 }, () => aTask(api.database, buyer)))
    const workers = [await aWorker(api.database), await aWorker(api.database)]
    for (const taskId of tasks) for (const worker of workers) await open(worker, taskId)
    for (const taskId of tasks) await funnelOf(buyer, taskId)
    const closed = tasks.toSorted().filter((_, index) => index !== 2)
    for (const taskId of closed) await api.as(buyer).post(`/tasks/${taskId}/close`)
    const purge = (database: Database) => purgeTaskViewers(database, 2)
    assert.equal(await atTime(api.url, later(new Date(), { days: 31 }), purge), 8)
    for (const taskId of tasks)
      assert.equal((await viewersOf(taskId)).length, closed.includes(taskId) ? 0 : 2)
  })
})
