import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { estimateTruth } from './dawid-skene.ts'

// Dawid and Skene (1979), table 1: the answers of five anaesthetists about 45 patients, patient by patient. The first anaesthetist
// answered three times.
const TABLE_1 = `
111 1 1 1 1 | 333 4 3 3 4 | 112 2 1 2 2 | 222 3 1 2 1 | 222 3 2 2 2 | 222 3 3 2 2 | 122 2 1 1 1 | 333 3 4 3 3 | 222 2 2 2 3
232 2 2 2 3 | 444 4 4 4 4 | 222 3 3 4 3 | 111 1 1 1 1 | 222 3 2 1 2 | 121 1 1 1 1 | 111 2 1 1 1 | 111 1 1 1 1 | 111 1 1 1 1
222 2 2 2 1 | 222 1 3 2 2 | 222 2 2 2 2 | 222 2 2 2 1 | 222 3 2 2 2 | 221 2 2 2 2 | 111 1 1 1 1 | 111 1 1 1 1 | 232 2 2 2 2
111 1 1 1 1 | 111 1 1 1 1 | 112 1 1 2 1 | 111 1 1 1 1 | 333 3 2 3 3 | 111 1 1 1 1 | 222 2 2 2 2 | 222 3 2 3 2 | 433 4 3 4 3
221 2 2 3 2 | 232 3 2 3 3 | 333 3 4 3 2 | 111 1 1 1 1 | 111 1 1 1 1 | 121 2 1 1 1 | 232 2 2 2 2 | 121 1 1 1 1 | 222 2 2 2 2`

// The published estimates: how frequent the classes are, and of each anaesthetist the rates of the answers 1 to 4 where the true
// class is 1, 2, 3 and 4.
const FREQUENCIES = [0.4, 0.42, 0.11, 0.07]
const RATES = [
  [0.89, 0.11, 0, 0, 0.07, 0.88, 0.05, 0, 0, 0.34, 0.66, 0, 0, 0, 0.56, 0.44],
  [0.83, 0.17, 0, 0, 0.05, 0.63, 0.31, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  [1, 0, 0, 0, 0.11, 0.79, 0.11, 0, 0, 0.4, 0.2, 0.4, 0, 0, 0.67, 0.33],
  [0.94, 0.06, 0, 0, 0.05, 0.84, 0.1, 0, 0, 0, 0.8, 0.2, 0, 0, 0.33, 0.67],
  [1, 0, 0, 0, 0.16, 0.73, 0.11, 0, 0, 0.21, 0.79, 0, 0, 0, 0.33, 0.67],
]
// The published class of each patient. The probability of those of which it is not 1.00: patients 7, 35 and 38.
const CLASSES = '142222132243121111222222112111131224233111212'.split('').map(Number)
const UNCERTAIN: Record<number, number> = { 7: 0.98, 35: 0.95, 38: 0.98 }

const votesOf = (answers: readonly (readonly [item: number, worker: number, value: number])[]) => ({
  items: Int32Array.from(answers, ([item]) => item),
  workers: Int32Array.from(answers, ([, worker]) => worker),
  values: Int32Array.from(answers, ([, , value]) => value),
})

describe('the estimates of Dawid and Skene', () => {
  test('are those that the paper published for its data', () => {
    const patients = TABLE_1.split(/[|\n]/).filter((patient) => patient.trim() !== '')
    const answers = patients.flatMap((patient, item) =>
      patient
        .trim()
        .split(' ')
        .flatMap((given, worker) => Array.from(given, (value) => [item, worker, Number(value) - 1] as const)),
    )
    assert.equal(answers.length, 315)
    const found = estimateTruth(votesOf(answers), { items: 45, workers: 5, values: 4 }, 200)
    assert.ok(found.isConverged)
    const isClose = (actual: number, published: number, what: string) =>
      assert.ok(Math.abs(actual - published) <= 0.01, `${what}: ${actual} instead of ${published}`)
    for (const [value, published] of FREQUENCIES.entries())
      isClose(found.frequencies[value] ?? 0, published, `frequency of class ${value + 1}`)
    for (const [worker, rates] of RATES.entries())
      for (const [place, published] of rates.entries())
        isClose(
          found.rate(worker, Math.floor(place / 4), place % 4),
          published,
          `rate ${place} of anaesthetist ${worker + 1}`,
        )
    for (const [item, published] of CLASSES.entries())
      isClose(
        found.probabilities[item * 4 + published - 1] ?? 0,
        UNCERTAIN[item + 1] ?? 1,
        `class of patient ${item + 1}`,
      )
  })

  test('a worker who is often wrong is outvoted by one who is right', () => {
    // Two careful workers agree on 20 items; a third one always says 0. Then the first and the third differ on an item.
    const answers = Array.from({ length: 20 }, (_, item) => [
      [item, 0, item % 2] as const,
      [item, 1, item % 2] as const,
      [item, 2, 0] as const,
    ]).flat()
    const found = estimateTruth(
      votesOf([...answers, [20, 0, 1], [20, 2, 0]]),
      { items: 21, workers: 3, values: 2 },
      100,
    )
    assert.ok((found.probabilities[20 * 2 + 1] ?? 0) > 0.99)
    assert.ok(found.errorRate(0) < 0.01)
    assert.ok(found.errorRate(2) > 0.4)
  })

  test('two workers who always differ leave a tie', () => {
    const found = estimateTruth(
      votesOf([
        [0, 0, 0],
        [0, 1, 1],
      ]),
      { items: 1, workers: 2, values: 2 },
      100,
    )
    assert.deepEqual([...found.probabilities], [0.5, 0.5])
  })
})
