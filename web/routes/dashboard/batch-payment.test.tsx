import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import {
  type Batch,
  batch,
  batches,
  batchPreview,
  batchProblems,
  fundBatch,
  scheduleBatch,
  topUpBatch,
} from '#contract/batches.ts'
import { project } from '#contract/projects.ts'
import { taskFunnel } from '#contract/task-funnel.ts'
import { moveDeadline, myTask, myTaskProgress, myTaskTotals } from '#contract/tasks.ts'
import { button, dialog, expectGone, field, fill, openApp, server, user } from '#web/testing/app.tsx'
import { aBatch, CHECKED, PROJECT } from '#web/testing/batches.ts'
import { anId, aTask, aUser } from '#web/testing/records.ts'

test('a file without errors shows its cost and its first items', async () => {
  const cost = { items: 1200, workersPerItem: 3, reward: 5, pay: 18_000, fee: 900, total: 18_900 }
  const ready = aBatch({ ...CHECKED, cost, warnings: 1 })
  server.serve(batch, ready)
  server.serve(batchProblems, [
    { row: 7, column: null, kind: 'repeated_row', isError: false, message: 'This row is the same as row 2.' },
  ])
  const item = (instructions: string) => ({
    title: PROJECT.title,
    instructions,
    pictures: [],
    examples: [],
    form: PROJECT.form,
    reward: 5,
    missing: [],
  })
  server.serve(batchPreview, [item('Look at Rupali in Dhaka.'), item('Look at Surma in Sylhet.')])
  await openApp(`/dashboard/batches/${ready._id}`, { as: aUser('Buyer') })
  const shown = within(await screen.findByRole('region', { name: 'Payment' }))
  shown.getByText('1,200 items × 3 workers × 5')
  assert.match(shown.getByText('Total cost').parentElement?.textContent ?? '', /18,900/)
  await screen.findByText('This row is the same as row 2.')
  await screen.findByText('Look at Rupali in Dhaka.')
  await user.click(button('Next'))
  await screen.findByText('Look at Surma in Sylhet.')
  screen.getByText('Item 2 of the first 2')
  screen.getByText('CSV, separated by comma')
})

test('a batch is paid with its cost and a date, and becomes a task', async () => {
  const cost = { items: 40, workersPerItem: 2, reward: 5, pay: 400, fee: 20, total: 420 }
  const ready = aBatch({ ...CHECKED, items: 40, cost, fundingRefusal: 'Not available Coin. Purchase Coin' })
  server.serve(batch, ready)
  server.serve(batchPreview, [])
  const router = await openApp(`/dashboard/batches/${ready._id}`, { as: aUser('Buyer', { coin: 400 }) })
  const shown = within(await screen.findByRole('region', { name: 'Payment' }))
  shown.getByText('Not available Coin. Purchase Coin')
  assert.match(shown.getByLabelText('Cost').textContent ?? '', /Coins needed20 coins/)
  await user.click(shown.getByRole('button', { name: 'Pay 420 coins' }))
  await screen.findByText('Choose a completion date')
  await fill(field(/^completion date/i), 'December 20, 2026')
  await user.tab()
  await user.click(shown.getByRole('button', { name: 'Pay 420 coins' }))
  await user.click(within(await dialog('Insufficient Coin')).getByRole('button', { name: 'Not now' }))
  assert.equal(server.received(fundBatch).length, 0)

  server.change({ coin: 1000 })
  const open = aBatch({ ...ready, state: 'open', itemsWritten: 40, taskId: anId(), fundingRefusal: null })
  server.serve(fundBatch, () => {
    server.serve(batch, { ...ready, state: 'funding', itemsWritten: 10 })
    return { ...ready, state: 'funding' }
  })
  server.serve(batches, [])
  server.serve(taskFunnel, {
    taskId: ready._id,
    seen: 9,
    reserved: 40,
    submitted: 30,
    approved: 20,
    rejected: 1,
    paid: 100,
    escrow: 300,
    medianSeconds: 42,
  })
  await user.click(shown.getByRole('button', { name: 'Pay 420 coins' }))
  await screen.findByText('10 of 40')
  assert.deepEqual(server.received(fundBatch)[0]?.body, { completion_date: '2026-12-20', total: 420 })
  server.serve(batch, open)
  await screen.findByText('Slots taken')
  assert.equal(
    screen.getByRole('link', { name: 'Review one by one' }).getAttribute('href'),
    `/dashboard/task-to-review?task=${open.taskId}`,
  )
  expectGone(screen.queryByRole('button', { name: 'Cancel batch' }))
  assert.equal(router.state.location.pathname, `/dashboard/batches/${ready._id}`)
})

