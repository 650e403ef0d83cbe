import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryObserver } from '@tanstack/react-query'
import type { ErrorCode } from '#contract/errors.ts'
import { allTask, myTask } from '#contract/tasks.ts'
import { queryClient, queryKeyOf, queryOf } from '#web/lib/queries.ts'
import { server, until } from '#web/testing/app.tsx'
import { aTask, aUser } from '#web/testing/records.ts'

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

test('a query that is invalidated twice during its first load is loaded a second time', async () => {
  server.signIn(aUser('Buyer'))
  const first = Promise.withResolvers<void>()
  let loads = 0
  server.serve(myTask, async () => {
    if (++loads > 1) return [aTask()]
    await first.promise
    return []
  })
  const query = queryOf(myTask, { params: { email: 'buyer@example.com' } })
  const unsubscribe = new QueryObserver(queryClient, query).subscribe(() => {})
  try {
    await until(() => assert.equal(loads, 1))
    for (let times = 0; times < 2; times++)
      void queryClient.invalidateQueries({ queryKey: queryKeyOf(myTask) })
    first.resolve()
    await until(() => assert.equal(queryClient.getQueryData(query.queryKey)?.length, 1))
    assert.equal(loads, 2)
  } finally {
    unsubscribe()
    queryClient.clear()
  }
})
