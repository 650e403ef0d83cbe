import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { anOpenBatch } from '#tests/support/batches.ts'
import { aBuyer, aPendingSubmission, aTask, aWorker, balanceOf } from '#tests/support/factories.ts'
import { slotsLeft } from '#tests/support/submissions.ts'

describe('tasks on hold', () => {
  const api = useApi()
  const hold = (buyerId: string, coins: number) =>
    api.database.pool.query('select from hold_tasks($1, $2)', [buyerId, coins])

  test('are not offered to workers, and get no slots of their buyer, until the hold is over', async () => {
    const buyer = await aBuyer(api.database, { coins: 100 })
    const worker = await aWorker(api.database)
    const taskId = await aTask(api.database, buyer, { slots: 2, reward: 10 })
    const batch = await anOpenBatch(api.database, { items: 2 })
    const tasks = [taskId, batch.taskId]
    const reasons = async () => {
      const { body: listed } = await api.as(worker).get(`/my-ineligible-tasks?tasks=${tasks.join()}`)
      const details = tasks.map((id) => api.as(worker).get(`/task-datails/${id}`))
      return [
        Object.fromEntries(listed.map((one: { taskId: string; reason: string }) => [one.taskId, one.reason])),
        ...(await Promise.all(details)).map(({ body }) => body.ineligibility?.reason),
      ]
    }
    const holds = async () => (await api.as(buyer).get(`/my-task-progress?tasks=${taskId}`)).body[0].held
    const addSlot = () => api.as(buyer).post(`/tasks/${taskId}/slots`, { slots: 1 })
    assert.deepEqual(await reasons(), [{}, undefined, undefined])

    for (const { id } of [buyer, batch.buyer]) await hold(id, 1_000_000)
    assert.deepEqual(await reasons(), [{ [taskId]: 'held', [batch.taskId]: 'held' }, 'held', 'held'])
    const { ineligibility } = (await api.as(worker).get(`/task-datails/${taskId}`)).body
    const refused = await api.as(worker).post('/submiteted-task', { taskId, submissoin_data: 'Done' })
    assert.equal(refused.body.error.message, ineligibility.message)
    const unsold = await addSlot()
    assert.deepEqual([unsold.status, unsold.body.error.code], [409, 'task_closed'])
    assert.equal(await holds(), true)

    for (const { id } of [buyer, batch.buyer]) await hold(id, 0)
    assert.deepEqual(await reasons(), [{}, undefined, undefined])
    assert.equal((await addSlot()).status, 200)
    assert.equal(await holds(), false)
  })

  test('get no slot of rejected work either, which nobody could take', async () => {
    const { buyer, taskId, submissionId } = await aPendingSubmission(api.database)
    await api.as(buyer).delete(`/submission-reject/${submissionId}`, { reason: 'Not what I asked for' })
    const reopenSlot = () => api.as(buyer).post(`/submissions/${submissionId}/reopened-slot`)
    const before = [await slotsLeft(api.database, taskId), await balanceOf(api.database, buyer)]

    await hold(buyer.id, 1_000_000)
    const refused = await reopenSlot()
    assert.deepEqual([refused.status, refused.body.error?.code], [409, 'task_closed'])
    assert.deepEqual([await slotsLeft(api.database, taskId), await balanceOf(api.database, buyer)], before)

    await hold(buyer.id, 0)
    assert.equal((await reopenSlot()).status, 200)
  })
})
