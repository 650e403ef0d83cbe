import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient } from '@tanstack/react-query'
import { myFreezes } from '#contract/freezes.ts'
import { NOTIFICATION_KINDS } from '#contract/notification-kinds.ts'
import { coinFlow, statsSeries, statsWeeks } from '#contract/stats.ts'
import { myTaskStates } from '#contract/submissions.ts'
import { myQualifications } from '#contract/task-access.ts'
import { taskDetails, taskListWorker } from '#contract/tasks.ts'
import { queryKeyOf } from '#web/lib/queries.ts'
import { invalidateTopics, withTaskChanges } from './invalidate-queries.ts'

const task = (id: string, worker: number, isClosed = false) => ({ _id: id, worker, isClosed, title: id })
const changed = new Map([['b', { _id: 'b', worker: 1, isClosed: false }]])

test('free slots are updated in a task, a list and pages, and nothing else changes', () => {
  assert.deepEqual(withTaskChanges(task('b', 3), changed), task('b', 1))
  const list = [task('a', 3), task('b', 3)]
  assert.deepEqual(withTaskChanges(list, changed), [task('a', 3), task('b', 1)])
  const pages = {
    pages: [
      { reply: [task('a', 3)], next: 'x' },
      { reply: list, next: null },
    ],
    pageParams: [],
  }
  const next = withTaskChanges(pages, changed) as typeof pages
  assert.equal(next.pages[0], pages.pages[0])
  assert.deepEqual(next.pages[1]?.reply, [task('a', 3), task('b', 1)])
})

test('unchanged data stays the same object, so that nothing is rendered again', () => {
  const list = [task('a', 3), task('b', 1)]
  assert.equal(withTaskChanges(list, changed), list)
  assert.equal(withTaskChanges(undefined, changed), undefined)
  const pages = { pages: [{ reply: list }], pageParams: [] }
  assert.equal(withTaskChanges(pages, changed), pages)
})

test('decided work and paid withdrawals change every chart of the home screens', () => {
  for (const topic of ['submissions', 'withdrawals', 'payments'] as const) {
    const queryClient = new QueryClient()
    const charts = [statsSeries, statsWeeks, coinFlow]
    for (const chart of charts) queryClient.setQueryData(queryKeyOf(chart), [])
    invalidateTopics(queryClient, { about: [topic], notices: [], coin: 0 })
    for (const chart of charts)
      assert.ok(queryClient.getQueryState(queryKeyOf(chart))?.isInvalidated, `${topic}: ${chart.path}`)
  }
})

test('a granted qualification and an ended freeze change the open pages that showed them missing', () => {
  for (const kind of ['qualification_granted', 'qualification_earned', 'freeze_ended'] as const) {
    const queryClient = new QueryClient()
    const shown = [taskDetails, taskListWorker, myTaskStates, myQualifications, myFreezes]
    for (const endpoint of shown) queryClient.setQueryData(queryKeyOf(endpoint), [])
    const { topic } = NOTIFICATION_KINDS[kind]
    invalidateTopics(queryClient, { about: [topic], notices: [], coin: 0 })
    for (const endpoint of shown)
      assert.ok(queryClient.getQueryState(queryKeyOf(endpoint))?.isInvalidated, `${kind}: ${endpoint.path}`)
  }
})
