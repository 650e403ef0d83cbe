import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { submitWork, taskOfSubmission } from '#contract/submissions.ts'
import { type TaskDetails, taskDetails, taskListWorker } from '#contract/tasks.ts'
import { queryClient, queryOf } from '#web/lib/queries.ts'
import { button, dialog, expectGone, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { anId, aTaskDetails, aUser } from '#web/testing/records.ts'

const work = () => field(/^your work/i) as HTMLTextAreaElement

async function openTask(task: TaskDetails, as = aUser('Worker')) {
  server.serve(taskDetails, () => task)
  const router = await openApp(`/dashboard/task-details/${task._id}`, { as })
  await screen.findByRole('heading', { level: 1, name: task.task_title })
  return router
}

test('submitted work is sent for its task and shown as submitted', async () => {
  const task = aTaskDetails({ worker: 4 })
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
  const task = aTaskDetails({ worker: 4 })
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
  const task = aTaskDetails()
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
  const task = aTaskDetails()
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
  await openTask(aTaskDetails())
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
  await openTask(aTaskDetails({ buyer: 'x?bcc=everyone@example.com&body=pay' }))
  const link = screen.getByRole('link', { name: 'x?bcc=everyone@example.com&body=pay' })
  assert.equal(link.getAttribute('href'), 'mailto:x%3Fbcc%3Deveryone@example.com%26body%3Dpay')
})

test('a worker sees when work is reviewed before starting it, in the list and on the task', async () => {
  const task = aTaskDetails({ review_hours: 72 })
  await openTask(task)
  screen.getByText('Within 3 days, otherwise paid automatically')
  server.serveList(taskListWorker, [task])
  await user.click(screen.getByRole('link', { name: 'Available Task' }))
  await screen.findByText('Reviewed within 3 days, otherwise paid automatically')
})

test('a masked email is no link', async () => {
  await openTask(aTaskDetails({ buyer: 'b•••@example.com' }))
  assert.equal(screen.getByText('b•••@example.com').closest('a'), null)
})

test('empty work is not sent', async () => {
  server.serve(submitWork, { acknowledged: true, insertedId: anId() })
  await openTask(aTaskDetails())
  await user.click(button(/submit work/i))
  await until(() => assert.equal(work().getAttribute('aria-invalid'), 'true'))
  assert.equal(server.received(submitWork).length, 0)
})

test('work that could not be sent stays in the form', async () => {
  server.refuse(submitWork, 'task_filled', 'All places are taken.')
  await openTask(aTaskDetails())
  await fill(work(), 'An hour of work')
  await user.click(button(/submit work/i))
  assert.match((await dialog('Error')).textContent ?? '', /All places are taken/)
  assert.equal(work().value, 'An hour of work')
})

test('work that was typed is there again after another screen', async () => {
  const task = aTaskDetails()
  server.serveList(taskListWorker, [])
  const router = await openTask(task)
  await fill(work(), 'Half of the work')
  await router.navigate('/dashboard/available-task')
  await screen.findByRole('heading', { level: 1, name: 'Available Tasks' })
  await router.navigate(`/dashboard/task-details/${task._id}`)
  await until(() => assert.equal(work().value, 'Half of the work'))
})

test('the picture of a task opens in full', async () => {
  await openTask(aTaskDetails({ task_title: 'Count boats', task_image_url: 'https://example.com/boats.jpg' }))
  await user.click(button('Open the picture'))
  const picture = (await dialog('Count boats')).querySelector('img')
  assert.match(picture?.getAttribute('src') ?? '', /boats/)
  await user.click(button('Close'))
  await until(() => expectGone(screen.queryByRole('dialog')))
})

test('a press enlarges the picture of a task, and another shows all of it', async (context) => {
  const size = () => ({ left: 0, top: 0, width: 300, height: 200 }) as DOMRect
  context.mock.method(HTMLElement.prototype, 'getBoundingClientRect', size)
  await openTask(aTaskDetails({ task_title: 'Count boats', task_image_url: 'https://example.com/boats.jpg' }))
  await user.click(button('Open the picture'))
  const picture = (await dialog('Count boats')).querySelector('img')
  await user.click(button('Zoom in'))
  assert.equal(picture?.style.width, '750px')
  await user.click(button('Zoom out'))
  assert.equal(picture?.style.width, '')
})

test('a task without places takes no work', async () => {
  await openTask(aTaskDetails({ worker: 0, isCompleted: true }))
  const submit = button('Task already completed') as HTMLButtonElement
  assert.equal(submit.disabled, true)
})

test('a worker who has submitted sees the work instead of the form', async () => {
  await openTask(
    aTaskDetails({
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
  await openTask(aTaskDetails({ taskVersion: 2, submission }))
  screen.getByText(/judged by the task text you were shown/)
  await user.click(button('Show task text'))
  await screen.findByText('Write down every word.')
  assert.equal(server.received(taskOfSubmission)[0]?.params.id, submission._id)
})

test('an address in the text of a task is a link, markup in it is not', async () => {
  await openTask(aTaskDetails({ task_detail: 'See https://example.com/a, <b>then</b> write.' }))
  const link = screen.getByRole('link', { name: 'https://example.com/a' })
  assert.match(link.getAttribute('rel') ?? '', /noopener/)
  screen.getByText(/<b>then<\/b>/)
})

for (const isBatch of [false, true]) {
  test(`a former buyer is offered no work on their own ${isBatch ? 'batch' : 'task'}`, async () => {
    const worker = aUser('Worker')
    await openTask(aTaskDetails({ buyer: worker.email, buyerId: worker._id, isBatch }), worker)
    screen.getByText('This is your own task.')
    expectGone(screen.queryByRole('button', { name: /start work|submit work/i }))
    expectGone(screen.queryByRole('link', { name: /^(work on items|update)$/i }))
    expectGone(screen.queryByLabelText(/^your work/i))
  })
}

test('a buyer who opens a task is offered no form', async () => {
  await openTask(aTaskDetails(), aUser('Buyer'))
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
  const task = aTaskDetails()
  const { queryKey } = queryOf(taskDetails, { params: { id: task._id } })
  queryClient.setQueryData(queryKey, task, { updatedAt: Date.now() - 60_000 })
  server.refuse(taskDetails, 'task_not_found', 'There is no such task.')
  await openApp(`/dashboard/task-details/${task._id}`, { as: aUser('Worker') })
  await screen.findByText('Task not found!')
  expectGone(screen.queryByText(task.task_title))
})

test('a task that did not load is loaded again on a retry', async () => {
  const task = aTaskDetails()
  server.refuse(taskDetails, 'internal', 'Not available.')
  await openApp(`/dashboard/task-details/${task._id}`, { as: aUser('Worker') })
  const alert = await screen.findByRole('alert')
  server.serve(taskDetails, task)
  await user.click(within(alert).getByRole('button'))
  await screen.findByRole('heading', { level: 1, name: task.task_title })
})
