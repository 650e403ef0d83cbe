import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { myTask, taskDetails, updateTask } from '#contract/tasks.ts'
import { queryClient, queryOf } from '#web/lib/queries.ts'
import { button, dialog, expectGone, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { anId, aTaskDetails, aUser } from '#web/testing/records.ts'

const updated = { acknowledged: true, matchedCount: 1, modifiedCount: 1 }

for (const [worker, isShown] of [
  [4, true],
  [10, false],
] as const) {
  test(`a buyer who edits a task with ${10 - worker} of 10 slots taken reads ${isShown ? 'which text counts' : 'no notice'}`, async () => {
    const buyer = aUser('Buyer')
    server.serve(taskDetails, aTaskDetails({ buyer: buyer.email, required_workers: 10, worker }))
    await openApp(`/dashboard/update-task/${anId()}`, { as: buyer })
    await screen.findByLabelText(/^task title/i)
    assert.equal(screen.queryByText(/judged by the task text its worker was shown/) !== null, isShown)
  })
}

test('the words and the category of a task can change, and nothing else', async () => {
  const buyer = aUser('Buyer')
  const task = aTaskDetails({ buyer: buyer.email })
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
  const task = aTaskDetails({ buyer: buyer.email })
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
  const task = aTaskDetails({ buyer: buyer.email })
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
  const [first, second] = [aTaskDetails({ buyer: buyer.email }), aTaskDetails({ buyer: buyer.email })]
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
  const earlier = aTaskDetails({ buyer: buyer.email, task_title: 'An earlier title' })
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
  const earlier = aTaskDetails({ buyer: buyer.email, worker: 4, task_title: 'An earlier title' })
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
  const task = aTaskDetails({ buyer: buyer.email })
  server.serve(taskDetails, task)
  server.serve(updateTask, updated)
  await openApp(`/dashboard/update-task/${task._id}`, { as: buyer })
  await fill(await screen.findByLabelText(/^task title/i), '')
  await user.click(button('Update Task'))
  await until(() => assert.equal(field(/^task title/i).getAttribute('aria-invalid'), 'true'))
  assert.equal(server.received(updateTask).length, 0)
})

test("another buyer's task cannot be updated, and is not shown as missing", async () => {
  server.serve(taskDetails, aTaskDetails({ buyer: 'other@example.com' }))
  await openApp(`/dashboard/update-task/${anId()}`, { as: aUser('Buyer') })
  await screen.findByText("This is another buyer's task")
  expectGone(screen.queryByText('Task not found!'))
})
