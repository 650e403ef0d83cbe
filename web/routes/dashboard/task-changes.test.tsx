import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { site } from '#contract/site.ts'
import {
  addSlots,
  closeTask,
  moveDeadline,
  myTask,
  myTaskProgress,
  reopenTask,
  type TaskDetails,
  taskDetails,
} from '#contract/tasks.ts'
import {
  button,
  dialog,
  expectGone,
  field,
  fill,
  openApp,
  server,
  setOnline,
  until,
  user,
} from '#web/testing/app.tsx'
import { Refused, Replay, SITE } from '#web/testing/fake-server.ts'
import { aTask, aTaskDetails, aTaskProgress, aUser } from '#web/testing/records.ts'

const done = (coins = 0) => ({ changed: true, coins })
const main = () => within(screen.getByRole('main'))

async function openTask(change: Partial<TaskDetails> = {}, coin = 500, spendable = coin) {
  const buyer = aUser('Buyer', { coin, spendable })
  const task = aTaskDetails({
    buyer: buyer.email,
    buyerId: buyer._id,
    payable_amount: 25,
    worker: 4,
    completion_date: '2026-12-18',
    ...change,
  })
  server.serve(taskDetails, () => task)
  server.serveList(myTask, [task])
  await openApp(`/dashboard/update-task/${task._id}`, { as: buyer })
  await screen.findByLabelText(/^task title/i)
  return task
}

test('added workers are sent after their cost and the balance afterwards were shown', async () => {
  const task = await openTask()
  server.serve(addSlots, done(75))
  await user.click(button('Add workers'))
  const asked = within(await dialog('Add workers'))
  await fill(asked.getByLabelText(/^workers to add/i), '3')
  assert.match(asked.getByLabelText('Cost').textContent ?? '', /3 workers × 25.*75 coins.*425 coins/)
  await user.click(asked.getByRole('button', { name: 'Add workers' }))
  await screen.findByText('Workers were added.')
  const { params, body, headers } = server.received(addSlots)[0] ?? {}
  assert.deepEqual([params?.id, body], [task._id, { slots: 3 }])
  assert.ok(headers?.get('idempotency-key'))
})

test('the fee of the marketplace is part of what added workers cost', async () => {
  server.serve(site, { ...SITE, feePercent: 10 })
  await openTask()
  await user.click(button('Add workers'))
  const asked = within(await dialog('Add workers'))
  await fill(asked.getByLabelText(/^workers to add/i), '4')
  assert.match(asked.getByLabelText('Cost').textContent ?? '', /100 coins.*fee10 coins.*390 coins/)
})

test('workers that cost more than the balance lead to the purchase of coins', async () => {
  await openTask({}, 20)
  server.refuse(addSlots, 'insufficient_coins', 'Not available Coin. Purchase Coin')
  await user.click(button('Add workers'))
  const asked = within(await dialog('Add workers'))
  assert.match(asked.getByLabelText('Cost').textContent ?? '', /Coins needed5 coins/)
  await user.click(asked.getByRole('button', { name: 'Add workers' }))
  const offered = within(await dialog('Insufficient Coin'))
  offered.getByText('Not available Coin. Purchase Coin')
  offered.getByRole('button', { name: 'Go to Purchase Page' })
})

test('starting coins that cannot be spent yet are missing for added workers', async () => {
  await openTask({}, 60, 10)
  await user.click(button('Add workers'))
  const asked = within(await dialog('Add workers'))
  assert.match(asked.getByLabelText('Cost').textContent ?? '', /spend now10 coins.*needed15 coins/)
})

test('a dialog stays open until its request has settled', async () => {
  await openTask()
  server.refuse(addSlots, 'task_not_found', 'Task not found!')
  const held = server.hold(addSlots)
  await user.click(button('Add workers'))
  const asked = within(await dialog('Add workers'))
  await user.click(asked.getByRole('button', { name: 'Add workers' }))
  const cancel = asked.getByRole('button', { name: 'Cancel' }) as HTMLButtonElement
  assert.equal(cancel.disabled, true)
  await user.keyboard('{Escape}')
  await user.click(document.querySelector('.mantine-Modal-overlay') as Element)
  await user.click(document.querySelector('.mantine-Modal-inner') as Element)
  held.release()
  await asked.findByText('Task not found!')
  await until(() => assert.equal(cancel.disabled, false))
  await user.click(cancel)
  await until(() => expectGone(screen.queryByRole('dialog')))
})

test('a dialog closes when its user signs out in another tab', async (t) => {
  await openTask()
  await user.click(button('Add workers'))
  await dialog('Add workers')
  server.signOut()
  const tab = new BroadcastChannel('session')
  t.after(() => tab.close())
  tab.postMessage('changed')
  await screen.findByRole('heading', { level: 1, name: 'Login' })
  await until(() => expectGone(screen.queryByRole('dialog')))
})

