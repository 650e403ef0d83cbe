import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Refusal } from '#server/http/refusal.ts'
import { makeGate } from './gate.ts'

describe('a gate', () => {
  test('lets a few in at a time, in order, and tells who finds too many waiting to come back', async () => {
    const gate = makeGate({ running: 2, waiting: 3 })
    const ends: (() => void)[] = []
    const begun: number[] = []
    const work = (n: number) =>
      gate(() => {
        begun.push(n)
        return new Promise<number>((resolve) => ends.push(() => resolve(n)))
      })
    const inside = [1, 2, 3, 4, 5].map(work)
    await assert.rejects(
      work(6),
      (error: Refusal) => error instanceof Refusal && error.code === 'unavailable',
    )
    assert.deepEqual(begun, [1, 2])
    for (let n = 0; n < 5; n++) {
      ends[n]?.()
      await inside[n]
      await new Promise(setImmediate)
      assert.deepEqual(begun, [1, 2, 3, 4, 5].slice(0, Math.min(n + 3, 5)))
    }
    const last = work(7)
    assert.deepEqual(begun.at(-1), 7)
    ends.at(-1)?.()
    assert.equal(await last, 7)
  })

  test('a place is given back when the work fails', async () => {
    const gate = makeGate({ running: 1, waiting: 1 })
    for (let n = 0; n < 3; n++) {
      await assert.rejects(
        gate(() => Promise.reject(new Error('broken'))),
        /broken/,
      )
    }
  })
})
