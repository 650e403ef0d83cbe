import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, aTask, type TestUser } from '#tests/support/factories.ts'

describe('a cursor', () => {
  const api = useApi()
  let buyer: TestUser
  before(async () => {
    buyer = await aBuyer(api.database)
    for (const reward of [1, 2, 3]) await aTask(api.database, buyer, { reward, slots: 1 })
  })
  const cursorOf = async (path: string) => {
    const { status, next, text } = await api.as(buyer).get(`${path}limit=1`)
    assert.equal(status, 200, text)
    assert.notEqual(next, '')
    return next
  }

  test('continues its list, also with another limit', async () => {
    const next = await cursorOf('/all-task?sort=pay&')
    const { body } = await api.as(buyer).get(`/all-task?limit=5&sort=pay${next}`)
    assert.deepEqual(
      body.map(({ payable_amount }: { payable_amount: number }) => payable_amount),
      [2, 1],
    )
  })

  test('of another order, filter or list is refused', async () => {
    const ofTasks = await cursorOf('/all-task?sort=pay&')
    const ofMyTasks = await cursorOf(`/my-task/${buyer.email}?sort=deadline&`)
    const other = await aBuyer(api.database)
    const cases = [
      `/all-task?sort=slots${ofTasks}`,
      `/all-task?sort=pay&pay_min=2${ofTasks}`,
      `/task-list-worker?sort=pay${ofTasks}`,
      `/my-task/${buyer.email}?sort=ending${ofMyTasks}`,
    ]
    for (const path of cases) {
      const { status, body } = await api.as(buyer).get(path)
      assert.deepEqual([status, body.error?.fields], [400, { cursor: 'Unknown cursor' }], path)
    }
    const ofAnother = await api.as(other).get(`/my-task/${other.email}?sort=deadline${ofMyTasks}`)
    assert.equal(ofAnother.status, 400)
  })

  test('of a version that named no list still continues', async () => {
    const [first, second] = (await api.as(buyer).get('/all-task')).body
    const cursor = Buffer.from(JSON.stringify([first._id])).toString('base64url')
    const { status, body } = await api.as(buyer).get(`/all-task?limit=1&cursor=${cursor}`)
    assert.deepEqual([status, body[0]?._id], [200, second._id])
  })
})