/** Adds one worker from the list in a dialog; `lost` is cancelled after its response was lost. */
async function addWorker(title: string, lost = false) {
  await user.click(await screen.findByRole('button', { name: `Add workers to ${title}` }))
  const asked = within(await dialog('Add workers'))
  await user.click(asked.getByRole('button', { name: 'Add workers' }))
  if (lost) {
    await asked.findByText(/^No connection/)
    await user.click(asked.getByRole('button', { name: 'Cancel' }))
  }
  await until(() => expectGone(screen.queryByRole('dialog', { name: 'Add workers' })))
}
const addedKeys = () => server.received(addSlots).map(({ headers }) => headers.get('idempotency-key'))

test('added workers whose response was lost are not paid twice after Cancel', async () => {
  const task = aTask()
  server.serveList(myTask, [task])
  server.serve(addSlots, () => {
    if (addedKeys().length === 1) throw new TypeError('fetch failed')
    return new Replay(done(25))
  })
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  await addWorker(task.task_title, true)
  await addWorker(task.task_title)
  await dialog('This was already done')
  const [first, second] = addedKeys()
  assert.equal(first, second)
})

test('a refusal of a lost attempt is not shown for a new one: its cause may no longer exist', async () => {
  const task = aTask()
  server.serveList(myTask, [task])
  server.serve(addSlots, () => {
    const attempts = addedKeys().length
    if (attempts === 1 || attempts === 3) throw new TypeError('fetch failed')
    if (attempts === 2)
      return new Replay(new Refused('insufficient_coins', 'Not available Coin. Purchase Coin'))
    return done(25)
  })
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  await addWorker(task.task_title, true)
  await addWorker(task.task_title, true)
  await addWorker(task.task_title)
  await screen.findByText('Workers were added.')
  const [first, refused, lost, last] = addedKeys()
  assert.equal(refused, first)
  assert.notEqual(lost, first)
  assert.equal(last, lost, 'the new attempt keeps its own key')
})

test('a retry that is refused now leads to the purchase of coins', async () => {
  const task = aTask()
  server.serveList(myTask, [task])
  server.serve(addSlots, () => {
    const refused = new Refused('insufficient_coins', 'Not available Coin. Purchase Coin')
    if (addedKeys().length === 1) throw new TypeError('fetch failed')
    if (addedKeys().length === 2) return new Replay(refused)
    throw refused
  })
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  await addWorker(task.task_title, true)
  await addWorker(task.task_title)
  await dialog('Insufficient Coin')
})

test('after Cancel the list shows workers whose response was lost, and adding as many again is another change', async (context) => {
  // A hidden page does not poll.
  context.mock.getter(document, 'hidden', () => true)
  let task = aTask({ required_workers: 10, worker: 4 })
  server.serve(myTask, () => [task])
  server.serve(addSlots, () => {
    task = { ...task, required_workers: task.required_workers + 1, worker: task.worker + 1 }
    if (addedKeys().length === 1) throw new TypeError('fetch failed')
    return done(25)
  })
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  await addWorker(task.task_title, true)
  await screen.findByText(/5 of 11/)
  await addWorker(task.task_title)
  await screen.findByText('Workers were added.')
  assert.equal(new Set(addedKeys()).size, 2)
})

test('no workers, or a part of one, are not sent', async () => {
  await openTask()
  await user.click(button('Add workers'))
  const asked = within(await dialog('Add workers'))
  await fill(asked.getByLabelText(/^workers to add/i), '0')
  await user.click(asked.getByRole('button', { name: 'Add workers' }))
  await asked.findByText('At least 1')
  assert.equal(server.received(addSlots).length, 0)
})

test('a new deadline is sent, and a refusal stays in the form', async () => {
  await openTask()
  server.refuse(moveDeadline, 'deadline_passed', 'The deadline must be today or later.')
  await user.click(button('Change deadline'))
  const asked = within(await dialog('Change the deadline'))
  const date = asked.getByLabelText(/^completion date/i) as HTMLInputElement
  assert.equal(date.value, '2026-12-18')
  await fill(date, '2027-01-10')
  const send = () => user.click(asked.getByRole('button', { name: 'Change deadline' }))
  await send()
  await asked.findByText('The deadline must be today or later.')
  server.serve(moveDeadline, done())
  await send()
  await screen.findByText('The deadline was changed.')
  assert.deepEqual(server.received(moveDeadline).at(-1)?.body, { completion_date: '2027-01-10' })
})

test('closing names the coins that come back, and closes only when it is confirmed', async () => {
  await openTask()
  server.serve(closeTask, done(1))
  const close = () => main().findByRole('button', { name: 'Close task' })
  await user.click(await close())
  assert.match((await dialog('Close this task?')).textContent ?? '', /100 coins for 4 open slots/)
  await user.click(button('Cancel'))
  await until(() => expectGone(screen.queryByRole('dialog')))
  assert.equal(server.received(closeTask).length, 0)
  await user.click(await close())
  await user.click(within(await dialog('Close this task?')).getByRole('button', { name: 'Close task' }))
  await screen.findByText('The task was closed with a refund of 1 coin.')
})

