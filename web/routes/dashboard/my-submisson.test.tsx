import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import { mySubmissionCounts, mySubmissions } from '#contract/submissions.ts'
import { readPreference } from '#web/lib/preference.ts'
import { expectGone, field, openApp, server, until, user } from '#web/testing/app.tsx'
import { aSubmission, aUser } from '#web/testing/records.ts'

const last = () => server.received(mySubmissions).at(-1)?.query ?? {}

async function open(path = '/dashboard/my-submisson') {
  server.serve(mySubmissions, { tasks: [aSubmission({ task_title: 'Translate a menu' })], totalTasks: 30 })
  server.serve(mySubmissionCounts, [
    { state: 'pending', count: 4 },
    { state: 'revision_requested', count: 1 },
    { state: 'approved', count: 20 },
    { state: 'rejection_open', count: 5 },
  ])
  const router = await openApp(path, { as: aUser('Worker') })
  await screen.findByText('Translate a menu')
  return router
}

test('filters have counts, and states that need attention are filters of their own', async () => {
  await open()
  await screen.findByRole('link', { name: 'All 30' })
  screen.getByRole('link', { name: 'Pending 5' })
  screen.getByRole('link', { name: 'Approved 20' })
  screen.getByRole('link', { name: 'Rejected 5' })
  expectGone(screen.queryByRole('link', { name: /^Appealed/ }))
  await user.click(screen.getByRole('link', { name: 'Can be appealed 5' }))
  await until(() => {
    const { state, status } = last()
    assert.deepEqual({ state, status }, { state: 'rejection_open', status: undefined })
  })
})

test('a search begins on the first page', async () => {
  const router = await open('/dashboard/my-submisson?page=3')
  await user.type(field('Search by task'), 'menu')
  await until(() => {
    const { q, page } = last()
    assert.deepEqual({ q, page: Number(page) }, { q: 'menu', page: 0 })
  })
  assert.equal(router.state.location.search, '?q=menu')
})

test('a list of one page has no choice of its rows', async () => {
  server.serve(mySubmissions, { tasks: [aSubmission({ task_title: 'Read a menu' })], totalTasks: 1 })
  await openApp('/dashboard/my-submisson', { as: aUser('Worker') })
  await screen.findByRole('table', { name: 'Your submissions, newest first' })
  expectGone(screen.queryByLabelText('Rows per page'))
})

test('five rows are a page until the worker chooses more, which the browser remembers', async () => {
  await open()
  assert.equal(Number(last().limit), 5)
  screen.getByText('Page 1 of 6')
  await user.selectOptions(field('Rows per page'), '20 per page')
  await screen.findByText('Page 1 of 2')
  assert.equal(Number(last().limit), 20)
  assert.equal(readPreference('submissions-per-page'), '20')
})
