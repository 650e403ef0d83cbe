import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorCode } from '#contract/errors.ts'
import { allTask } from '#contract/tasks.ts'
import { queryClient, queryOf } from '#web/lib/queries.ts'
import { server } from '#web/testing/app.tsx'

/** Fetches a list that fails, until the cache gives it up. Returns how often it was requested. */
async function requestsOf(code: ErrorCode, timers: { tick: (ms: number) => void }): Promise<number> {
  server.refuse(allTask, code)
  const retry = queryClient.getDefaultOptions().queries?.retry ?? false
  const failed = assert.rejects(queryClient.fetchQuery({ ...queryOf(allTask, {}), retry }))
  for (let second = 0; second < 10; second++) {
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    timers.tick(1_000)
  }
  await failed
  return server.received(allTask).length
}

test('a list that the server is too busy for is requested three times before it fails', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  assert.equal(await requestsOf('unavailable', context.mock.timers), 3)
})

test('a refused request is not repeated', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  assert.equal(await requestsOf('forbidden', context.mock.timers), 1)
  queryClient.clear()
})
