import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TaskCategory } from '#contract/task-categories.ts'
import { TaskSort } from '#contract/tasks.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, type TestUser, taskBody } from '#tests/support/factories.ts'
import { listTasks } from './list.ts'

describe('categories of tasks', () => {
  const api = useApi()
  let buyer: TestUser

  before(async () => {
    buyer = await aBuyer(api.database, { coins: 10_000 })
  })

  async function post(title: string, category?: TaskCategory, reward = 1): Promise<string> {
    const body = { ...taskBody({ title, reward }), task_detail: 'As described.', category }
    return (await api.as(buyer).post('/add-task', body)).body.insertedId
  }
  const categoryOf = async (id: string) => (await api.as(buyer).get(`/task-datails/${id}`)).body.category

  test('a task without a category gets the one that its words suggest, a chosen one stays', async () => {
    assert.equal(await categoryOf(await post('Translate a menu')), 'translation')
    assert.equal(await categoryOf(await post('Help me')), 'other')
    assert.equal(await categoryOf(await post('Translate a menu', 'local')), 'local')
  })

  test('lists can be filtered by category, and name that of each task', async () => {
    const id = await post('Draw a map', 'design')
    await post('Draw a map', 'survey')
    for (const path of ['/task-list-worker', '/all-task']) {
      const { body } = await api.anyone.get(`${path}?category=design`)
      assert.deepEqual(
        body.map((task: { _id: string; category: string }) => [task._id, task.category]),
        [[id, 'design']],
      )
    }
  })

  test('an unknown category is rejected with 422', async () => {
    assert.equal((await api.anyone.get('/all-task?category=gambling')).status, 422)
    const body = { ...taskBody(), category: 'gambling' }
    assert.equal((await api.as(buyer).post('/add-task', body)).status, 422)
  })

  test('a category goes with words and pay in every order and list', async () => {
    for (let index = 0; index < 8; index++)
      await post(`Needle ${index}`, index % 2 === 0 ? 'testing' : 'writing', 1 + index)
    for (const sort of TaskSort.options) {
      for (const scope of ['open', 'workers', 'all'] as const) {
        const count = async (filter: { q?: string; payMin?: number; payMax?: number }) => {
          const first = sort === 'newest' ? [null] : [null, null]
          const rows = await listTasks(
            api.database,
            { scope, sort, category: 'testing', ...filter },
            first,
            50,
          )
          assert.ok(rows.every(({ category }) => category === 'testing'))
          return rows.length
        }
        assert.equal(await count({}), 4, `${sort} ${scope}`)
        assert.equal(await count({ q: 'needle' }), 4, `${sort} ${scope}`)
        assert.equal(await count({ payMin: 3 }), 3, `${sort} ${scope}`)
        assert.equal(await count({ q: 'needle', payMin: 3, payMax: 5 }), 2, `${sort} ${scope}`)
      }
    }
  })
})
