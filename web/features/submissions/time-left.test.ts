import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeLeft } from './time-left.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

test('what is left is said in its two greatest units, and nothing when the time has come', () => {
  assert.equal(timeLeft('2026-11-22T16:00:00Z', now), '2 d 4 h')
  assert.equal(timeLeft('2026-11-25T12:00:00Z', now), '5 d')
  assert.equal(timeLeft('2026-11-20T15:12:00Z', now), '3 h 12 min')
  assert.equal(timeLeft('2026-11-20T14:00:00Z', now), '2 h')
  assert.equal(timeLeft('2026-11-20T12:00:30Z', now), '1 min')
  assert.equal(timeLeft('2026-11-20T12:00:00Z', now), null)
})
