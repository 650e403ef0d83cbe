import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SAVED_FILTERS_MAX } from '#contract/task-filters.ts'
import { useApi } from '#tests/support/api.ts'
import { anAdmin, aWorker } from '#tests/support/factories.ts'

describe('saved filters of the task lists', () => {
  const api = useApi()
  const named = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Filter ${index}` }))

  test('they follow the user, keep their order, and are replaced as a whole', async () => {
    const worker = await aWorker(api.database)
    assert.deepEqual((await api.as(worker).get('/task-filters')).body, { filters: [] })
    const filters = [
      { name: 'Well paid', pay_min: 50, sort: 'pay' },
      { name: 'A', category: 'survey', open: true },
    ]
    await api.as(worker).put('/task-filters', { filters })
    assert.deepEqual((await api.as(worker).get('/task-filters')).body, { filters })
    await api.as(worker).put('/task-filters', { filters: named(1) })
    assert.deepEqual((await api.as(worker).get('/task-filters')).body, { filters: named(1) })
    assert.deepEqual((await api.as(await aWorker(api.database)).get('/task-filters')).body, { filters: [] })
  })

  test('their number is bounded, by the contract and by the database', async () => {
    const worker = await aWorker(api.database)
    const store = (count: number) => api.as(worker).put('/task-filters', { filters: named(count) })
    assert.equal((await store(SAVED_FILTERS_MAX)).status, 200)
    assert.equal((await store(SAVED_FILTERS_MAX + 1)).status, 422)
    await assert.rejects(
      api.database.pool.query('update task_filters set filters = $1', [
        JSON.stringify(named(SAVED_FILTERS_MAX + 1)),
      ]),
      { constraint: 'task_filters_number' },
    )
  })

  test('they are deleted with the user', async () => {
    const worker = await aWorker(api.database)
    await api.as(worker).put('/task-filters', { filters: named(2) })
    await api.as(await anAdmin(api.database)).delete(`/delete-user/${worker.id}`)
    const { rows } = await api.database.pool.query('select from task_filters where user_id = $1', [worker.id])
    assert.equal(rows.length, 0)
  })
})
