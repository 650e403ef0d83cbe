import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, aSubmission, aTask, aWorker, noAppeals, testConfig } from '#tests/support/factories.ts'
import { approveSubmission } from './approve.ts'
import { rejectSubmission } from './reject.ts'

describe("a worker's own submissions", () => {
  const api = useApi()

  async function workOnThreeTasks() {
    const { database } = api
    const [buyer, worker] = [await aBuyer(database, { coins: 1000 }), await aWorker(database)]
    const tasks = [await aTask(database, buyer), await aTask(database, buyer), await aTask(database, buyer)]
    const [pending, approved, rejected] = tasks as [string, string, string]
    await aSubmission(database, pending, worker)
    await approveSubmission(database, await aSubmission(database, approved, worker), buyer.id)
    const reject = async () => {
      const id = await aSubmission(database, rejected, worker)
      await rejectSubmission(database, noAppeals, id, buyer.id, { reason: 'No' })
    }
    await reject()
    return { buyer, worker, pending, approved, rejected, reject }
  }

  test('the state of work on tasks is that of the latest submission, and of nobody else', async () => {
    const { worker, pending, approved, rejected, reject } = await workOnThreeTasks()
    await aSubmission(api.database, pending, await aWorker(api.database))
    const tasks = [pending, approved, rejected, randomUUID()].join()
    const statesOf = async (user: typeof worker) => {
      const { body } = await api.as(user).get(`/my-task-states?tasks=${tasks}`)
      return Object.fromEntries(body.map(({ taskId, state }: Record<string, string>) => [taskId, state]))
    }
    assert.deepEqual(await statesOf(worker), {
      [pending]: 'pending',
      [approved]: 'approved',
      [rejected]: 'rejected',
    })
    assert.deepEqual(await statesOf(await aWorker(api.database)), {})
    await reject()
    await aSubmission(api.database, rejected, worker)
    assert.equal((await statesOf(worker))[rejected], 'pending')
  })

  test('a task shows its worker the latest rejection that is not final, and takes other work meanwhile', async () => {
    const { database } = api
    const [buyer, worker] = [await aBuyer(database, { coins: 1000 }), await aWorker(database)]
    const task = await aTask(database, buyer)
    const client = api.as(worker)
    const shown = async (user = worker) => (await api.as(user).get(`/task-datails/${task}`)).body
    const aRejection = async () => {
      const id = await aSubmission(database, task, worker)
      await rejectSubmission(database, testConfig, id, buyer.id, { reason: 'No' })
      return id
    }
    const first = await aRejection()
    await client.post(`/submissions/${first}/appeal`, { text: 'It is right.' })
    const { rejection, submission } = await shown()
    assert.deepEqual([rejection._id, rejection.state, submission], [first, 'appealed', null])
    assert.ok(Date.parse(rejection.dueAt) > Date.now())
    assert.equal((await shown(await aWorker(database))).rejection, null)

    const second = await aRejection()
    assert.deepEqual((await shown()).rejection.state, 'rejection_open')
    await client.post(`/submissions/${second}/acceptance`)
    const third = await aSubmission(database, task, worker)
    const both = await shown()
    assert.deepEqual([both.rejection._id, both.submission._id], [first, third])
    await api.as(buyer).post(`/submissions/${first}/concession`)
    assert.equal((await shown()).rejection, null)
  })

  test('a hundred tasks can be asked about, and no more', async () => {
    const worker = await aWorker(api.database)
    const ask = (tasks: string) => api.as(worker).get(`/my-task-states?tasks=${tasks}`)
    const ids = Array.from({ length: 101 }, () => randomUUID())
    assert.equal((await ask(ids.slice(1).join())).status, 200)
    assert.equal((await ask(ids.join())).status, 422)
    assert.equal((await ask('not-an-id')).status, 422)
    assert.equal(
      (await api.as(await aBuyer(api.database)).get(`/my-task-states?tasks=${ids[0]}`)).status,
      403,
    )
  })

  test('a list of all submissions includes rejected ones', async () => {
    const { worker } = await workOnThreeTasks()
    const list = async (query: string) =>
      (await api.as(worker).get(`/my-submissoin/${worker.email}${query}`)).body
    const all = await list('?status=all')
    assert.deepEqual(
      [all.totalTasks, all.tasks.map(({ status }: { status: string }) => status)],
      [3, ['rejected', 'approved', 'pending']],
    )
    assert.equal((await list('')).totalTasks, 2)
  })
})
