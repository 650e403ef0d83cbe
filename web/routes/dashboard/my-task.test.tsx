import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { deleteTask, myTask, myTaskProgress, myTaskTotals, taskDetails } from '#contract/tasks.ts'
import {
  button,
  dialog,
  expectGone,
  field,
  openApp,
  server,
  setWidth,
  until,
  user,
} from '#web/testing/app.tsx'
import { Replay } from '#web/testing/fake-server.ts'
import { aTask, aTaskDetails, aTaskProgress, aUser } from '#web/testing/records.ts'

test('a buyer without tasks is offered to add one', async () => {
  server.serveList(myTask, [])
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  await screen.findByRole('heading', { name: 'No tasks found' })
  await user.click(screen.getAllByRole('link', { name: 'Add New Task' }).at(-1) as HTMLElement)
  await screen.findByRole('heading', { name: 'Create a New Task' })
})

test('the counts follow when a task is deleted', async () => {
  const tasks = [aTask({ task_title: 'One' }), aTask({ task_title: 'Two' })]
  let listed = tasks
  server.serve(myTask, () => listed)
  server.serve(myTaskTotals, () => ({
    all: listed.length,
    review: 0,
    open: listed.length,
    filled: 0,
    ended: 0,
    escrow: 0,
  }))
  server.serve(deleteTask, () => {
    listed = tasks.slice(1)
    return { acknowledged: true, deletedCount: 1, isCompleted: false, refund: 0 }
  })
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  await screen.findByRole('link', { name: 'All 2' })
  await user.click(await screen.findByRole('button', { name: 'Delete One' }))
  await dialog('Are you sure?')
  await user.click(button('Yes, delete it!'))
  await dialog('Deleted!')
  // At the same time. Later the page, which has no live stream here, would poll.
  assert.equal(server.received(myTaskTotals).length, 2)
  await screen.findByText('All 1')
})

test('a deletion whose response was lost is repeated under its key, and its refund is shown', async () => {
  const tasks = ['One', 'Two'].map((task_title) => aTask({ task_title, worker: 2, payable_amount: 25 }))
  server.serveList(myTask, tasks)
  await openApp('/dashboard/my-task', { as: aUser('Buyer', { coin: 0 }) })
  const remove = async (title: string) => {
    await user.click(await screen.findByRole('button', { name: `Delete ${title}` }))
    await dialog('Are you sure?')
    await user.click(button('Yes, delete it!'))
  }
  const deleted = { acknowledged: true, deletedCount: 1, isCompleted: false, refund: 50 }
  server.serve(deleteTask, () => {
    server.change({ coin: 50 })
    throw new TypeError('fetch failed')
  })
  await remove('One')
  await dialog('Could not delete the task')
  // At the same time. Later the page would poll.
  assert.equal(server.received(myTaskTotals).length, 2)
  await until(() => assert.match(screen.getByRole('banner').textContent ?? '', /50 coins/))
  await user.keyboard('{Escape}')
  await until(() => expectGone(screen.queryByRole('dialog')))
  await remove('Two')
  await dialog('Could not delete the task')
  await user.keyboard('{Escape}')
  await until(() => expectGone(screen.queryByRole('dialog')))

  server.serve(deleteTask, () => new Replay(deleted))
  await remove('One')
  within(await dialog('Deleted!')).getByText('Task deleted and coins refunded.')
  await user.keyboard('{Escape}')
  await until(() => expectGone(screen.queryByRole('dialog')))
  await remove('One')
  await dialog('Deleted!')
  const [one, two, retried, next] = server
    .received(deleteTask)
    .map(({ headers }) => headers.get('idempotency-key'))
  assert.ok(one)
  assert.equal(retried, one)
  assert.equal(new Set([one, two, next]).size, 3)
})

test('a list that did not load is shown after a retry', async () => {
  server.refuse(myTask, 'internal', 'The list is not available.')
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  const alert = await screen.findByRole('alert')
  assert.match(alert.textContent ?? '', /The list is not available/)
  server.serveList(myTask, [aTask({ task_title: 'Transcribe a note' })])
  await user.click(within(alert).getByRole('button'))
  await screen.findByText('Transcribe a note')
})

