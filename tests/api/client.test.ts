import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { HttpError, ok } from '@oazapfts/runtime'
import * as client from '#cli/client.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, aSubmission, aWorker, type TestUser, taskBody } from '#tests/support/factories.ts'

describe('the generated client', () => {
  const api = useApi()
  let buyer: TestUser
  let withKey: { headers: { authorization: string } }

  before(async () => {
    const url = await api.instance.app.listen({ port: 0, host: '127.0.0.1' })
    client.defaults.baseUrl = `${url}/api`
    buyer = await aBuyer(api.database, { coins: 100 })
    const key = { name: 'Own system', scopes: ['tasks', 'review'], expiresInDays: 1 }
    const { body } = await api.as(buyer).post('/api-keys', key)
    withKey = { headers: { authorization: `Bearer ${body.secret}` } }
  })

  test('posts a task once per idempotency key, lists it, reads its submissions and approves one', async () => {
    const task = taskBody({ title: 'Translate a page', reward: 10, slots: 2 })
    const once = { idempotencyKey: 'order-4711' }
    const { insertedId } = await ok(client.addTask(task, once, withKey))
    assert.equal((await ok(client.addTask(task, once, withKey))).insertedId, insertedId)
    assert.ok(insertedId !== null)

    const [listed, ...others] = await ok(client.myTask(buyer.email, { limit: '10' }, withKey))
    assert.equal(others.length, 0)
    assert.deepEqual([listed?._id, listed?.task_title], [insertedId, 'Translate a page'])

    const submissionId = await aSubmission(api.database, insertedId, await aWorker(api.database))
    const submissions = await ok(client.taskToReview(buyer.email, { status: 'pending' }, withKey))
    assert.deepEqual(
      submissions.map(({ _id, taskId, state }) => [_id, taskId, state]),
      [[submissionId, insertedId, 'pending']],
    )

    const approval = { status: 'approved' } as const
    assert.equal(
      (await ok(client.updateSubmissionStatus(submissionId, approval, {}, withKey))).modifiedCount,
      1,
    )
    assert.deepEqual(await ok(client.taskToReview(buyer.email, { status: 'pending' }, withKey)), [])
  })

  test('distinguishes a success and each refusal by its status', async () => {
    const expensive = taskBody({ reward: 1_000_000 })
    const response = await client.addTask(expensive, {}, withKey)
    assert.equal(response.status, 409)
    if (response.status === 409) assert.equal(response.data.error.code, 'insufficient_coins')

    const unknown = { headers: { authorization: 'Bearer tw_unknown' } }
    await assert.rejects(ok(client.myTaskTotals(unknown)), (error) => {
      assert.ok(error instanceof HttpError)
      assert.deepEqual([error.status, error.data.error.code], [401, 'invalid_token'])
      return true
    })
  })
})
