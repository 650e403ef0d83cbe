import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { UNRESTRICTED_AUDIENCE } from '#contract/audience.ts'
import { qualifications } from '#contract/qualifications.ts'
import { myTaskStates } from '#contract/submissions.ts'
import {
  myIneligibleTasks,
  myLanguages,
  myQualifications,
  openTaskLink,
  renewTaskLink,
  revokeTaskLink,
  setMyLanguages,
  taskLink,
  tasksForFavourites,
} from '#contract/task-access.ts'
import { taskFunnel } from '#contract/task-funnel.ts'
import { taskDetails, taskListWorker } from '#contract/tasks.ts'
import { writePreference } from '#web/lib/preference.ts'
import { button, dialog, expectGone, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { anId, aTask, aTaskDetails, aUser } from '#web/testing/records.ts'

test('a worker who cannot take a task reads why and what it requires, and gets no form', async () => {
  const task = aTaskDetails({
    audience: {
      ...UNRESTRICTED_AUDIENCE,
      approvedMin: 10,
      qualifications: [{ _id: anId(), name: 'Knows birds', description: 'Do the test batch first.' }],
    },
    ineligibility: { reason: 'approved', message: 'You have 2. Work on other tasks first.' },
  })
  server.serve(taskDetails, task)
  await openApp(`/dashboard/task-details/${task._id}`, { as: aUser('Worker') })
  await screen.findByText('You have 2. Work on other tasks first.')
  screen.getByText('Do the test batch first.')
  screen.getByText('Approved submissions: at least 10')
  expectGone(screen.queryByRole('button', { name: /Submit/ }))
  expectGone(screen.queryByRole('button', { name: /Reserve/ }))
})

test('a worker who lacks a qualification finds the batch in which they can earn it', async () => {
  const test = {
    qualification: 'Knows birds',
    taskId: anId(),
    title: 'Name 20 birds',
    answersMin: 20,
    percentMin: 90,
  }
  const task = aTaskDetails({
    ineligibility: { reason: 'qualification', message: 'This task is for others.', tests: [test] },
  })
  server.serve(taskDetails, task)
  await openApp(`/dashboard/task-details/${task._id}`, { as: aUser('Worker') })
  const link = await screen.findByRole('link', { name: 'Name 20 birds' })
  assert.equal(link.getAttribute('href'), `/dashboard/task-details/${test.taskId}`)
  assert.match(
    link.parentElement?.textContent ?? '',
    /You can earn Knows birds in: .* after 20 answers, at least 90% correct/,
  )
})

test('what is reserved can be submitted, whatever the task requires', async () => {
  const task = aTaskDetails({ ineligibility: { reason: 'blocked', message: 'No more work.' } })
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  server.serve(taskDetails, {
    ...task,
    reservation: { _id: anId(), taskId: task._id, taskVersion: 1, expiresAt },
  })
  await openApp(`/dashboard/task-details/${task._id}`, { as: aUser('Worker') })
  await screen.findByText('A slot is reserved for you')
})

test('cards of tasks that are not for the worker come last, and those of a buyer who blocked them not at all', async () => {
  const [strict, blocked, open] = ['Strict', 'Blocked', 'Open'].map((task_title) => aTask({ task_title }))
  server.serveList(
    taskListWorker,
    [strict, blocked, open].filter((task) => task !== undefined),
  )
  server.serve(myIneligibleTasks, [
    { taskId: strict?._id ?? '', reason: 'language', message: 'In Bangla' },
    { taskId: blocked?._id ?? '', reason: 'blocked', message: 'No more work' },
  ])
  await openApp('/dashboard/available-task', { as: aUser('Worker') })
  await screen.findByRole('link', { name: /^Not eligible/ })
  const titles = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  assert.deepEqual(titles, ['Open', 'Strict'])
})

test('the card of a task on hold says so, and offers no application', async () => {
  const task = aTask({ task_title: 'Label birds' })
  server.serveList(taskListWorker, [task])
  server.serve(myIneligibleTasks, [{ taskId: task._id, reason: 'held', message: 'It is on hold.' }])
  await openApp('/dashboard/available-task', { as: aUser('Worker') })
  await screen.findByRole('link', { name: 'On hold : Label birds' })
  expectGone(screen.queryByRole('link', { name: /^Apply Task/ }))
})

test('favourites see their tasks above the list, which waits for them', async () => {
  server.serveList(taskListWorker, [aTask({ task_title: 'For everyone' })])
  server.serve(tasksForFavourites, [aTask({ task_title: 'Early' })])
  const held = server.hold(tasksForFavourites)
  await openApp('/dashboard/available-task', { as: aUser('Worker') })
  await until(() => assert.equal(server.received(taskListWorker).length, 1))
  await until(() => assert.equal(server.received(tasksForFavourites).length, 1))
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
  expectGone(screen.queryByText('For everyone'))
  held.release()
  const first = within(await screen.findByRole('region', { name: 'For you first' }))
  first.getByRole('link', { name: /^Apply Task/ })
  screen.getByText('For everyone')
})

test('favourites see which of their tasks are new since their last visit', async () => {
  const worker = aUser('Worker')
  writePreference(`visit tasks ${worker._id}`, ` ${Date.parse('2026-02-01T00:00:00.000Z')}`)
  server.serveList(taskListWorker, [])
  server.serve(tasksForFavourites, [
    aTask({ task_title: 'Seen', createdAt: '2026-01-31T23:59:00.000Z' }),
    aTask({ task_title: 'Unseen', createdAt: '2026-02-01T00:01:00.000Z' }),
  ])
  await openApp('/dashboard/available-task', { as: worker })
  const first = within(await screen.findByRole('region', { name: 'For you first' }))
  await first.findByText('New')
  const titles = first.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  assert.deepEqual(titles.slice(1), ['Seen', 'New: Unseen'])
})

test('a favourite who submitted, or may not work on a task, cannot apply for it above the list either', async () => {
  const [done, strict, open] = ['Done', 'Strict', 'Open'].map((task_title) => aTask({ task_title }))
  server.serve(
    tasksForFavourites,
    [done, strict, open].filter((task) => task !== undefined),
  )
  server.serveList(taskListWorker, [])
  server.serve(myTaskStates, [{ taskId: done?._id ?? '', state: 'pending' }])
  server.serve(myIneligibleTasks, [{ taskId: strict?._id ?? '', reason: 'language', message: 'In Bangla' }])
  await openApp('/dashboard/available-task', { as: aUser('Worker') })
  const first = within(await screen.findByRole('region', { name: 'For you first' }))
  await first.findByRole('link', { name: /^In review/ })
  first.getByRole('link', { name: /^Not eligible/ })
  first.getByRole('link', { name: /^Apply Task/ })
  const titles = first.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  assert.equal(titles[1], 'Open')
})

test('the card of a batch without an item for the worker does not offer it', async () => {
  const batch = aTask({ task_title: 'Shops' })
  server.serveList(taskListWorker, [batch])
  server.serve(myIneligibleTasks, [{ taskId: batch._id, reason: 'no_item', message: 'No items' }])
  await openApp('/dashboard/available-task', { as: aUser('Worker') })
  await screen.findByRole('link', { name: /^No items left for you/ })
  expectGone(screen.queryByRole('link', { name: /^Apply Task/ }))
})

test('the link of a private task leads to the task; a revoked one says what to do', async () => {
  const task = aTaskDetails({
    audience: { ...UNRESTRICTED_AUDIENCE, visibility: 'link', qualifications: [] },
  })
  server.serve(taskDetails, task)
  server.serve(openTaskLink, { taskId: task._id })
  const token = '4f1c09ab'.repeat(4)
  const router = await openApp(`/dashboard/private-task#token=${token}`, { as: aUser('Worker') })
  await screen.findByText('Workers with the private link')
  assert.deepEqual(server.received(openTaskLink)[0]?.body, { token })
  server.refuse(openTaskLink, 'not_found', 'This link was revoked.')
  await router.navigate(`/dashboard/private-task#token=${'0'.repeat(32)}`)
  await screen.findByText('This link was revoked.')
})

test('the buyer copies, replaces and revokes the link of a private task', async () => {
  const buyer = aUser('Buyer')
  const task = aTaskDetails({
    buyer: buyer.email,
    buyerId: buyer._id,
    audience: { ...UNRESTRICTED_AUDIENCE, visibility: 'link', qualifications: [] },
  })
  server.serve(taskDetails, task)
  server.refuse(taskFunnel, 'internal')
  server.serve(taskLink, { token: 'a'.repeat(32), workers: 2 })
  server.serve(renewTaskLink, { token: 'b'.repeat(32), workers: 0 })
  server.serve(revokeTaskLink, { token: null, workers: 0 })
  await openApp(`/dashboard/task-details/${task._id}`, { as: buyer })
  const panel = within(await screen.findByRole('region', { name: 'Private link' }))
  panel.getByText(new RegExp(`/dashboard/private-task#token=${'a'.repeat(32)}$`))
  panel.getByText('2 workers have opened it')
  await user.click(button('Replace link'))
  await user.click(within(await dialog('Replace the link?')).getByRole('button', { name: 'Replace' }))
  await panel.findByText('No worker has opened it yet')
  await user.click(button('Revoke link'))
  await user.click(within(await dialog('Revoke the link?')).getByRole('button', { name: 'Revoke' }))
  await panel.findByText(/The link was revoked/)
  button('Make a new link')
})

test('a new task has an audience when the buyer opens it, and none otherwise', async () => {
  server.serve(qualifications, [
    {
      _id: anId(),
      name: 'Knows birds',
      description: 'All birds',
      workers: 3,
      test: null,
      createdAt: '2026-01-10T09:00:00.000Z',
    },
  ])
  await openApp('/dashboard/add-task', { as: aUser('Buyer') })
  await screen.findByText('Every worker')
  expectGone(screen.queryByLabelText(/^Minimum approval rate/))
  await user.click(button('Change who may work'))
  await user.selectOptions(field(/^who sees it/i), 'Only workers with the private link')
  await user.click(await screen.findByRole('checkbox', { name: /^Knows birds/ }))
  await fill(field(/^minimum approval rate/i), '90')
  await user.selectOptions(field(/^language/i), 'Bangla')
  screen.getByText('Only workers with the private link · 1 qualification · at least 90% approved · Bangla')
})

test('workers enter their languages and see their qualifications', async () => {
  server.serve(myQualifications, [
    {
      _id: anId(),
      name: 'Knows birds',
      description: 'All birds of the delta',
      buyerId: anId(),
      buyerName: 'Nadia Rahman',
      since: '2026-01-10T09:00:00.000Z',
    },
  ])
  let saved = ['en']
  const { promise: release, resolve } = Promise.withResolvers<void>()
  server.serve(myLanguages, () => ({ languages: saved }))
  server.serve(setMyLanguages, async ({ body }) => {
    if (server.received(setMyLanguages).length === 1) await release
    saved = body.languages
    return body
  })
  await openApp('/dashboard', { as: aUser('Worker') })
  await screen.findByText('Knows birds')
  // Another device adds one meanwhile.
  saved = ['en', 'ur']
  await user.click(await screen.findByRole('checkbox', { name: 'Bangla' }))
  const added = ['en', 'ur', 'bn']
  await until(() => assert.deepEqual(server.received(setMyLanguages)[0]?.body, { languages: added }))
  expectGone(screen.queryByRole('checkbox', { name: 'Hindi' }))
  await user.click(button('More languages'))
  await user.click(await screen.findByRole('checkbox', { name: 'Hindi' }))
  resolve()
  await until(() => assert.deepEqual(server.received(setMyLanguages)[1]?.body.languages, [...added, 'hi']))
  await until(() => assert.ok(server.received(myLanguages).length > 1))
  assert.deepEqual(saved, [...added, 'hi'])
})
