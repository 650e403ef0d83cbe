import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AgreementInput, computeAgreement } from './agreement.ts'

type Given = [item: number, worker: number, ...codes: number[]]

function inputOf(questions: AgreementInput['questions'], answers: Given[]): AgreementInput {
  return {
    questions,
    items: Int32Array.from(answers, ([item]) => item),
    workers: Int32Array.from(answers, ([, worker]) => worker),
    codes: questions.map((_, place) => Float64Array.from(answers, (answer) => answer[place + 2] ?? -1)),
    itemCount: Math.max(...answers.map(([item]) => item)) + 1,
    workerCount: Math.max(...answers.map(([, worker]) => worker)) + 1,
  }
}

describe('the agreement of answers', () => {
  test('is the share of the most frequent one; a tie has none', () => {
    const { questions, compared, agreeing } = computeAgreement(
      inputOf(
        [{ options: 3, isMultiple: false }],
        [
          [0, 0, 2],
          [0, 1, 2],
          [0, 2, 1],
          [1, 0, 0],
          [1, 1, 1],
          [2, 0, 1],
          [3, 1, -1],
        ],
      ),
    )
    const [found] = questions
    assert.deepEqual([...(found?.votes ?? [])], [3, 2, 1, 0])
    assert.deepEqual([...(found?.majority ?? [])], [2, -1, 1, -1])
    assert.deepEqual([...(found?.share ?? [])], [2 / 3, 0.5, 1, 0])
    assert.equal(found?.estimate[3], -1)
    const { items, unanimous, tied } = found?.summary ?? {}
    assert.deepEqual([items, unanimous, tied], [2, 0, 1])
    // A single answer is compared with nothing.
    assert.ok([...compared].every((count) => count <= 2))
    assert.ok([...agreeing].every((count, worker) => count <= (compared[worker] ?? 0)))
  })

  test('compares several options as a whole, and estimates each of them', () => {
    // Options 1 and 3, option 1, options 1 and 3.
    const { questions, compared, agreeing } = computeAgreement(
      inputOf(
        [{ options: 3, isMultiple: true }],
        [
          [0, 0, 5],
          [0, 1, 1],
          [0, 2, 5],
        ],
      ),
    )
    assert.deepEqual(
      [questions[0]?.majority[0], questions[0]?.share[0], questions[0]?.estimate[0]],
      [5, 2 / 3, 5],
    )
    assert.deepEqual([...compared], [1, 1, 1])
    assert.deepEqual([...agreeing], [1, 0, 1])
  })

  test('estimates each of fifty options', () => {
    const all = 2 ** 50 - 1
    const { questions } = computeAgreement(
      inputOf(
        [{ options: 50, isMultiple: true }],
        [
          [0, 0, all],
          [0, 1, all],
          [0, 2, 2 ** 49],
        ],
      ),
    )
    assert.equal(questions[0]?.estimate[0], all)
  })

  test('a worker who is estimated to be wrong has an error rate', () => {
    const answers = Array.from({ length: 30 }, (_, item) =>
      [0, 1, 2].map(
        (worker): Given => [item, worker, worker === 2 && item % 3 === 0 ? 1 - (item % 2) : item % 2],
      ),
    ).flat()
    const { questions, agreeing } = computeAgreement(inputOf([{ options: 2, isMultiple: false }], answers))
    assert.deepEqual([...agreeing], [30, 30, 20])
    const [first, , third] = questions[0]?.errorRates ?? []
    assert.ok((first ?? 1) < 0.01 && Math.abs((third ?? 0) - 1 / 3) < 0.05)
  })
})
