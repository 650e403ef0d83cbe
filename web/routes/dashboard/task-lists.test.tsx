import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { SUBMISSION_STATES, type SubmissionState } from '#contract/submission-states.ts'
import { myTaskStates } from '#contract/submissions.ts'
import { allTask, deleteTask, managedTasks, myTask, taskListWorker } from '#contract/tasks.ts'
import { button, dialog, expectFocus, expectGone, openApp, server, until, user } from '#web/testing/app.tsx'
import { aTask, aUser } from '#web/testing/records.ts'

test('a task without places is in the list without a way to apply', async () => {
  server.serveList(taskListWorker, [aTask({ worker: 0, isCompleted: true })])
  await openApp('/dashboard/available-task', { as: aUser('Worker') })
  const card = within(await screen.findByRole('article'))
  card.getByText('Filled')
  card.getByText('Task already completed')
  const links = card.queryAllByRole('link').map(({ textContent }) => textContent)
  assert.deepEqual(links, ['Nadia Buyer'])
})

/** Opens a worker's list of tasks, named by the state of their work on them. */
async function openStates(states: (SubmissionState | null)[], path = '/dashboard/available-task') {
  const tasks = states.map((state) => aTask({ task_title: state ?? 'none' }))
  server.serveList(path === '/all-task' ? allTask : taskListWorker, tasks)
  server.serve(
    myTaskStates,
    tasks.flatMap(({ _id }, index) => (states[index] ? [{ taskId: _id, state: states[index] }] : [])),
  )
  await openApp(path, { as: aUser('Worker') })
  return tasks
}

const CARDS: Record<SubmissionState, string> = {
  pending: 'In review',
  revision_requested: 'Revision requested',
  rejection_open: 'Rejected: try again',
  appealed: 'Appealed',
  in_review: 'With a reviewer',
  approved: 'Paid',
  rejected: 'Rejected: try again',
}

