import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { SUBMISSION_STATES, type SubmissionState } from '#contract/submission-states.ts'
import { myTaskStates, submitWork, taskOfSubmission } from '#contract/submissions.ts'
import {
  allTask,
  deleteTask,
  managedTasks,
  myTask,
  type TaskDetails,
  taskDetails,
  taskListWorker,
  updateTask,
} from '#contract/tasks.ts'
import { queryClient, queryOf } from '#web/lib/queries.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  fill,
  openApp,
  server,
  until,
  user,
} from '#web/testing/app.tsx'
import { anId, aTask, aUser } from '#web/testing/records.ts'

const details = (change: Partial<TaskDetails> = {}): TaskDetails => ({
  ...aTask(change),
  taskVersion: 1,
  restorable_slots: 0,
  audience: null,
  ineligibility: null,
  rejection: null,
  submission: null,
  reservation: null,
  ...change,
})
const work = () => field(/^your work/i) as HTMLTextAreaElement
const updated = { acknowledged: true, matchedCount: 1, modifiedCount: 1 }

async function openTask(task: TaskDetails, as = aUser('Worker')) {
  server.serve(taskDetails, () => task)
  const router = await openApp(`/dashboard/task-details/${task._id}`, { as })
  await screen.findByRole('heading', { level: 1, name: task.task_title })
  return router
}

test('submitted work is sent for its task and shown as submitted', async () => {
  const task = details({ worker: 4 })
  server.serve(submitWork, { acknowledged: true, insertedId: anId() })
  await openTask(task)
  await fill(work(), 'Here is the text: https://example.com/text')
  await user.click(button(/submit work/i))
  within(await dialog('Success')).getByText('Task submitted successfully!')
  assert.equal(server.received(submitWork)[0]?.body.taskId, task._id)
  assert.ok(server.received(submitWork)[0]?.headers.get('idempotency-key'))
  expectGone(screen.queryByLabelText(/^your work/i))
  screen.getByText('3 of 10 left')
})

test('work for a text that has changed is kept, and sent for the changed text once it is shown', async () => {
  const task = details({ worker: 4 })
  await openTask(task)
  await fill(work(), 'My text')
  server.serve(taskDetails, { ...task, taskVersion: 2, task_detail: 'At least 500 words.' })
  server.refuse(submitWork, 'task_changed', 'The text of this task has changed.')
  await user.click(button(/submit work/i))
  within(await dialog('Error')).getByText('The text of this task has changed. Your text has been kept.')
  await user.click(button('OK'))
  await screen.findByText('At least 500 words.')
  assert.equal(work().value, 'My text')
  server.serve(submitWork, { acknowledged: true, insertedId: anId() })
  await user.click(button(/submit work/i))
  await dialog('Success')
  assert.deepEqual(
    server.received(submitWork).map(({ body }) => body.taskVersion),
    [1, 2],
  )
})

test('work on a task that is held meanwhile is kept in the form, and sent when the hold is over', async () => {
  const task = details()
  await openTask(task)
  await fill(work(), 'An hour of work')
  server.serve(taskDetails, { ...task, ineligibility: { reason: 'held', message: 'It is on hold.' } })
  server.refuse(submitWork, 'task_closed', 'It is on hold.')
  await user.click(button(/submit work/i))
  within(await dialog('Error')).getByText('It is on hold. Your text has been kept.')
  await user.click(button('OK'))
  const held = (await screen.findByRole('button', { name: 'On hold' })) as HTMLButtonElement
  assert.deepEqual([held.disabled, work().value], [true, 'An hour of work'])
  screen.getByRole('heading', { name: 'You cannot take this task' })
  expectGone(screen.queryByRole('button', { name: 'Start work' }))
  server.serve(taskDetails, task)
  server.serve(submitWork, { acknowledged: true, insertedId: anId() })
  await queryClient.invalidateQueries()
  await user.click(await screen.findByRole('button', { name: /submit work/i }))
  await dialog('Success')
})

