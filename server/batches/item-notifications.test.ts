import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type StoredNotification, textOfAll } from '#server/notifications/present.ts'
import { approveSubmissions } from '#server/submissions/bulk-approve.ts'
import { settleDueSubmissions } from '#server/submissions/settle-due.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useApi } from '#tests/support/api.ts'
import { anOpenBatch } from '#tests/support/batches.ts'
import { anAdmin, atOnce, aWorker, balanceOf, type TestUser } from '#tests/support/factories.ts'
import { itemWork } from '#tests/support/items.ts'
import { makeDue } from '#tests/support/submissions.ts'

describe('the notifications of items', () => {
  const api = useApi()
  const { rows, aBatch, work } = itemWork(api)
  const TITLE = 'Name the kind of a shop'
  /** Returns a user's notifications of these kinds, oldest first. */
  const notificationsOf = (user: TestUser, kinds: string) =>
    rows(
      `select kind, params, ref, read_at is not null as read from notifications where user_id = $1 and kind like $2 order by id`,
      [user.id, kinds],
    )
  const paramsOf = async (user: TestUser, kinds: string) =>
    (await notificationsOf(user, kinds)).map(({ params }) => params)

  test('work on a batch is one notification of the buyer, which counts up while it is unread', async () => {
    const { buyer, taskId } = await aBatch(5)
    const worker = await aWorker(api.database)
    for (let item = 0; item < 3; item++) await work(worker, taskId)
    assert.deepEqual(await notificationsOf(buyer, 'items%'), [
      { kind: 'items_received', params: { title: TITLE, count: 3 }, ref: taskId, read: false },
    ])
    const [listed] = (await api.as(buyer).get('/my-notifications')).body
    assert.deepEqual(
      [listed.message, listed.actionRoute, listed.title],
      [`3 items of "${TITLE}" were submitted.`, `/dashboard/task-to-review?task=${taskId}`, TITLE],
    )
    const [outbox] = await rows(
      `select count(*)::int as count from outbox join notifications on notification_id = notifications.id where kind = 'items_received'`,
    )
    assert.equal(outbox.count, 1)
    await api.as(buyer).patch(`/notifications/${buyer.email}`, {})
    await work(worker, taskId)
    assert.deepEqual(await paramsOf(buyer, 'items%'), [
      { title: TITLE, count: 3 },
      { title: TITLE, count: 1 },
    ])
    assert.equal((await notificationsOf(buyer, 'work_received')).length, 0)
  })

  test('approvals together, alone and by time are one notification of each worker, with all coins', async () => {
    const { buyer, taskId } = await aBatch(6)
    const [worker, other] = [await aWorker(api.database), await aWorker(api.database)]
    const ids: string[] = []
    for (const one of [worker, other, worker, worker, worker]) ids.push((await work(one, taskId)).id)
    await approveSubmissions(api.database, ids.slice(0, 3), buyer.id)
    await api.as(buyer).patch(`/update-submission-status/${ids[3]}`, { status: 'approved' })
    await makeDue(api.owner, ids[4] ?? '')
    await settleDueSubmissions(api.database, api.instance.config)
    assert.deepEqual(await paramsOf(worker, 'items_approved'), [{ title: TITLE, count: 4, coins: 12 }])
    assert.deepEqual(await paramsOf(other, 'items_approved'), [{ title: TITLE, count: 1, coins: 3 }])
    assert.deepEqual(await paramsOf(buyer, 'items_approved_by_time'), [{ title: TITLE, count: 1, coins: 3 }])
    assert.equal((await notificationsOf(worker, 'submission_approved')).length, 0)
  })

  test('concurrent approvals make one notification, and lose none', async () => {
    const { buyer, taskId } = await aBatch(12)
    const worker = await aWorker(api.database)
    const ids: string[] = []
    for (let item = 0; item < 12; item++) ids.push((await work(worker, taskId)).id)
    await atOnce(12, (index) => approveSubmissions(api.database, [ids[index] ?? ''], buyer.id))
    assert.deepEqual(await paramsOf(worker, 'items_approved'), [{ title: TITLE, count: 12, coins: 36 }])
  })

  test('approvals of many items notify each worker once per batch, again after they have read it', async () => {
    const content = { workersPerItem: 1 }
    const { buyer, taskId } = await anOpenBatch(api.database, { items: 8, content, coins: 100 })
    const { taskId: otherTask } = await anOpenBatch(api.database, { buyer, items: 4, content })
    const workers = [await aWorker(api.database), await aWorker(api.database)]
    const workOn = async (task: string) => {
      const ids: string[] = []
      for (const worker of workers) ids.push((await work(worker, task)).id)
      return ids
    }
    const of = async (worker: TestUser | undefined, task: string) => {
      const counted = await notificationsOf(worker as TestUser, 'items_approved')
      return counted.filter(({ ref }) => ref === task).map(({ params }) => [params.count, params.coins])
    }
    const first = [await workOn(taskId), await workOn(otherTask), await workOn(taskId)].flat()
    // Each call has work of both workers and batches, in an order of its own.
    await atOnce(3, (index) =>
      approveSubmissions(
        api.database,
        first.filter((_, at) => at % 3 === index),
        buyer.id,
      ),
    )
    const [reader, other] = workers
    await api.as(reader as TestUser).patch(`/notifications/${reader?.email}`, {})
    const second = [await workOn(taskId), await workOn(otherTask)].flat()
    await approveSubmissions(api.database, second, buyer.id)

    assert.deepEqual(await of(reader, taskId), [
      [2, 6],
      [1, 3],
    ])
    assert.deepEqual(await of(reader, otherTask), [
      [1, 3],
      [1, 3],
    ])
    assert.deepEqual(await of(other, taskId), [[3, 9]])
    assert.deepEqual(await of(other, otherTask), [[2, 6]])
  })

  test('a rejection, a revision and the end of a dispute are notified one by one', async () => {
    const { buyer, taskId } = await aBatch(3)
    const worker = await aWorker(api.database)
    const [first, second] = [(await work(worker, taskId)).id, (await work(worker, taskId)).id]
    await api.as(buyer).delete(`/submission-reject/${first}`, { reason: 'Not a shop' })
    await api.as(buyer).delete(`/submission-reject/${second}`, { reason: 'No shop either' })
    await api.as(buyer).post(`/submissions/${first}/concession`)
    const kinds = (await notificationsOf(worker, '%')).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['submission_rejected', 'submission_rejected', 'submission_approved'])
  })

  test('the deletion of a buyer pays pending work, and notifies each worker once per task with all coins', async () => {
    const { buyer, taskId } = await aBatch(4)
    const [worker, other] = [await aWorker(api.database), await aWorker(api.database)]
    const ids: string[] = []
    for (const one of [worker, other, worker, worker]) ids.push((await work(one, taskId)).id)
    await api.as(buyer).delete(`/submission-reject/${ids[3]}`, { reason: 'Not a shop' })
    await deleteUser(api.database, buyer.id, (await anAdmin(api.database)).id)
    const paid = { title: TITLE, decidedBy: 'buyer_left' }
    assert.deepEqual(await notificationsOf(worker, '%_approved'), [
      { kind: 'submission_approved', params: { ...paid, count: 3, coins: 9 }, ref: ids[3], read: false },
    ])
    assert.deepEqual(await paramsOf(other, '%_approved'), [{ ...paid, count: 1, coins: 3 }])
    const stored = [
      await notificationsOf(worker, '%_approved'),
      await notificationsOf(other, '%_approved'),
    ].flat()
    assert.match(
      textOfAll(stored as StoredNotification[], 'en').message,
      /^4 of your submissions were approved/,
    )
    assert.equal(await balanceOf(api.database, worker), 10 + 9)
  })

  test('the deletion of a worker notifies a buyer once per task, with the number of slots', async () => {
    const content = { workersPerItem: 1 }
    const { buyer, taskId } = await anOpenBatch(api.database, { items: 3, content, coins: 100 })
    const { taskId: single } = await anOpenBatch(api.database, { buyer, items: 1, content })
    const worker = await aWorker(api.database)
    for (const task of [taskId, taskId, taskId, single]) await work(worker, task)
    await api.as(buyer).post(`/tasks/${single}/close`)
    await deleteUser(api.database, worker.id, (await anAdmin(api.database)).id)
    const left = { worker: worker.name, title: TITLE }
    assert.deepEqual(await paramsOf(buyer, 'worker_left'), [
      { ...left, refunded: false, slots: 3 },
      { ...left, refunded: true, slots: 1 },
    ])
    const messages = (await api.as(buyer).get('/my-notifications')).body.map(
      ({ message }: { message: string }) => message,
    )
    assert.ok(
      messages.includes(
        `${worker.name}'s account was deleted. The 3 slots they held on "${TITLE}" are free again.`,
      ),
    )
  })

  test('an Admin who deletes a task notifies each worker with pending work once', async () => {
    const { taskId } = await aBatch(4)
    const workers = [await aWorker(api.database), await aWorker(api.database)]
    for (const worker of [...workers, ...workers]) await work(worker, taskId)
    const admin = await anAdmin(api.database)
    assert.equal((await api.as(admin).delete(`/delete-task/${taskId}`)).status, 200)
    for (const worker of workers)
      assert.deepEqual(await paramsOf(worker, 'task_deleted'), [{ title: TITLE, recipient: 'worker' }])
  })
})
