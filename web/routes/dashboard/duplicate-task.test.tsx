import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { batches } from '#contract/batches.ts'
import { project } from '#contract/projects.ts'
import { site } from '#contract/site.ts'
import { taskFunnel } from '#contract/task-funnel.ts'
import { addTask, myTask, type TaskDetails, taskDetails } from '#contract/tasks.ts'
import { queryClient, queryOf } from '#web/lib/queries.ts'
import { button, dialog, expectGone, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { aBatch, PROJECT } from '#web/testing/batches.ts'
import { SITE } from '#web/testing/fake-server.ts'
import { anId, aTaskDetails, aUser } from '#web/testing/records.ts'

const input = (name: RegExp) => field(name) as HTMLInputElement

function serveTask(change: Partial<TaskDetails> = {}) {
  const buyer = aUser('Buyer')
  const task = aTaskDetails({
    ...{ buyer: buyer.email, buyerId: buyer._id, task_title: 'Label ten photos', required_workers: 8 },
    ...change,
  })
  server.serve(taskDetails, task)
  server.serveList(myTask, [task])
  server.serve(taskFunnel, {
    taskId: task._id,
    ...{ seen: 40, reserved: 10, submitted: 7, approved: 5, rejected: 1 },
    ...{ paid: 125, escrow: 75, medianSeconds: 660 },
  })
  server.serve(addTask, { acknowledged: true, insertedId: anId() })
  return { buyer, task }
}

test('a copy that costs more than the balance leads to the purchase, and back to the copy', async () => {
  const { buyer, task } = serveTask()
  const path = `/dashboard/add-task?copy=${task._id}`
  const router = await openApp(path, { as: { ...buyer, coin: 10 } })
  await fill(await screen.findByLabelText(/^completion date/i), 'December 20, 2026')
  await user.tab()
  await user.click(button('Add Task'))
  const offered = within(await dialog('Insufficient Coin'))
  await user.click(offered.getByRole('button', { name: 'Go to Purchase Page' }))
  await until(() => assert.equal(router.state.location.pathname, '/dashboard/purchase-coin'))
  assert.deepEqual(router.state.location.state, { returnTo: path })
})

test('a copy of a task from the list has everything but the completion date', async () => {
  server.serve(site, { ...SITE, reviewDays: 5 })
  const { buyer, task } = serveTask({ category: 'labeling', review_hours: 36, reservation_minutes: 90 })
  const router = await openApp('/dashboard/my-task', { as: buyer })
  await user.click(await screen.findByRole('link', { name: 'Duplicate Label ten photos' }))
  await screen.findByText(/A copy of “Label ten photos”/)
  assert.equal(router.state.location.search, `?copy=${task._id}`)
  assert.equal(input(/^completion date/i).value, '')
  screen.getByRole('option', { name: '1 hour 30 minutes', selected: true })
  await user.click(button('Add Task'))
  await screen.findByText('Choose a completion date')
  await fill(field(/^completion date/i), 'December 20, 2026')
  await user.tab()
  await user.click(button('Add Task'))
  await dialog('Task Added')
  const sent = server.received(addTask)[0]?.body
  const { task_title, task_detail, submission_info, required_workers, payable_amount } = task
  assert.deepEqual(
    { ...sent },
    {
      ...{ task_title, task_detail, submission_info, required_workers, payable_amount },
      ...{ category: 'labeling', review_hours: 36, reservation_minutes: 90, task_image_url: '' },
      completion_date: '2026-12-20',
      ...{ worker: 8, amount: payable_amount, total: 8 * payable_amount },
      ...{ buyer: buyer.email, buyer_name: buyer.user },
    },
  )
})

test('a copy has the present text of the task, not that of an earlier reply', async () => {
  const { buyer, task } = serveTask()
  const { queryKey } = queryOf(taskDetails, { params: { id: task._id } })
  queryClient.setQueryData(
    queryKey,
    { ...task, task_title: 'An earlier title' },
    { updatedAt: Date.now() - 60_000 },
  )
  await openApp(`/dashboard/add-task?copy=${task._id}`, { as: buyer })
  assert.equal(((await screen.findByLabelText(/^task title/i)) as HTMLInputElement).value, 'Label ten photos')
})

test('what was typed into a copy is shown with a notice, also when its task was deleted, until it is discarded', async () => {
  const { buyer, task } = serveTask()
  const path = `/dashboard/add-task?copy=${task._id}`
  const router = await openApp(path, { as: buyer })
  await fill(await screen.findByLabelText(/^task title/i), 'Label ten pictures')
  expectGone(screen.queryByRole('button', { name: 'Discard them' }))
  server.refuse(taskDetails, 'task_not_found', 'Task not found!')
  await router.navigate('/dashboard/my-task')
  await screen.findByRole('heading', { level: 1, name: 'My Tasks' })
  await router.navigate(path)
  await screen.findByText('This copy has changes from this browser. The task may have been changed since.')
  assert.equal(input(/^task title/i).value, 'Label ten pictures')
  assert.equal(input(/^required workers/i).value, '8')

  server.serve(taskDetails, { ...task, task_title: 'Label twelve photos' })
  await user.click(button('Discard them'))
  await screen.findByText(/A copy of “Label twelve photos”/)
  assert.equal(input(/^task title/i).value, 'Label twelve photos')
})

test('a copy leaves what was typed into an empty form as it is', async () => {
  const { buyer, task } = serveTask()
  const router = await openApp('/dashboard/add-task', { as: buyer })
  await fill(await screen.findByLabelText(/^task title/i), 'Half a task')
  await router.navigate(`/dashboard/add-task?copy=${task._id}`)
  await until(() => assert.equal(input(/^task title/i).value, 'Label ten photos'))
  await router.navigate('/dashboard/add-task')
  await until(() => assert.equal(input(/^task title/i).value, 'Half a task'))
})

test('the page of an own task shows its results and offers Duplicate; the task of another buyer cannot be copied', async () => {
  const { buyer, task } = serveTask()
  const router = await openApp(`/dashboard/task-details/${task._id}`, { as: buyer })
  const results = await screen.findByRole('region', { name: 'Results' })
  await until(() => assert.match(results.textContent ?? '', /Opened by workers40/))
  assert.match(results.textContent ?? '', /Slots taken10Submitted7Approved5Paid to workers125 coins/)
  assert.match(results.textContent ?? '', /Rejected1Median time to submit11 minutes/)
  await user.click(screen.getByRole('link', { name: 'Duplicate' }))
  await until(() => assert.equal(input(/^task title/i).value, 'Label ten photos'))
  server.serve(taskDetails, { ...task, buyer: 'somebody@example.com', buyerId: anId() })
  await router.navigate(`/dashboard/task-details/${anId()}`)
  await screen.findByRole('heading', { name: 'Label ten photos' })
  expectGone(screen.queryByRole('link', { name: 'Duplicate' }))
  await router.navigate(`/dashboard/add-task?copy=${anId()}`)
  await screen.findByRole('heading', { name: "This is another buyer's task" })
})

test('a batch is not copied as a task: the list, its page and a copy of it lead to its project', async () => {
  const { buyer, task } = serveTask({ isBatch: true, task_detail: 'Find shops.' })
  const opened = aBatch({ taskId: task._id })
  server.serve(batches, [opened])
  server.serve(project, PROJECT)
  const router = await openApp('/dashboard/my-task', { as: buyer })
  const leadsToProject = async (name: string) => {
    await user.click(await screen.findByRole('button', { name }))
    await until(() => assert.equal(router.state.location.pathname, `/dashboard/projects/${opened.projectId}`))
    assert.ok(server.received(batches).some(({ query }) => query.task === task._id))
  }
  await screen.findByRole('button', { name: 'Upload more items for Label ten photos' })
  expectGone(screen.queryByRole('link', { name: 'Duplicate Label ten photos' }))
  await leadsToProject('Upload more items for Label ten photos')

  await router.navigate(`/dashboard/task-details/${task._id}`)
  await screen.findByRole('button', { name: 'Upload more items' })
  expectGone(screen.queryByRole('link', { name: 'Duplicate' }))
  await leadsToProject('Upload more items')

  await router.navigate(`/dashboard/add-task?copy=${task._id}`)
  await screen.findByText(/A batch cannot be duplicated/)
  expectGone(screen.queryByLabelText(/^task title/i))
  await leadsToProject('Upload more items')
})
