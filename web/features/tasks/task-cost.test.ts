import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calculateCost } from './task-cost.ts'

test('a task costs workers times pay, and the fee of the marketplace rounded up', () => {
  assert.deepEqual(calculateCost(4, 5, 0), { work: 20, fee: 0, total: 20 })
  assert.deepEqual(calculateCost(3, 5, 10), { work: 15, fee: 2, total: 17 })
  assert.deepEqual(calculateCost(1, 2, 1), { work: 2, fee: 1, total: 3 })
  assert.deepEqual(calculateCost(100, 100, 0.07), { work: 10_000, fee: 7, total: 10_007 })
})

test('there is no cost before both are whole numbers above zero', () => {
  for (const [workers, pay] of [
    ['', 5],
    [3, ''],
    [0, 5],
    [3, 1.5],
    [-1, 5],
    [2 ** 52, 1000],
  ]) {
    assert.equal(calculateCost(workers, pay, 0), null)
  }
})
