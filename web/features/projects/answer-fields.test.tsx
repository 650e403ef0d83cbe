import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useState } from 'react'
import type { AnswerForm, Answers } from '#contract/answer-form.ts'
import { field, render, user } from '#web/testing/app.tsx'
import { AnswerFields } from './answer-fields.tsx'

const FORM: AnswerForm = { fields: [{ type: 'number', name: 'weight', label: 'Weight', required: true }] }
let current: Answers

/** Renders a question about a number, and holds its answer in `current`. */
function Weight() {
  const [answers, setAnswers] = useState<Answers>({})
  current = answers
  return <AnswerFields form={FORM} answers={answers} onChange={setAnswers} />
}

function renderWeight(): HTMLInputElement {
  render(<Weight />)
  return field(/^Weight/) as HTMLInputElement
}

test('a number is typed as it is', async () => {
  const input = renderWeight()
  for (const [text, weight] of [
    ['12.5', 12.5],
    ['0.5', 0.5],
    ['20', 20],
    ['20.05', 20.05],
    ['-3.10', -3.1],
  ] as const) {
    await user.clear(input)
    assert.deepEqual(current, {})
    await user.type(input, text)
    assert.deepEqual([input.value, current], [text, { weight }])
  }
})

test('a question with the name of a property of every object is empty and without a message', () => {
  const form: AnswerForm = {
    fields: [{ type: 'text', name: 'constructor', label: 'Built by', required: false }],
  }
  render(<AnswerFields form={form} answers={{}} errors={{}} onChange={() => {}} />)
  const input = field('Built by') as HTMLInputElement
  assert.deepEqual([input.value, input.getAttribute('aria-invalid')], ['', null])
})

test('an unfinished number stays in its field', async () => {
  const input = renderWeight()
  await user.type(input, '12.5{Backspace}')
  assert.deepEqual([input.value, current], ['12.', { weight: 12 }])
  await user.type(input, '7')
  assert.deepEqual([input.value, current], ['12.7', { weight: 12.7 }])
  await user.clear(input)
  await user.type(input, '-')
  assert.deepEqual([input.value, current], ['-', {}])
})
