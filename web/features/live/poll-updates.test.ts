import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { taskListWorker } from '#contract/tasks.ts'
import { queryClient, queryKeyOf } from '#web/lib/queries.ts'
import { setOnline } from '#web/testing/app.tsx'
import { pollUpdates } from './poll-updates.ts'

describe('updates where data is saved', () => {
  let refetches = 0
  let stop = () => {}
  const queryKey = queryKeyOf(taskListWorker)
  const isInvalidated = () => queryClient.getQueryState(queryKey)?.isInvalidated

  beforeEach(() => {
    refetches = 0
    mock.timers.enable({ apis: ['setInterval'] })
    queryClient.setQueryData(queryKey, [])
    stop = pollUpdates(queryClient, async () => void refetches++)
  })
  afterEach(() => {
    stop()
    mock.timers.reset()
  })

  test('are fetched once a minute', () => {
    mock.timers.tick(59_000)
    assert.deepEqual([refetches, isInvalidated()], [0, false])
    mock.timers.tick(1000)
    assert.deepEqual([refetches, isInvalidated()], [1, true])
  })

  test('are not fetched offline, and at once when the network is back', () => {
    setOnline(false)
    mock.timers.tick(180_000)
    assert.equal(refetches, 0)
    setOnline(true)
    assert.equal(refetches, 1)
  })

  test('stop when the user has signed out', () => {
    stop()
    mock.timers.tick(180_000)
    setOnline(false)
    setOnline(true)
    assert.equal(refetches, 0)
  })
})