test('what a worker has typed stays readable when they may not take the task any more', async () => {
  const task = details()
  await openTask(task)
  await fill(work(), 'An hour of work')
  server.serve(taskDetails, { ...task, ineligibility: { reason: 'approval_rate', message: 'Below 90%.' } })
  await queryClient.invalidateQueries()
  const kept = within(await screen.findByRole('region', { name: 'Your text' }))
  kept.getByText('An hour of work')
  await user.click(kept.getByRole('button', { name: 'Copy' }))
  await kept.findByRole('button', { name: 'Copied' })
  assert.equal(await navigator.clipboard.readText(), 'An hour of work')
})

test('work on a task that was deleted meanwhile stays readable', async () => {
  await openTask(details())
  await fill(work(), 'An hour of work')
  server.refuse(taskDetails, 'task_not_found', 'There is no such task.')
  server.refuse(submitWork, 'task_not_found', 'There is no such task.')
  await user.click(button(/submit work/i))
  within(await dialog('Error')).getByText('There is no such task. Your text has been kept.')
  await user.click(button('OK'))
  await screen.findByText('Task not found!')
  within(screen.getByRole('region', { name: 'Your text' })).getByText('An hour of work')
})

test('the link to the buyer has one recipient, whatever the email says', async () => {
  await openTask(details({ buyer: 'x?bcc=everyone@example.com&body=pay' }))
  const link = screen.getByRole('link', { name: 'x?bcc=everyone@example.com&body=pay' })
  assert.equal(link.getAttribute('href'), 'mailto:x%3Fbcc%3Deveryone@example.com%26body%3Dpay')
})

test('a worker sees when work is reviewed before starting it, in the list and on the task', async () => {
  const task = details({ review_hours: 72 })
  await openTask(task)
  screen.getByText('Within 3 days, otherwise paid automatically')
  server.serveList(taskListWorker, [task])
  await user.click(screen.getByRole('link', { name: 'Available Task' }))
  await screen.findByText('Reviewed within 3 days, otherwise paid automatically')
})

test('a masked email is no link', async () => {
  await openTask(details({ buyer: 'b•••@example.com' }))
  assert.equal(screen.getByText('b•••@example.com').closest('a'), null)
})

test('empty work is not sent', async () => {
  server.serve(submitWork, { acknowledged: true, insertedId: anId() })
  await openTask(details())
  await user.click(button(/submit work/i))
  await until(() => assert.equal(work().getAttribute('aria-invalid'), 'true'))
  assert.equal(server.received(submitWork).length, 0)
})

test('work that could not be sent stays in the form', async () => {
  server.refuse(submitWork, 'task_filled', 'All places are taken.')
  await openTask(details())
  await fill(work(), 'An hour of work')
  await user.click(button(/submit work/i))
  assert.match((await dialog('Error')).textContent ?? '', /All places are taken/)
  assert.equal(work().value, 'An hour of work')
})

test('work that was typed is there again after another screen', async () => {
  const task = details()
  server.serveList(taskListWorker, [])
  const router = await openTask(task)
  await fill(work(), 'Half of the work')
  await router.navigate('/dashboard/available-task')
  await screen.findByRole('heading', { level: 1, name: 'Available Tasks' })
  await router.navigate(`/dashboard/task-details/${task._id}`)
  await until(() => assert.equal(work().value, 'Half of the work'))
})

test('the picture of a task opens in full', async () => {
  await openTask(details({ task_title: 'Count boats', task_image_url: 'https://example.com/boats.jpg' }))
  await user.click(button('Open the picture'))
  const picture = (await dialog('Count boats')).querySelector('img')
  assert.match(picture?.getAttribute('src') ?? '', /boats/)
  await user.click(button('Close'))
  await until(() => expectGone(screen.queryByRole('dialog')))
})

test('a press enlarges the picture of a task, and another shows all of it', async (context) => {
  const size = () => ({ left: 0, top: 0, width: 300, height: 200 }) as DOMRect
  context.mock.method(HTMLElement.prototype, 'getBoundingClientRect', size)
  await openTask(details({ task_title: 'Count boats', task_image_url: 'https://example.com/boats.jpg' }))
  await user.click(button('Open the picture'))
  const picture = (await dialog('Count boats')).querySelector('img')
  await user.click(button('Zoom in'))
  assert.equal(picture?.style.width, '750px')
  await user.click(button('Zoom out'))
  assert.equal(picture?.style.width, '')
})

