import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, within } from '@testing-library/react'
import type { DataRouter } from 'react-router'
import { mySubmissionCounts, mySubmissions, submitWork } from '#contract/submissions.ts'
import { type TaskDetails, taskDetails, taskListWorker } from '#contract/tasks.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  fill,
  openApp,
  server,
  setOnline,
  until,
  user,
} from '#web/testing/app.tsx'
import { Refused } from '#web/testing/fake-server.ts'
import { anId, aSubmission, aTask, aTaskDetails, aUser } from '#web/testing/records.ts'

const LIST = '/dashboard/available-task?pay_min=10'

const SENT: TaskDetails['submission'] = {
  _id: anId(),
  taskVersion: 1,
  status: 'pending',
  state: 'pending',
  submissoin_data: 'Panshi',
  createdAt: '2026-01-14T09:00:00.000Z',
  dueAt: null,
  reviewBy: null,
}

/** Opens a list of tasks with these titles. The details are what `change` makes of each; null is a task that was deleted. */
async function openList(
  titles: string[],
  change: Record<string, Partial<TaskDetails> | null> = {},
  as = aUser('Worker'),
) {
  const tasks = titles.map((task_title) => aTask({ task_title }))
  server.serveList(taskListWorker, tasks)
  server.serve(submitWork, { acknowledged: true, insertedId: anId() })
  server.serve(taskDetails, ({ params }) => {
    const task = tasks.find(({ _id }) => _id === params.id)
    const changed = change[task?.task_title ?? '']
    if (task === undefined || changed === null) throw new Refused('task_not_found', 'There is no such task.')
    return aTaskDetails({ ...task, ...changed })
  })
  return openApp(LIST, { as })
}

const openTask = async (title: string) => {
  await user.click(await screen.findByRole('link', { name: `Apply Task : ${title}` }))
  await screen.findByRole('heading', { level: 1, name: title })
}
const submit = async () => {
  await fill(field(/^your work/i), 'Panshi, Pach Bhai, Woondaal')
  await user.click(button('Submit Work'))
}
const pathOf = ({ state: { location } }: DataRouter) => location.pathname + location.search

test('submitted work is counted in My Submissions', async () => {
  let count = 0
  server.serve(mySubmissions, () => ({
    tasks: Array.from({ length: count }, () => aSubmission()),
    totalTasks: count,
  }))
  server.serve(mySubmissionCounts, () => [{ state: 'pending', count }])
  const router = await openList(['Rice'])
  await router.navigate('/dashboard/my-submisson')
  await screen.findByRole('link', { name: 'All 0' })
  await router.navigate(LIST)
  await openTask('Rice')
  server.serve(submitWork, () => {
    count = 1
    return { acknowledged: true, insertedId: anId() }
  })
  await submit()
  await user.click(within(await dialog('Success')).getByRole('button'))
  await router.navigate('/dashboard/my-submisson')
  await screen.findByRole('table', { name: 'Your submissions, newest first' })
  // With the list. Later the page, which has no live stream here, would poll.
  assert.equal(server.received(mySubmissionCounts).length, 2)
  await screen.findByRole('link', { name: 'All 1' })
})

describe('the next task of a list', () => {
  test('opens from the confirmation, which has the focus on it', async () => {
    await openList(['Rice', 'Tea', 'Salt'])
    await openTask('Rice')
    for (const title of ['Tea', 'Salt']) {
      await submit()
      const sent = within(await dialog('Success'))
      sent.getByText('Task submitted successfully!')
      await until(() => expectFocus(sent.getByRole('button', { name: 'Next task' })))
      await user.keyboard('{Enter}')
      await screen.findByRole('heading', { level: 1, name: title })
      await until(() => expectFocus(screen.getByRole('main')))
    }
    assert.equal(server.received(submitWork).length, 2)
  })

  test('is the first that is still open for the worker', async () => {
    const worker = aUser('Worker')
    const change = {
      Taken: { worker: 0 },
      Closed: { isClosed: true },
      Deleted: null,
      Own: { buyerId: worker._id },
    }
    await openList(['Rice', ...Object.keys(change), 'Tea'], change, worker)
    await openTask('Rice')
    await submit()
    await user.click(within(await dialog('Success')).getByRole('button', { name: 'Next task' }))
    await screen.findByRole('heading', { level: 1, name: 'Tea' })
  })

  test('is not offered after the last one, which leads back to the list with its filters', async () => {
    const router = await openList(['Rice', 'Tea'])
    await openTask('Tea')
    await submit()
    const sent = within(await dialog('Success'))
    expectGone(sent.queryByRole('button', { name: 'Next task' }))
    await user.click(sent.getByRole('button', { name: 'OK' }))
    await until(() => expectGone(screen.queryByRole('dialog')))
    await user.click(screen.getByRole('link', { name: 'Back to tasks' }))
    await until(() => assert.equal(pathOf(router), LIST))
  })

  test('is the list when all that were listed are taken', async () => {
    const router = await openList(['Rice', 'Tea'], { Tea: { worker: 0 } })
    await openTask('Rice')
    await submit()
    await user.click(within(await dialog('Success')).getByRole('button', { name: 'Next task' }))
    await until(() => assert.equal(pathOf(router), LIST))
  })

  test('opens also after the confirmation was closed', async () => {
    await openList(['Rice', 'Tea'], {
      Rice: { submission: SENT },
    })
    await openTask('Rice')
    await user.click(button('Next task'))
    await screen.findByRole('heading', { level: 1, name: 'Tea' })
  })

  test('is not opened after the worker has followed another link', async () => {
    const router = await openList(['Rice', 'Tea'], { Rice: { submission: SENT } })
    await openTask('Rice')
    const held = server.hold(taskDetails)
    await user.click(button('Next task'))
    await until(() => assert.equal(server.received(taskDetails).length, 2))
    await router.navigate(LIST)
    await screen.findByRole('link', { name: 'Apply Task : Tea' })
    held.release()
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
    assert.equal(pathOf(router), LIST)
  })

  test('is, without a network, one whose details were read before', async () => {
    const router = await openList(['Rice', 'Tea', 'Salt'])
    await openTask('Salt')
    await router.navigate(LIST)
    await openTask('Rice')
    setOnline(false)
    await submit()
    await screen.findByText('Waiting to be sent', { selector: '[aria-label=Submission] *' })
    await user.click(button('Next task'))
    await screen.findByRole('heading', { level: 1, name: 'Salt' })
    assert.equal(server.received(submitWork).length, 0)
  })

  test('is the list when there is no network and none was read before', async () => {
    const router = await openList(['Rice', 'Tea'])
    await openTask('Rice')
    setOnline(false)
    await submit()
    await screen.findByText('Waiting to be sent', { selector: '[aria-label=Submission] *' })
    await user.click(button('Next task'))
    await until(() => assert.equal(pathOf(router), LIST))
    await user.click(await screen.findByRole('link', { name: 'Apply Task : Tea' }))
    await screen.findByText('There is no connection')
  })
})
