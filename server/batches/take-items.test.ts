import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lapseDueReservations } from '#server/tasks/lapse-reservations.ts'
import { useApi } from '#tests/support/api.ts'
import {
  aBuyer,
  aTask,
  atOnce,
  aWorker,
  balanceOf,
  dayFromNow,
  type TestUser,
} from '#tests/support/factories.ts'
import { ascending, itemWork } from '#tests/support/items.ts'

// The books, and the answers taken of every item, are audited after each test.
describe('taking the items of a batch', () => {
  const api = useApi()
  const { rows, aBatch, take, submit, slotsLeft } = itemWork(api)

  test('a batch without an item for the worker is listed as such, while others can take its items', async () => {
    const { taskId } = await aBatch(2, { workersPerItem: 2 })
    const [worker, other] = [await aWorker(api.database), await aWorker(api.database)]
    const reasons = async (user: TestUser) =>
      (await api.as(user).get(`/my-ineligible-tasks?tasks=${taskId}`)).body.map(
        ({ reason }: { reason: string }) => reason,
      )
    for (const number of [1, 2]) {
      assert.deepEqual(await reasons(worker), [])
      await take(worker, taskId)
      await submit(worker, taskId, number)
    }
    assert.deepEqual([await reasons(worker), await reasons(other)], [['no_item'], []])
  })

  test('one item after another: the next one is reserved ahead, its time begins with the submission', async () => {
    const { buyer, taskId } = await aBatch(3)
    const worker = await aWorker(api.database)
    const first = await take(worker, taskId)
    assert.equal(first.status, 201)
    assert.deepEqual(
      [first.body.number, first.body.title, first.body.instructions, first.body.reward],
      [1, 'Name the kind of a shop', 'Look up Shop 1 and choose what it sells.', 3],
    )
    assert.equal((await take(worker, taskId)).body.number, 2)
    await rows(
      `update reservations set expires_at = clock_time() + interval '1 minute' where item_number = 2`,
    )
    const submitted = await submit(worker, taskId, 1)
    assert.equal(submitted.status, 200)
    const [{ soon }] = await rows(
      `select expires_at < clock_time() + interval '5 minutes' as soon from reservations where task_id = $1 and item_number = 2`,
      [taskId],
    )
    assert.equal(soon, false)
    const { body } = await api.as(worker).get(`/tasks/${taskId}/items`)
    assert.deepEqual(
      [body.submitted, body.left, body.reserved.map(({ number }: { number: number }) => number)],
      [1, 1, [2]],
    )
    const funnel = (await api.as(buyer).get(`/tasks/${taskId}/funnel`)).body
    assert.deepEqual([funnel.reserved, funnel.submitted], [2, 1])
    const [review] = (await api.as(buyer).get(`/task-to-review?email=${buyer.email}`)).body
    assert.deepEqual([review.submissoin_data, review.item], ['Kind: Shop', 1])
    const before = await balanceOf(api.database, worker)
    await api
      .as(buyer)
      .patch(`/update-submission-status/${submitted.body.insertedId}`, { status: 'approved' })
    assert.equal(await balanceOf(api.database, worker), before + 3)
    const item = await api.as(buyer).get(`/submissions/${submitted.body.insertedId}/item`)
    assert.deepEqual([item.body.number, item.body.answers], [1, { kind: 'Shop' }])
    const stranger = api.as(await aWorker(api.database))
    assert.equal((await stranger.get(`/submissions/${submitted.body.insertedId}/item`)).status, 404)
  })

  test('a batch is one entry of the task list; the endpoints of plain tasks do not take its slots', async () => {
    const { buyer, taskId } = await aBatch(20)
    const worker = await aWorker(api.database)
    const cards = (await api.anyone.get('/task-list-worker')).body.filter(
      ({ _id }: { _id: string }) => _id === taskId,
    )
    assert.deepEqual(
      cards.map(({ isBatch, worker: left }: { isBatch: boolean; worker: number }) => [isBatch, left]),
      [[true, 20]],
    )
    await take(worker, taskId)
    const plain = api.as(worker)
    assert.equal((await plain.post(`/tasks/${taskId}/reservation`)).body.error.code, 'state_conflict')
    const text = { taskId, submissoin_data: 'Shop' }
    assert.equal((await plain.post('/submiteted-task', text)).body.error.code, 'state_conflict')
    const { body } = await plain.get(`/task-datails/${taskId}`)
    assert.deepEqual([body.reservation, body.submission], [null, null])
    assert.equal((await api.as(buyer).post(`/tasks/${taskId}/slots`, { slots: 5 })).status, 409)
    const edit = { task_title: 'Other', task_detail: 'Other work', submission_info: 'Other' }
    assert.equal((await api.as(buyer).put(`/update-task/${taskId}`, edit)).status, 409)

    const other = await aBuyer(api.database, { coins: 30 })
    const plainTask = await aTask(api.database, other)
    assert.equal((await take(worker, plainTask)).body.error.code, 'state_conflict')
    assert.equal((await take(buyer, taskId)).status, 403)
  })

  test('concurrent workers get each slot of an item once, and one of them the last', async () => {
    const { taskId } = await aBatch(4, { workersPerItem: 3 })
    const workers = await Promise.all(Array.from({ length: 6 }, () => aWorker(api.database)))
    const results = await Promise.all(
      workers.flatMap((worker) => [take(worker, taskId), take(worker, taskId), take(worker, taskId)]),
    )
    assert.equal(results.filter(({ status }) => status === 201).length, 12)
    for (const { body } of results.filter(({ status }) => status !== 201))
      assert.equal(body.error.code, 'task_filled')
    const items = await rows(
      'select answers_taken from batch_items join tasks using (batch_id) where tasks.id = $1',
      [taskId],
    )
    assert.deepEqual(
      items.map(({ answers_taken }) => answers_taken),
      [3, 3, 3, 3],
    )
    const twice = await rows(
      'select from reservations where task_id = $1 group by worker_id, item_number having count(*) > 1',
      [taskId],
    )
    assert.equal(twice.length, 0)

    const last = await aBatch(1)
    const takes = await Promise.all(workers.map((worker) => take(worker, last.taskId)))
    assert.equal(takes.filter(({ status }) => status === 201).length, 1)
    assert.equal(await slotsLeft(last.taskId), 0)
  })

  test('a worker holds at most as many items as reservations', async () => {
    const { taskId } = await aBatch(10)
    const worker = await aWorker(api.database)
    const results = await Promise.all(Array.from({ length: 8 }, () => take(worker, taskId)))
    const numbers = results.filter(({ status }) => status === 201).map(({ body }) => body.number)
    assert.deepEqual(numbers.toSorted(ascending), [1, 2, 3, 4, 5])
    for (const { status, body } of results)
      if (status !== 201) assert.equal(body.error.code, 'reservation_limit')
  })

  test('a returned item goes to another worker; stopping returns every item', async () => {
    const { taskId } = await aBatch(2)
    const [worker, other] = [await aWorker(api.database), await aWorker(api.database)]
    await take(worker, taskId)
    const back = () => api.as(worker).delete(`/tasks/${taskId}/items/1`)
    assert.deepEqual([(await back()).body.deletedCount, (await back()).body.deletedCount], [1, 0])
    assert.equal((await take(worker, taskId)).body.number, 2)
    assert.equal((await take(worker, taskId)).body.error.code, 'task_filled')
    assert.equal((await take(other, taskId)).body.number, 1)
    assert.equal((await api.as(worker).delete(`/tasks/${taskId}/reservation`)).body.deletedCount, 1)
    assert.equal((await take(other, taskId)).body.number, 2)
    assert.equal(await slotsLeft(taskId), 0)
  })

  test('expired items lapse; a worker who lets many lapse waits a day', async () => {
    const { taskId } = await aBatch(8)
    const worker = await aWorker(api.database)
    for (let count = 0; count < 5; count++) {
      assert.equal((await take(worker, taskId)).status, 201)
      await rows(
        `update reservations set expires_at = clock_time() - interval '1 second' where ended_at is null`,
      )
      await lapseDueReservations(api.database)
    }
    assert.equal(await slotsLeft(taskId), 8)
    const { body } = await take(worker, taskId)
    assert.equal(body.error.code, 'reservation_lapsed')
    assert.match(body.error.message, /in the last 24 hours/)
    // A plain reservation can be followed by a submission without one; a lapsed item is not given to its worker again.
    const [latest] = (await api.as(worker).get('/my-notifications')).body
    assert.equal(
      latest.message,
      'Your reservation of item 5 of "Name the kind of a shop" has expired. You can no longer submit it, but you can take other items while the task is open and any are left.',
    )
    // The job that lapses them may have run a day late.
    await rows(`update reservations set expires_at = expires_at - interval '1 day'`)
    assert.equal((await take(worker, taskId)).body.number, 6)
  })

  test('an expired item of another worker is taken before the background job has run', async () => {
    const { taskId } = await aBatch(1)
    await take(await aWorker(api.database), taskId)
    const worker = await aWorker(api.database)
    assert.equal((await take(worker, taskId)).body.error.code, 'task_filled')
    await rows(`update reservations set expires_at = clock_time() - interval '1 second' where task_id = $1`, [
      taskId,
    ])
    assert.equal((await take(worker, taskId)).body.number, 1)
  })

  test('an expired item is taken by a worker who has had those that are free, and by nobody twice', async () => {
    const { taskId } = await aBatch(3)
    const [worker, other] = [await aWorker(api.database), await aWorker(api.database)]
    for (const user of [other, worker, other]) await take(user, taskId)
    await api.as(worker).delete(`/tasks/${taskId}/items/2`)
    await rows(`update reservations set expires_at = clock_time() - interval '1 second' where task_id = $1`, [
      taskId,
    ])
    const numbers = [(await take(worker, taskId)).body.number, (await take(worker, taskId)).body.number]
    assert.deepEqual(numbers.toSorted(ascending), [1, 3])
    for (const user of [worker, other]) {
      const { body } = await take(user, taskId)
      assert.equal(body.number ?? body.error.code, user === worker ? 'task_filled' : 2)
    }
  })

  test('a closed batch refunds its free answers, takes reserved ones, and opens again', async () => {
    const { buyer, taskId } = await aBatch(5)
    const worker = await aWorker(api.database)
    const { body: item } = await take(worker, taskId)
    await take(worker, taskId)
    assert.equal((await api.as(buyer).post(`/tasks/${taskId}/close`)).body.coins, 9)
    assert.equal((await take(worker, taskId)).body.error.code, 'task_closed')
    assert.equal((await submit(worker, taskId, item.number)).status, 200)
    assert.equal((await api.as(worker).delete(`/tasks/${taskId}/items/2`)).body.deletedCount, 1)
    const reopened = await api.as(buyer).post(`/tasks/${taskId}/reopen`, { completion_date: dayFromNow(9) })
    assert.equal(reopened.body.coins, 12)
    assert.equal(await slotsLeft(taskId), 4)
  })

  test('concurrent takes, submissions and returns lose no item and no coin', async () => {
    const { taskId } = await aBatch(6, { workersPerItem: 2 })
    const workers = await Promise.all(Array.from({ length: 4 }, () => aWorker(api.database)))
    await atOnce(40, async (index) => {
      const worker = workers[index % 4] as TestUser
      const { body } = await take(worker, taskId)
      if (body.number === undefined) return
      if (index % 3 === 0) await api.as(worker).delete(`/tasks/${taskId}/items/${body.number}`)
      else await submit(worker, taskId, body.number)
    })
    const [counts] = await rows(
      `select count(*)::int as submitted, count(distinct (worker_id, item_number))::int as items
         from submissions where task_id = $1`,
      [taskId],
    )
    assert.equal(counts.submitted, counts.items)
  })
})
