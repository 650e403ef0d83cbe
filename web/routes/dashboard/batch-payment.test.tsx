import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { batch, batches, batchPreview, batchProblems, fundBatch } from '#contract/batches.ts'
import { taskFunnel } from '#contract/task-funnel.ts'
import { button, dialog, expectGone, field, fill, openApp, server, user } from '#web/testing/app.tsx'
import { aBatch, CHECKED, PROJECT } from '#web/testing/batches.ts'
import { anId, aUser } from '#web/testing/records.ts'

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