for (const path of ['/dashboard/available-task', '/all-task']) {
  test(`the cards of ${path} say what became of the worker's work`, async () => {
    await openStates([...SUBMISSION_STATES], path)
    for (const state of SUBMISSION_STATES) {
      const link = await screen.findByRole('link', { name: `${CARDS[state]} : ${state}` })
      assert.match(link.getAttribute('href') ?? '', /^\/dashboard\/task-details\//)
    }
    expectGone(screen.queryByText(/^Apply Task/))
  })
}

test('tasks that the worker cannot apply for come last, also after more tasks are loaded', async () => {
  const states = Array.from({ length: 30 }, (_, index) => (index % 10 === 0 ? ('approved' as const) : null))
  await openStates(states)
  const titles = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  await until(() => assert.deepEqual(titles().slice(-3), ['none', 'approved', 'approved']))
  await user.click(button('Load more'))
  await until(() => assert.deepEqual(titles().slice(-4), ['none', 'approved', 'approved', 'approved']))
})

test('a rejected task whose slots are taken since is completed', async () => {
  const task = aTask({ worker: 0 })
  server.serveList(taskListWorker, [task])
  server.serve(myTaskStates, [{ taskId: task._id, state: 'rejected' }])
  await openApp('/dashboard/available-task', { as: aUser('Worker') })
  await screen.findByText('Task already completed')
})

test('tasks are listed without states when the states do not load', async () => {
  server.serveList(taskListWorker, [aTask()])
  server.refuse(myTaskStates, 'internal')
  await openApp('/dashboard/available-task', { as: aUser('Worker') })
  await screen.findByText('Apply Task')
})

test("a user's own tasks come last and are marked", async () => {
  const buyer = aUser('Buyer')
  server.serveList(allTask, [aTask({ buyerId: buyer._id, task_title: 'Mine' }), aTask()])
  await openApp('/all-task', { as: buyer })
  await screen.findByRole('link', { name: 'Your task : Mine' })
})

test('a deletion names the coins that come back, and deletes only when it is confirmed', async () => {
  const task = aTask({ worker: 4, payable_amount: 25 })
  server.serveList(myTask, [task])
  server.serve(deleteTask, { acknowledged: true, deletedCount: 1, isCompleted: false, refund: 100 })
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  const remove = () => screen.findByRole('button', { name: `Delete ${task.task_title}` })
  await user.click(await remove())
  assert.match((await dialog('Are you sure?')).textContent ?? '', /100 coins/)
  await user.click(button('Cancel'))
  await until(() => expectGone(screen.queryByRole('dialog')))
  assert.equal(server.received(deleteTask).length, 0)

  await user.click(await remove())
  await dialog('Are you sure?')
  server.serveList(myTask, [])
  await user.click(button('Yes, delete it!'))
  within(await dialog('Deleted!')).getByText('Task deleted and coins refunded.')
  expectGone(screen.queryByText(task.task_title))
})

test('a buyer who owes coins reads that the refund of a deletion repays them first', async () => {
  const task = aTask({ worker: 4, payable_amount: 25 })
  server.serveList(myTask, [task])
  await openApp('/dashboard/my-task', { as: aUser('Buyer', { coin: 0, debt: 300 }) })
  await user.click(await screen.findByRole('button', { name: `Delete ${task.task_title}` }))
  within(await dialog('Are you sure?')).getByText(
    /^100 coins for 4 open slots will be refunded and repay what you owe \(300 coins\) first\./,
  )
})

test('a task that could not be deleted stays in the list', async () => {
  const task = aTask()
  server.serveList(managedTasks, [{ ...task, unlisted: null }])
  server.refuse(deleteTask, 'task_changed', 'The task has changed meanwhile.')
  await openApp('/dashboard/manage-task', { as: aUser('Admin') })
  await user.click(await screen.findByRole('button', { name: `Delete ${task.task_title}` }))
  await dialog('Are you sure?')
  await user.click(button('Yes, delete it!'))
  await screen.findByText('The task has changed meanwhile.')
  screen.getByText(task.task_title)
})

test('tasks are searched, ordered and filtered by what the address says', async () => {
  server.serveList(taskListWorker, [aTask()])
  await openApp('/dashboard/available-task?q=voice&sort=pay&pay_min=25&open=true', { as: aUser('Worker') })
  await screen.findAllByRole('listitem')
  const { q, sort, pay_min, open } = server.received(taskListWorker)[0]?.query ?? {}
  assert.deepEqual({ q, sort, pay_min, open }, { q: 'voice', sort: 'pay', pay_min: '25', open: 'true' })
})

test('a minimum pay of the address that is not in the list is a choice of its own', async () => {
  server.serveList(taskListWorker, [aTask()])
  await openApp('/dashboard/available-task?pay_min=1', { as: aUser('Worker') })
  await screen.findByRole('option', { name: '1 coin or more', selected: true })
})

test('after a deletion the focus is on the next task of the list', async () => {
  const tasks = ['One', 'Two', 'Three'].map((task_title) => ({ ...aTask({ task_title }), unlisted: null }))
  let listed = tasks
  server.serve(managedTasks, () => listed)
  server.serve(deleteTask, ({ params }) => {
    listed = tasks.filter(({ _id }) => _id !== params.id)
    return { acknowledged: true, deletedCount: 1, isCompleted: false, refund: 0 }
  })
  await openApp('/dashboard/manage-task', { as: aUser('Admin') })
  const remove = await screen.findByRole('button', { name: 'Delete Two' })
  remove.focus()
  await user.keyboard('{Enter}')
  await dialog('Are you sure?')
  await user.click(button('Yes, delete it!'))
  await dialog('Deleted!')
  await user.keyboard('{Escape}')
  await until(() => expectGone(screen.queryByRole('dialog')))
  await until(() => expectFocus(screen.getByRole('link', { name: 'Three' })))
})

test('an Admin reads before a deletion that the refund repays a debt of the buyer first', async () => {
  const task = aTask({ required_workers: 5, worker: 5, payable_amount: 10, buyer_name: 'Karim' })
  server.serveList(managedTasks, [{ ...task, unlisted: null }])
  await openApp('/dashboard/manage-task', { as: aUser('Admin') })
  await user.click(await screen.findByRole('button', { name: `Delete ${task.task_title}` }))
  const text = (await dialog('Are you sure?')).textContent ?? ''
  assert.match(
    text,
    /50 coins for 5 open slots will be refunded to Karim\. A debt of the buyer is repaid first\./,
  )
})

test('an Admin filters all tasks by category', async () => {
  server.serveList(managedTasks, [{ ...aTask(), unlisted: null }])
  await openApp('/dashboard/manage-task', { as: aUser('Admin') })
  await user.selectOptions(await screen.findByLabelText('Category'), 'Translation')
  await until(() => assert.equal(server.received(managedTasks).at(-1)?.query.category, 'translation'))
})

test('an Admin sees which tasks are in no public list', async () => {
  const reasons = ['link', 'favourites_first', null] as const
  const tasks = reasons.map((unlisted) => ({ ...aTask(), unlisted }))
  server.serveList(managedTasks, tasks)
  await openApp('/dashboard/manage-task', { as: aUser('Admin') })
  const marks = ['Private', 'Only favourites so far']
  await screen.findByText('Private')
  const marked = tasks.map(({ task_title }) => {
    const row = within(screen.getByText(task_title).closest('tr, li') as HTMLElement)
    return marks.filter((mark) => row.queryByText(mark) !== null)
  })
  assert.deepEqual(marked, [['Private'], ['Only favourites so far'], []])
})

test('an order that does not exist counts as the newest first', async () => {
  server.serveList(taskListWorker, [aTask()])
  await openApp('/dashboard/available-task?sort=luck&pay_min=much', { as: aUser('Worker') })
  await screen.findAllByRole('listitem')
  const { sort, pay_min } = server.received(taskListWorker)[0]?.query ?? {}
  assert.deepEqual({ sort, pay_min }, { sort: 'newest', pay_min: undefined })
})

test('typing into the search waits for a pause, sends one request and updates the URL', async () => {
  server.serveList(taskListWorker, [aTask()])
  const router = await openApp('/dashboard/available-task', { as: aUser('Worker') })
  await screen.findAllByRole('listitem')
  await user.type(screen.getByRole('searchbox'), 'voice')
  await until(() => assert.equal(router.state.location.search, '?q=voice'))
  const searched = () => server.received(taskListWorker).map(({ query }) => query.q)
  await until(() => assert.deepEqual(searched(), [undefined, 'voice']))
})

test('a search without a result can be cleared', async () => {
  server.serve(taskListWorker, ({ query }) => (query.q === undefined ? [aTask()] : []))
  const router = await openApp('/dashboard/available-task?q=nothing', { as: aUser('Worker') })
  const empty = await within(screen.getByRole('main')).findByRole('heading', { level: 2 })
  await user.click(within(empty.parentElement as HTMLElement).getByRole('button'))
  await screen.findAllByRole('listitem')
  assert.equal(router.state.location.search, '')
})
