import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eligibility } from './eligibility.ts'

test('who has too little is told so, whatever they type', () => {
  const verdict = { eligible: false, message: 'Minimum 200 coins required. You have 199.' }
  assert.deepEqual(eligibility('', 199), verdict)
  assert.deepEqual(eligibility(200, 199), verdict)
})

test('the amount is judged by the minimum and by what is there', () => {
  assert.equal(eligibility('', 500), null)
  assert.equal(eligibility(199, 500)?.message, 'Minimum withdraw amount is 200 coins.')
  assert.equal(eligibility(501, 500)?.message, "Can't withdraw more than available coins.")
  assert.deepEqual(eligibility(200, 200), { eligible: true, message: "You're eligible to withdraw." })
})
