import assert from 'node:assert/strict'
import { test } from 'node:test'
import { submissionCase } from '#contract/appeals.ts'
import { itemOfSubmission, itemsInWork, type ReservedItem } from '#contract/items.ts'
import { type ListedReservation, myReservations } from '#contract/reservations.ts'
import { taskDetails, taskListWorker } from '#contract/tasks.ts'
import { infiniteQueryOf, queryClient, queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { server, until } from '#web/testing/app.tsx'
import { anId, aTask, aTaskDetails, aUser } from '#web/testing/records.ts'
import { restoreReplies, saveReplies } from './saved-replies.ts'

const worker = aUser('Worker')
const expiresAt = new Date(Date.now() + 3_600_000).toISOString()

const aReservation = (taskId: string, item: number | null): ListedReservation => ({
  _id: anId(),
  taskId,
  taskVersion: 1,
  expiresAt,
  item,
  task_title: 'Describe shops',
  payable_amount: 5,
  task_image_url: '',
})

const anItem = (taskId: string, number: number): ReservedItem => ({
  taskId,
  number,
  expiresAt,
  title: 'Describe shops',
  instructions: 'Look at the shop.',
  pictures: [],
  examples: [],
  form: { fields: [{ type: 'text', name: 'note', label: 'Note', required: false }] },
  reward: 5,
})

/** Serves a task and an item of it that the worker has reserved, and returns the reservation. */
function serveReserved(item: number | null): ListedReservation {
  const task = aTaskDetails({ isBatch: item !== null })
  server.signIn(worker)
  server.serve(taskDetails, task)
  const reserved = item === null ? [] : [anItem(task._id, item)]
  server.serve(itemsInWork, { reserved, submitted: 0, left: 3 })
  const reservation = aReservation(task._id, item)
  server.serve(myReservations, [reservation])
  return reservation
}

test('lists and reserved items that nothing shows any more stay in memory to be saved with the rest', async (t) => {
  server.signIn(worker)
  const id = anId()
  const listQuery = infiniteQueryOf(taskListWorker, {})
  const itemsQuery = queryOf(itemsInWork, { params: { id } })
  server.serve(taskListWorker, [aTask()])
  server.serve(itemsInWork, { reserved: [anItem(id, 1)], submitted: 0, left: 3 })
  await restoreReplies(queryClient, worker.email)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await queryClient.fetchInfiniteQuery(listQuery)
  await queryClient.fetchQuery(itemsQuery)
  t.mock.timers.tick(31 * 60_000)
  assert.ok(queryClient.getQueryData(listQuery.queryKey))
  assert.ok(queryClient.getQueryData(itemsQuery.queryKey))
})

test('a case and its item stay, so that a draft of revised work is shown after a reload offline', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await restoreReplies(queryClient, worker.email)
  const keys = [submissionCase, itemOfSubmission].map((endpoint) => queryKeyOf(endpoint))
  for (const key of keys) queryClient.setQueryData(key, {})
  t.mock.timers.tick(31 * 60_000)
  assert.deepEqual(
    keys.map((key) => queryClient.getQueryData(key)),
    [{}, {}],
  )
})

test('a reserved task is fetched with its item when it is not on the device, and once', async (t) => {
  const { taskId } = serveReserved(4)
  t.after(saveReplies(queryClient, worker.email))
  const input = { params: { id: taskId } }
  await queryClient.fetchQuery(queryOf(myReservations, {}))
  await until(() => assert.ok(queryClient.getQueryData(queryOf(taskDetails, input).queryKey)))
  await until(() => assert.ok(queryClient.getQueryData(queryOf(itemsInWork, input).queryKey)))
  await queryClient.fetchQuery({ ...queryOf(myReservations, {}), staleTime: 0 })
  assert.deepEqual([server.received(taskDetails).length, server.received(itemsInWork).length], [1, 1])
})

test('items that are known are fetched again for one that was reserved on another device', async (t) => {
  const { taskId } = serveReserved(4)
  t.after(saveReplies(queryClient, worker.email))
  const { queryKey } = queryOf(itemsInWork, { params: { id: taskId } })
  queryClient.setQueryData(queryKey, { reserved: [anItem(taskId, 3)], submitted: 0, left: 3 })
  await queryClient.fetchQuery(queryOf(myReservations, {}))
  await until(() => assert.equal(queryClient.getQueryData(queryKey)?.reserved[0]?.number, 4))
})

test('a reserved task that is no batch has no items to fetch', async (t) => {
  serveReserved(null)
  t.after(saveReplies(queryClient, worker.email))
  await queryClient.fetchQuery(queryOf(myReservations, {}))
  await until(() => assert.equal(server.received(taskDetails).length, 1))
  assert.equal(server.received(itemsInWork).length, 0)
})

test('a user who saves data fetches a reserved task when they open it', async (t) => {
  const { taskId } = serveReserved(4)
  t.after(saveReplies(queryClient, worker.email))
  Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData: true } })
  t.after(() => Reflect.deleteProperty(navigator, 'connection'))
  await queryClient.fetchQuery(queryOf(myReservations, {}))
  await queryClient.fetchQuery(queryOf(taskDetails, { params: { id: taskId } }))
  assert.equal(server.received(itemsInWork).length, 0)
})
