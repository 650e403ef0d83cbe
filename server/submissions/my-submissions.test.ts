import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, aSubmission, aTask, aWorker, type TestUser } from '#tests/support/factories.ts'
import { approveSubmission } from './approve.ts'

describe('the submissions of a worker', () => {
  const api = useApi()
  let worker: TestUser

  before(async () => {
    const buyer = await aBuyer(api.database, { coins: 10_000 })
    worker = await aWorker(api.database)
    const other = await aWorker(api.database)
    for (let index = 0; index < 6; index++) {
      const taskId = await aTask(api.database, buyer, { title: index % 2 === 0 ? 'A needle' : 'A thread' })
      const submissionId = await aSubmission(api.database, taskId, worker)
      await aSubmission(api.database, taskId, other)
      if (index < 3) await approveSubmission(api.database, submissionId, buyer.id)
    }
  })

  const list = async (query: string) =>
    (await api.as(worker).get(`/my-submissoin/${worker.email}?${query}`)).body as {
      tasks: { _id: string; task_title: string }[]
      totalTasks: number
    }

  test('they are found by words of the task, in every status and page', async () => {
    const found = await list('q=needl&status=all')
    assert.deepEqual(
      [found.totalTasks, found.tasks.map(({ task_title }) => task_title)],
      [3, ['A needle', 'A needle', 'A needle']],
    )
    assert.equal((await list('q=needle&status=approved')).totalTasks, 2)
    assert.equal((await list('q=needle&state=pending')).totalTasks, 1)
    assert.equal((await list('q=nothing')).totalTasks, 0)
    assert.deepEqual(
      await list('q=---'),
      { tasks: [], totalTasks: 0 },
      'A search without a word finds nothing',
    )
    const pages = [await list('q=needle&limit=2&page=0'), await list('q=needle&limit=2&page=1')]
    assert.deepEqual(
      pages.flatMap(({ tasks }) => tasks.map(({ _id }) => _id)),
      found.tasks.map(({ _id }) => _id),
    )
  })

  test('page numbers go through all states in one order', async () => {
    const all = await list('limit=50')
    assert.equal(all.tasks.length, 6)
    const pages = await Promise.all([0, 1, 2, 3].map((page) => list(`limit=2&page=${page}`)))
    assert.deepEqual(
      pages.map(({ tasks }) => tasks.map(({ _id }) => _id)),
      [...[0, 2, 4].map((from) => all.tasks.slice(from, from + 2).map(({ _id }) => _id)), []],
    )
  })

  test('counts are of the caller alone', async () => {
    const { body } = await api.as(worker).get('/my-submission-counts')
    const counts = Object.fromEntries(
      body.map((row: { state: string; count: number }) => [row.state, row.count]),
    )
    assert.deepEqual(counts, { pending: 3, approved: 3 })
  })
})
