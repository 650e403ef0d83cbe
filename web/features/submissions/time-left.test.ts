import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeLeft } from './time-left.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

test('timeLeft names the two largest units, and returns null when the time is over', () => {
  assert.equal(timeLeft('2026-11-22T16:00:00Z', now), '2 days 4 hours')
  assert.equal(timeLeft('2026-11-25T12:00:00Z', now), '5 days')
  assert.equal(timeLeft('2026-11-20T15:12:00Z', now), '3 hours 12 minutes')
  assert.equal(timeLeft('2026-11-20T14:00:00Z', now), '2 hours')
  assert.equal(timeLeft('2026-11-20T12:00:30Z', now), '1 minute')
  assert.equal(timeLeft('2026-11-20T12:00:00Z', now), null)
})
