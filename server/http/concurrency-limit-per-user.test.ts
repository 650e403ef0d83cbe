import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PROJECT } from '#tests/api/samples.ts'
import { useApi } from '#tests/support/api.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, aTask } from '#tests/support/factories.ts'
import { lockWaits } from '#tests/support/lock-waits.ts'

const TEXTS = { task_title: 'A task', task_detail: 'To do', submission_info: 'A line' }
const WRITES = 100

describe('concurrent writes of one user', () => {
  const api = useApi()

  test('that wait for one row leave connections for the writes of others', async () => {
    const { database } = api
    const [one, other] = [await aBuyer(database), await aBuyer(database)]
    const edit = async (buyer: typeof one, id: string) =>
      (await api.as(buyer).put(`/update-task/${id}`, TEXTS)).status
    const [task, others] = [await aTask(database, one), await aTask(database, other)]

    const holder = await database.pool.connect()
    await holder.query('begin')
    await holder.query('select from tasks where id = $1 for update', [task])
    const writes = Array.from({ length: WRITES }, () => edit(one, task))
    await eventually(async () => (await lockWaits(database.pool)) >= 4)
    assert.equal(await edit(other, others), 200)
    await holder.query('rollback')
    holder.release()
    assert.deepEqual(await Promise.all(writes), Array(WRITES).fill(200))
  })

  test('that are idempotent without a key do so too', async () => {
    const { database } = api
    const [one, other] = [await aBuyer(database), await aBuyer(database)]
    const { body: project } = await api.as(one).post('/projects', PROJECT)
    const { body: batch } = await api.as(one).post(`/projects/${project._id}/batches`, { fileName: 'a.csv' })
    const task = await aTask(database, other)

    const holder = await database.pool.connect()
    await holder.query('begin')
    await holder.query('select from batches where id = $1 for update', [batch._id])
    const upload = () => api.as(one).put(`/batches/${batch._id}/chunks/0`, { content: 'eA==' })
    const writes = Array.from({ length: WRITES }, async () => (await upload()).status)
    await eventually(async () => (await lockWaits(database.pool)) >= 4)
    assert.equal((await api.as(other).put(`/update-task/${task}`, TEXTS)).status, 200)
    await holder.query('rollback')
    holder.release()
    assert.deepEqual(await Promise.all(writes), Array(WRITES).fill(200))
  })
})