test('a task without places takes no work', async () => {
  await openTask(details({ worker: 0, isCompleted: true }))
  const submit = button('Task already completed') as HTMLButtonElement
  assert.equal(submit.disabled, true)
})

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

test('a worker who has submitted sees the work instead of the form', async () => {
  await openTask(
    details({
      submission: {
        _id: anId(),
        taskVersion: 1,
        status: 'approved',
        state: 'approved',
        submissoin_data: 'The text I wrote',
        createdAt: '2026-01-14T09:00:00.000Z',
        dueAt: null,
        reviewBy: null,
      },
    }),
  )
  screen.getByText('The text I wrote')
  screen.getByText('Approved')
  expectGone(screen.queryByLabelText(/^your work/i))
})

test('a worker is shown the text that the work was made for when the task was edited since', async () => {
  server.serve(taskOfSubmission, {
    taskVersion: 1,
    current: false,
    task_title: 'Transcribe a note',
    task_detail: 'Write down every word.',
    submission_info: 'A link',
  })
  const submission = {
    _id: anId(),
    taskVersion: 1,
    status: 'pending' as const,
    state: 'pending' as const,
    submissoin_data: 'The text I wrote',
    createdAt: '2026-01-14T09:00:00.000Z',
    dueAt: null,
    reviewBy: null,
  }
  await openTask(details({ taskVersion: 2, submission }))
  screen.getByText(/judged by the task text you were shown/)
  await user.click(button('Show task text'))
  await screen.findByText('Write down every word.')
  assert.equal(server.received(taskOfSubmission)[0]?.params.id, submission._id)
})

for (const [worker, isShown] of [
  [4, true],
  [10, false],
] as const) {
  test(`a buyer who edits a task with ${10 - worker} of 10 slots taken reads ${isShown ? 'which text counts' : 'no notice'}`, async () => {
    const buyer = aUser('Buyer')
    server.serve(taskDetails, details({ buyer: buyer.email, required_workers: 10, worker }))
    await openApp(`/dashboard/update-task/${anId()}`, { as: buyer })
    await screen.findByLabelText(/^task title/i)
    assert.equal(screen.queryByText(/judged by the task text its worker was shown/) !== null, isShown)
  })
}

test('an address in the text of a task is a link, markup in it is not', async () => {
  await openTask(details({ task_detail: 'See https://example.com/a, <b>then</b> write.' }))
  const link = screen.getByRole('link', { name: 'https://example.com/a' })
  assert.match(link.getAttribute('rel') ?? '', /noopener/)
  screen.getByText(/<b>then<\/b>/)
})

for (const isBatch of [false, true]) {
  test(`a former buyer is offered no work on their own ${isBatch ? 'batch' : 'task'}`, async () => {
    const worker = aUser('Worker')
    await openTask(details({ buyer: worker.email, buyerId: worker._id, isBatch }), worker)
    screen.getByText('This is your own task.')
    expectGone(screen.queryByRole('button', { name: /start work|submit work/i }))
    expectGone(screen.queryByRole('link', { name: /^(work on items|update)$/i }))
    expectGone(screen.queryByLabelText(/^your work/i))
  })
}

test('a buyer who opens a task is offered no form', async () => {
  await openTask(details(), aUser('Buyer'))
  expectGone(screen.queryByLabelText(/^your work/i))
})

test('a task that does not exist is shown as not found, with the way to the list', async () => {
  server.refuse(taskDetails, 'task_not_found', 'There is no such task.')
  await openApp(`/dashboard/task-details/${anId()}`, { as: aUser('Worker') })
  await screen.findByText('Task not found!')
  const main = within(screen.getByRole('main'))
  assert.equal(main.getByRole('link').getAttribute('href'), '/dashboard/available-task')
})

test('a task that was deleted since an earlier reply is shown as not found', async () => {
  const task = details()
  const { queryKey } = queryOf(taskDetails, { params: { id: task._id } })
  queryClient.setQueryData(queryKey, task, { updatedAt: Date.now() - 60_000 })
  server.refuse(taskDetails, 'task_not_found', 'There is no such task.')
  await openApp(`/dashboard/task-details/${task._id}`, { as: aUser('Worker') })
  await screen.findByText('Task not found!')
  expectGone(screen.queryByText(task.task_title))
})