test('a list that is out of date is requested again after a live event about its tasks', async () => {
  const buyer = aUser('Buyer')
  const task = aTaskDetails({ buyer: buyer.email, task_title: 'An earlier title', worker: 4 })
  server.serveList(myTask, [task])
  server.serve(taskDetails, task)
  const router = await openApp('/dashboard/my-task', { as: buyer })
  await screen.findByText('An earlier title')
  await router.navigate(`/dashboard/update-task/${task._id}`)
  await screen.findByLabelText(/^task title/i)
  server.serveList(myTask, [{ ...task, task_title: 'The present title' }])
  server.send('update', { about: ['tasks'], coin: 500, notices: [] })
  server.send('tasks', { tasks: [{ _id: task._id, worker: 3, isClosed: false }] })
  await screen.findByText('3 of 10 left')
  await router.navigate('/dashboard/my-task')
  await screen.findByText('The present title')
})

test('a card on a phone has its actions in a menu', async () => {
  setWidth(390)
  const task = aTask({ task_title: 'Check prices' })
  server.serveList(myTask, [task])
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  const opener = await screen.findByRole('button', { name: 'Actions for Check prices' })
  await user.click(opener)
  const menu = within(await screen.findByRole('dialog', { name: 'Actions for Check prices' }))
  assert.deepEqual(
    [...menu.getAllByRole('button'), ...menu.getAllByRole('link')].map(({ textContent }) => textContent),
    ['Add workers', 'Change deadline', 'Delete', 'Duplicate', 'Update'],
  )
  await user.click(menu.getByRole('button', { name: 'Change deadline' }))
  await screen.findByRole('dialog', { name: 'Change the deadline' })
  expectGone(screen.queryByRole('dialog', { name: 'Actions for Check prices' }))
})

test('a task shows its work in numbers, what it paid, the first review that ends, and that it is on hold', async () => {
  const task = aTask({ payable_amount: 25, required_workers: 40 })
  const reviewBy = new Date(Date.now() + 26.5 * 3_600_000).toISOString()
  const numbers = { reserved: 2, pending: 5, reviewBy, approved: 20, rejected: 1, escrow: 500, held: true }
  server.serveList(myTask, [task])
  server.serve(myTaskProgress, [aTaskProgress(task._id, numbers)])
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  const review = await screen.findByRole('link', { name: /^5 to review/ })
  assert.equal(review.getAttribute('href'), `/dashboard/task-to-review?task=${task._id}`)
  const row = within(review.closest('tr') as HTMLElement)
  row.getByText(/first in 1 day 2 hours/)
  row.getByText(/On hold · 20 approved · 2 reserved · 1 rejected/)
  row.getByText(/Paid 500/)
})

test('a deletion says that the coins of a reserved slot come back only if no work is submitted', async () => {
  const task = aTask({ worker: 0, required_workers: 1, payable_amount: 25, task_title: 'One' })
  server.serveList(myTask, [task])
  server.serve(myTaskProgress, [aTaskProgress(task._id, { reserved: 1, escrow: 25 })])
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  await user.click(await screen.findByRole('button', { name: 'Delete One' }))
  await within(await dialog('Are you sure?')).findByText(
    /^No coins will be refunded now, because no slots are open\. 25 coins for 1 reserved slot will be refunded later if no work is submitted for it\. Approved/,
  )
})

test('the list is filtered by state with counts, searched and sorted', async () => {
  server.serveList(myTask, [aTask()])
  server.serve(myTaskTotals, { all: 30, review: 4, open: 12, filled: 6, ended: 12, escrow: 3400 })
  const router = await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  await user.click(await screen.findByRole('link', { name: 'To review 4' }))
  await screen.findByText('3,400 coins in escrow')
  await user.type(field('Search your tasks'), 'menu')
  await until(() => assert.equal(server.received(myTask).at(-1)?.query.q, 'menu'))
  await user.selectOptions(field('Sort by'), 'Newest first')
  await until(() => {
    const { q, state, sort } = server.received(myTask).at(-1)?.query ?? {}
    assert.deepEqual({ q, state, sort }, { q: 'menu', state: 'review', sort: 'newest' })
  })
  server.serveList(myTask, [])
  await user.click(screen.getByRole('link', { name: 'Ended 12' }))
  await user.click(await screen.findByRole('link', { name: 'Show all tasks' }))
  await until(() => assert.equal(router.state.location.search, ''))
})

test('an empty list of one filter is not shown for the next one', async () => {
  server.serveList(myTask, [])
  await openApp('/dashboard/my-task?state=ended', { as: aUser('Buyer') })
  await screen.findByText('No tasks match your search.')
  server.serveList(myTask, [aTask({ task_title: 'Check prices' })])
  const held = server.hold(myTask)
  await user.click(screen.getByRole('link', { name: /^All/ }))
  await until(() => expectGone(screen.queryByText('No tasks match your search.')))
  expectGone(screen.queryByRole('heading', { name: 'No tasks found' }))
  held.release()
  await screen.findByText('Check prices')
})
