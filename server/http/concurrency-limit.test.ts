import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConcurrencyLimit } from './concurrency-limit.ts'

test('a concurrency limit runs work in order and refuses with 503 while the queue is full', async () => {
  const limit = createConcurrencyLimit({ running: 2, waiting: 3, refusal: 'unavailable.sign_in' })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const started: number[] = []
  const work = (n: number) =>
    limit(async () => {
      started.push(n)
      await released
      if (n === 2) throw new Error('broken')
      return n
    })
  const admitted = [1, 2, 3, 4, 5].map(work)
  await assert.rejects(work(6), { code: 'unavailable' })
  assert.deepEqual(started, [1, 2])
  release()
  const outcomes = await Promise.allSettled(admitted)
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed')),
    [1, 'failed', 3, 4, 5],
  )
  assert.deepEqual(started, [1, 2, 3, 4, 5])
  assert.equal(await work(7), 7)
})
