import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEMO_USERS } from './users.ts'

test('demo users get their ids in the order in which they joined', () => {
  const days = DEMO_USERS.map(({ joinedDaysAgo }) => joinedDaysAgo)
  assert.deepEqual(
    days,
    days.toSorted((one, other) => other - one),
  )
})
