import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { Refusal } from './refusal.ts'

describe('a concurrency limit', () => {
  test('runs work in order and refuses with 503 when the queue is full', async () => {
    const limit = createConcurrencyLimit({ running: 2, waiting: 3, refusal: 'unavailable.sign_in' })
    const ends: (() => void)[] = []
    const started: number[] = []
    const work = (n: number) =>
      limit(() => {
        started.push(n)
        return new Promise<number>((resolve) => ends.push(() => resolve(n)))
      })
    const admitted = [1, 2, 3, 4, 5].map(work)
    await assert.rejects(
      work(6),
      (error: Refusal) => error instanceof Refusal && error.code === 'unavailable',
    )
    assert.deepEqual(started, [1, 2])
    for (let n = 0; n < 5; n++) {
      ends[n]?.()
      await admitted[n]
      await new Promise(setImmediate)
      assert.deepEqual(started, [1, 2, 3, 4, 5].slice(0, Math.min(n + 3, 5)))
    }
    const last = work(7)
    assert.deepEqual(started.at(-1), 7)
    ends.at(-1)?.()
    assert.equal(await last, 7)
  })

  test('failed work frees its slot', async () => {
    const limit = createConcurrencyLimit({ running: 1, waiting: 1, refusal: 'unavailable.sign_in' })
    for (let n = 0; n < 3; n++) {
      await assert.rejects(
        limit(() => Promise.reject(new Error('broken'))),
        /broken/,
      )
    }
  })
})