test('a task that did not load is loaded again on a retry', async () => {
  const task = details()
  server.refuse(taskDetails, 'internal', 'Not available.')
  await openApp(`/dashboard/task-details/${task._id}`, { as: aUser('Worker') })
  const alert = await screen.findByRole('alert')
  server.serve(taskDetails, task)
  await user.click(within(alert).getByRole('button'))
  await screen.findByRole('heading', { level: 1, name: task.task_title })
})

test('the words and the category of a task can change, and nothing else', async () => {
  const buyer = aUser('Buyer')
  const task = details({ buyer: buyer.email })
  server.serve(taskDetails, task)
  server.serve(updateTask, updated)
  server.serveList(myTask, [])
  const router = await openApp(`/dashboard/update-task/${task._id}`, { as: buyer })
  await screen.findByLabelText(/^task title/i)
  expectGone(screen.queryByLabelText(/^required workers/i))
  await fill(field(/^task title/i), 'A better title')
  await user.selectOptions(field('Category'), 'Translation')
  await user.click(button('Update Task'))
  await dialog('Updated!')
  assert.equal(router.state.location.pathname, '/dashboard/my-task')
  assert.deepEqual(server.received(updateTask)[0]?.body, {
    task_title: 'A better title',
    task_detail: task.task_detail,
    submission_info: task.submission_info,
    category: 'translation',
    taskVersion: 1,
  })
})

test('an edit names the version of the text that was read, and no category that was not chosen', async () => {
  const buyer = aUser('Buyer')
  const task = details({ buyer: buyer.email })
  const { task_title, submission_info } = task
  server.serve(taskDetails, () => task)
  server.refuse(updateTask, 'state_conflict', 'This task has changed in the meantime.')
  await openApp(`/dashboard/update-task/${task._id}`, { as: buyer })
  await fill(await screen.findByLabelText(/^task details/i), 'Better details')
  await until(() => assert.equal(server.openStreams, 1))
  Object.assign(task, { task_title: 'A title of another tab', category: 'translation', taskVersion: 2 })
  server.send('update', { about: ['tasks'], coin: buyer.coin, notices: [] })
  await until(() => assert.equal(server.received(taskDetails).length, 2))
  await user.click(button('Update Task'))
  await screen.findByText('This task has changed in the meantime.')
  assert.deepEqual(server.received(updateTask)[0]?.body, {
    task_title,
    task_detail: 'Better details',
    submission_info,
    taskVersion: 1,
  })
})

test('an edit that was not saved is kept with the version that it was typed on, and can be discarded', async () => {
  const buyer = aUser('Buyer')
  const task = details({ buyer: buyer.email })
  server.serve(taskDetails, () => task)
  server.refuse(updateTask, 'state_conflict', 'This task has changed in the meantime.')
  const open = () => openApp(`/dashboard/update-task/${task._id}`, { as: buyer })
  const title = async () => ((await screen.findByLabelText(/^task title/i)) as HTMLInputElement).value
  const notice = 'The form has changes from this browser that are not saved to the task.'
  await open()
  await title()
  expectGone(screen.queryByText(notice))
  await fill(field(/^task title/i), 'A better title')
  Object.assign(task, { task_title: 'A title of another tab', taskVersion: 2 })
  await open()
  assert.equal(await title(), 'A better title')
  screen.getByText(notice)
  await user.click(button('Update Task'))
  await screen.findByText('This task has changed in the meantime.')
  assert.equal(server.received(updateTask)[0]?.body.taskVersion, 1)
  await user.click(button('Discard them'))
  assert.equal(await title(), 'A title of another tab')
  expectGone(screen.queryByText(notice))
  server.serve(updateTask, updated)
  server.serveList(myTask, [])
  await fill(field(/^task title/i), 'The best title')
  await user.click(button('Update Task'))
  await dialog('Updated!')
  await user.click(button('OK'))
  await until(() => expectGone(screen.queryByRole('dialog')))
  await open()
  assert.equal(await title(), 'A title of another tab')
})