test('after a payment without a response the batch is read again, and the retry does not ask to buy coins', async () => {
  const cost = { items: 40, workersPerItem: 2, reward: 5, pay: 400, fee: 0, total: 400 }
  const ready = aBatch({ ...CHECKED, items: 40, cost })
  server.serve(batch, ready)
  server.serve(batchPreview, [])
  server.serve(batches, [])
  server.serve(fundBatch, () => {
    server.change({ coin: 0 })
    throw new TypeError('fetch failed')
  })
  await openApp(`/dashboard/batches/${ready._id}`, { as: aUser('Buyer', { coin: 400 }) })
  await screen.findByRole('region', { name: 'Payment' })
  await fill(field(/^completion date/i), 'December 20, 2026')
  await user.tab()
  const reads = server.received(batch).length
  await user.click(button('Pay 400 coins'))
  await screen.findByText(/no connection/i)
  assert.equal(server.received(batch).length, reads + 1)
  server.serve(fundBatch, { ...ready, state: 'funding' })
  server.serve(batch, { ...ready, state: 'funding', itemsWritten: 10 })
  await user.click(button('Pay 400 coins'))
  await screen.findByText('10 of 40')
  const [first, second] = server.received(fundBatch)
  assert.equal(second?.headers.get('idempotency-key'), first?.headers.get('idempotency-key'))
})

test('a batch is scheduled in local time with its cost, the schedule is shown, and cancelled', async () => {
  const cost = { items: 40, workersPerItem: 2, reward: 5, pay: 400, fee: 20, total: 420 }
  const ready = aBatch({ ...CHECKED, items: 40, cost })
  server.serve(batch, ready)
  server.serve(batchPreview, [])
  await openApp(`/dashboard/batches/${ready._id}`, { as: aUser('Buyer', { coin: 500 }) })
  await screen.findByText('Ready to pay')
  await user.click(button('Schedule'))
  const asked = within(await dialog('Schedule posting'))
  assert.match(asked.getByLabelText('Cost').textContent ?? '', /420 coins.*80 coins/)
  await user.click(asked.getByRole('button', { name: 'Schedule' }))
  await asked.findByText('Choose a time')
  await fill(asked.getByLabelText(/^post at/i), '2026-12-01T09:30')
  await fill(asked.getByLabelText(/^completion date/i), 'December 20, 2026')
  await user.tab()
  const scheduled = { postAt: '2026-12-01T09:30:00.000Z', completion_date: '2026-12-20', total: 420 }
  server.refuse(scheduleBatch, 'invalid_fields', 'The cost has changed. Check it again, then pay.')
  await user.click(asked.getByRole('button', { name: 'Schedule' }))
  await asked.findByText('The cost has changed. Check it again, then pay.')
  server.serve(scheduleBatch, { ...ready, scheduled })
  server.serve(batch, { ...ready, scheduled })
  await user.click(asked.getByRole('button', { name: 'Schedule' }))
  await screen.findByText(/Will be posted 1 Dec 2026, 09:30.*Last day to submit: 20 Dec 2026/)
  screen.getByText('Scheduled')
  assert.deepEqual(server.received(scheduleBatch).at(-1)?.body, { scheduled })

  server.serve(batch, ready)
  await user.click(button('Cancel schedule'))
  await screen.findByText('Ready to pay')
  expectGone(screen.queryByText(/Will be posted/))
  assert.deepEqual(server.received(scheduleBatch).at(-1)?.body, { scheduled: null })
})