test('closing says which coins come back only if the workers with reserved slots submit nothing', async () => {
  const task = await openTask({ worker: 0 })
  server.serve(myTaskProgress, [aTaskProgress(task._id, { reserved: 2, approved: 8, escrow: 50 })])
  await user.click(button('Close task'))
  const asked = within(await dialog('Close this task?'))
  await asked.findByText(
    /^No coins will be refunded now, because no slots are open\. 50 coins for 2 reserved slots will be refunded later if no work is submitted for them\. Submitted work/,
  )
})

test('a task that could not be closed stays as it was, with the reason', async () => {
  await openTask()
  server.refuse(closeTask, 'task_not_found', 'Task not found!')
  await user.click(button('Close task'))
  await user.click(within(await dialog('Close this task?')).getByRole('button', { name: 'Close task' }))
  within(await dialog('Could not close the task')).getByText('Task not found!')
})

test('a task that was closed by a request without a response is shown as closed', async () => {
  const task = await openTask({ worker: 4 })
  server.serve(closeTask, () => {
    server.serve(taskDetails, { ...task, worker: 0, isClosed: true })
    throw new TypeError('fetch failed')
  })
  await user.click(button('Close task'))
  await user.click(within(await dialog('Close this task?')).getByRole('button', { name: 'Close task' }))
  await dialog('Could not close the task')
  // At the same time. Later the page, which has no live stream here, would poll.
  assert.equal(server.received(taskDetails).length, 2)
  await main().findByRole('button', { name: 'Reopen task' })
})

test('closing a task that another tab has closed says so', async () => {
  await openTask()
  server.serve(closeTask, { changed: false, coins: 0 })
  await user.click(button('Close task'))
  await user.click(within(await dialog('Close this task?')).getByRole('button', { name: 'Close task' }))
  await screen.findByText('The task was already closed.')
})

test('reopening shows the cost of the free slots and asks for a deadline that is not over', async () => {
  await openTask({ isClosed: true, worker: 0, restorable_slots: 6, completion_date: '2026-01-10' })
  server.serve(reopenTask, done(150))
  await user.click(button('Reopen task'))
  const asked = within(await dialog('Reopen this task'))
  assert.match(asked.getByLabelText('Cost').textContent ?? '', /6 workers × 25.*150 coins.*350 coins/)
  const send = () => user.click(asked.getByRole('button', { name: 'Reopen task' }))
  await send()
  await until(() =>
    assert.equal(asked.getByLabelText(/^completion date/i).getAttribute('aria-invalid'), 'true'),
  )
  await fill(asked.getByLabelText(/^completion date/i), '2026-02-01')
  await send()
  await screen.findByText('The task was reopened.')
  assert.deepEqual(server.received(reopenTask)[0]?.body, { completion_date: '2026-02-01' })
})

test('the list offers more workers for open tasks and reopening for closed ones', async () => {
  const [open, closed] = [aTask(), aTaskDetails({ isClosed: true, worker: 0, restorable_slots: 2 })]
  server.serveList(myTask, [open, closed])
  server.serve(taskDetails, closed)
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  await user.click(await screen.findByRole('button', { name: `Reopen ${closed.task_title}` }))
  assert.match((await dialog('Reopen this task')).textContent ?? '', /2 workers × 25/)
  await user.click(button('Cancel'))
  await until(() => expectGone(screen.queryByRole('dialog')))
  await user.click(screen.getByRole('button', { name: `Add workers to ${open.task_title}` }))
  await dialog('Add workers')
  field(/^workers to add/i)
})

test('without a network, reopening from the list says so at once and opens nothing later', async () => {
  const closed = aTask({ isClosed: true, worker: 0 })
  server.serveList(myTask, [closed])
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  const reopen = await screen.findByRole('button', { name: `Reopen ${closed.task_title}` })
  setOnline(false)
  await user.click(reopen)
  within(await dialog('Could not reopen the task')).getByText(/^No connection/)
})

test('the deadline is changed from the list, and the dialog says that it costs nothing', async () => {
  const task = aTask({ completion_date: '2026-12-18' })
  server.serveList(myTask, [task])
  server.serve(moveDeadline, done())
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  await user.click(await screen.findByRole('button', { name: `Change the deadline of ${task.task_title}` }))
  const asked = within(await dialog('Change the deadline'))
  asked.getByText('Changing the deadline costs nothing.')
  await fill(asked.getByLabelText(/^completion date/i), '2027-01-10')
  await user.click(asked.getByRole('button', { name: 'Change deadline' }))
  await screen.findByText('The deadline was changed.')
  const { params, body } = server.received(moveDeadline)[0] ?? {}
  assert.deepEqual([params?.id, body], [task._id, { completion_date: '2027-01-10' }])
})