test('a reply that comes after the form was left opens no other screen', async () => {
  const buyer = aUser('Buyer')
  const [first, second] = [details({ buyer: buyer.email }), details({ buyer: buyer.email })]
  server.serve(taskDetails, ({ params }) => (params.id === first._id ? first : second))
  server.serve(updateTask, updated)
  const held = server.hold(updateTask)
  const router = await openApp(`/dashboard/update-task/${first._id}`, { as: buyer })
  await screen.findByLabelText(/^task title/i)
  await user.click(button('Update Task'))
  await until(() => assert.equal(server.received(updateTask).length, 1))
  const path = `/dashboard/update-task/${second._id}`
  await router.navigate(path)
  await screen.findByDisplayValue(second.task_title)
  await fill(field(/^task title/i), 'A better title')
  held.release()
  await screen.findByText('Updated!')
  assert.equal(router.state.location.pathname, path)
  assert.equal((field(/^task title/i) as HTMLInputElement).value, 'A better title')
})

test('the form to update a task starts from its present text, not from an earlier reply', async () => {
  const buyer = aUser('Buyer')
  const earlier = details({ buyer: buyer.email, task_title: 'An earlier title' })
  const task = { ...earlier, task_title: 'The present title', taskVersion: 2 }
  const { queryKey } = queryOf(taskDetails, { params: { id: task._id } })
  queryClient.setQueryData(queryKey, earlier, { updatedAt: Date.now() - 60_000 })
  server.refuse(taskDetails, 'internal')
  server.serve(updateTask, updated)
  server.serveList(myTask, [])
  await openApp(`/dashboard/update-task/${task._id}`, { as: buyer })
  const alert = await screen.findByRole('alert')
  expectGone(screen.queryByLabelText(/^task title/i))
  server.serve(taskDetails, task)
  await user.click(within(alert).getByRole('button'))
  await fill(await screen.findByLabelText(/^submission info/i), 'A link')
  await user.click(button('Update Task'))
  await dialog('Updated!')
  const { task_title, submission_info } = server.received(updateTask)[0]?.body ?? {}
  assert.deepEqual(
    { task_title, submission_info },
    { task_title: 'The present title', submission_info: 'A link' },
  )
})

test('a live event does not make an earlier reply the present text of a task', async () => {
  const buyer = aUser('Buyer')
  const earlier = details({ buyer: buyer.email, worker: 4, task_title: 'An earlier title' })
  const { queryKey } = queryOf(taskDetails, { params: { id: earlier._id } })
  queryClient.setQueryData(queryKey, earlier, { updatedAt: Date.now() - 60_000 })
  server.serve(taskDetails, { ...earlier, task_title: 'The present title', taskVersion: 2 })
  const held = server.hold(taskDetails)
  await openApp(`/dashboard/update-task/${earlier._id}`, { as: buyer })
  await until(() => assert.equal(server.openStreams, 1))
  server.send('tasks', { tasks: [{ _id: anId(), worker: 1, isClosed: false }] })
  server.send('tasks', { tasks: [{ _id: earlier._id, worker: 3, isClosed: false }] })
  await until(() => assert.equal(queryClient.getQueryData(queryKey)?.worker, 3))
  expectGone(screen.queryByLabelText(/^task title/i))
  held.release()
  const title = (await screen.findByLabelText(/^task title/i)) as HTMLInputElement
  assert.equal(title.value, 'The present title')
})

test('a task without a title is not updated', async () => {
  const buyer = aUser('Buyer')
  const task = details({ buyer: buyer.email })
  server.serve(taskDetails, task)
  server.serve(updateTask, updated)
  await openApp(`/dashboard/update-task/${task._id}`, { as: buyer })
  await fill(await screen.findByLabelText(/^task title/i), '')
  await user.click(button('Update Task'))
  await until(() => assert.equal(field(/^task title/i).getAttribute('aria-invalid'), 'true'))
  assert.equal(server.received(updateTask).length, 0)
})

test("another buyer's task cannot be updated, and is not shown as missing", async () => {
  server.serve(taskDetails, details({ buyer: 'other@example.com' }))
  await openApp(`/dashboard/update-task/${anId()}`, { as: aUser('Buyer') })
  await screen.findByText("This is another buyer's task")
  expectGone(screen.queryByText('Task not found!'))
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