const OPEN: Partial<Batch> = {
  ...CHECKED,
  state: 'open',
  items: 40,
  taskId: anId(),
  cost: { items: 40, workersPerItem: 3, reward: 5, pay: 600, fee: 0, total: 600 },
  completionDate: '2026-12-20',
}

test('workers are added to a batch from the list of its project, with their cost, and the deadline moves', async () => {
  const opened = aBatch(OPEN)
  server.serve(project, PROJECT)
  server.serve(batches, [opened, aBatch({ ...OPEN, fileName: 'closed.csv', isClosed: true })])
  await openApp(`/dashboard/projects/${PROJECT._id}`, { as: aUser('Buyer', { coin: 1000 }) })
  await user.click(await screen.findByRole('button', { name: 'Add workers to shops.csv' }))
  expectGone(screen.queryByRole('button', { name: 'Add workers to closed.csv' }))
  const form = within(await dialog('Add workers'))
  form.getByText('Each item has 3 workers now. Nobody works on an item twice.')
  await fill(form.getByRole('textbox', { name: 'Workers to add to each item' }), '2')
  assert.match(form.getByLabelText('Cost').textContent ?? '', /40 items × 2 workers × 5400 coins.*600 coins/)
  server.serve(topUpBatch, { ...opened, workersPerItem: 5 })
  await user.click(form.getByRole('button', { name: 'Add workers' }))
  await screen.findByText('Workers were added.')
  assert.deepEqual(server.received(topUpBatch)[0]?.body, { workersPerItem: 5, total: 400 })

  server.serve(moveDeadline, { changed: true, coins: 0 })
  await user.click(await screen.findByRole('button', { name: 'Change the deadline of shops.csv' }))
  const day = within(await dialog('Change the deadline'))
  await fill(day.getByLabelText(/^Completion date/), '2026-12-30')
  await user.click(day.getByRole('button', { name: 'Change deadline' }))
  await screen.findByText('The deadline was changed.')
  assert.deepEqual(server.received(moveDeadline)[0]?.params, { id: opened.taskId })
})

test('a batch that cannot be paid offers coins; its progress is shown, and its task is topped up by item', async () => {
  const opened = aBatch({ ...OPEN, itemsToppedUp: 30 })
  server.serve(batch, opened)
  server.serve(taskFunnel, {
    taskId: opened._id,
    seen: 9,
    reserved: 40,
    submitted: 30,
    approved: 20,
    rejected: 1,
    paid: 100,
    escrow: 300,
    medianSeconds: 42,
  })
  const router = await openApp(`/dashboard/batches/${opened._id}`, { as: aUser('Buyer', { coin: 0 }) })
  await screen.findByText('30 of 40')
  const task = aTask({ _id: opened.taskId ?? '', isBatch: true, task_title: 'Describe shops' })
  server.serve(myTask, [task])
  server.serve(myTaskTotals, { all: 1, review: 0, open: 1, filled: 0, ended: 0, escrow: 600 })
  server.serve(myTaskProgress, [])
  server.serve(batches, [opened])
  await router.navigate('/dashboard/my-task')
  await user.click(await screen.findByRole('button', { name: 'Add workers to Describe shops' }))
  const form = within(await dialog('Add workers'))
  assert.deepEqual(server.received(batches)[0]?.query.task, opened.taskId)
  server.refuse(topUpBatch, 'insufficient_coins', 'Not available Coin. Purchase Coin')
  await user.click(form.getByRole('button', { name: 'Add workers' }))
  await dialog('Insufficient Coin')
})
