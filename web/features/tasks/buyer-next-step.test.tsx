import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { myWorkers } from '#contract/my-workers.ts'
import { taskToReview } from '#contract/submissions.ts'
import { myTaskTotals } from '#contract/tasks.ts'
import { openApp, server } from '#web/testing/app.tsx'
import { aUser } from '#web/testing/records.ts'

const EMPTY = ['task-to-review', 'approved-task', 'rejected-task', 'my-workers']
const NO_TASKS = { all: 0, review: 0, open: 0, filled: 0, ended: 0, escrow: 0 }
const linkIn = (name: string) => within(screen.getByRole('main')).findByRole('link', { name })

for (const path of EMPTY) {
  test(`${path} leads a new buyer to their first task`, async () => {
    server.serve(taskToReview, [])
    server.serve(myWorkers, [])
    server.serve(myTaskTotals, NO_TASKS)
    await openApp(`/dashboard/${path}`, { as: aUser('Buyer') })
    assert.equal((await linkIn('Add New Task')).getAttribute('href'), '/dashboard/add-task')
  })
}

test('a buyer with tasks is led to them', async () => {
  server.serve(taskToReview, [])
  server.serve(myTaskTotals, { ...NO_TASKS, all: 3, open: 3 })
  await openApp('/dashboard/rejected-task', { as: aUser('Buyer') })
  assert.equal((await linkIn('View my tasks')).getAttribute('href'), '/dashboard/my-task')
})
