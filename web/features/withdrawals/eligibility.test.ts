import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withdrawableToAccountText } from '#contract/unavailable-coins.en.ts'
import { eligibility } from './eligibility.ts'

test('a balance below the minimum is not eligible, whatever the amount', () => {
  const verdict = { eligible: false, message: 'Minimum 200 coins required. You have 199.' }
  assert.deepEqual(eligibility('', 199), verdict)
  assert.deepEqual(eligibility(200, 199), verdict)
})

test('the amount must be at least the minimum and at most the balance', () => {
  assert.equal(eligibility('', 500), null)
  assert.equal(eligibility(199, 500)?.message, 'Minimum withdraw amount is 200 coins.')
  assert.equal(eligibility(501, 500)?.message, "Can't withdraw more than available coins.")
  assert.deepEqual(eligibility(200, 200), { eligible: true, message: "You're eligible to withdraw." })
})

test('what the limits leave can be withdrawn; less than the minimum cannot', () => {
  assert.equal(eligibility(301, 500, 300)?.message, 'You can withdraw 300 coins now.')
  assert.equal(
    eligibility(250, 400, 0)?.message,
    'You cannot withdraw now: your withdrawable coins are below the minimum of 200 coins.',
  )
  assert.equal(
    eligibility(250, 400, 0, withdrawableToAccountText)?.message,
    'You cannot withdraw to this account now: its limit leaves less than the minimum of 200 coins.',
  )
})
