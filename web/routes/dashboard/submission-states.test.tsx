import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import { STATE_RULES, SUBMISSION_STATES, type SubmissionState } from '#contract/submission-states.ts'
import { mySubmissions, taskToReview } from '#contract/submissions.ts'
import { taskDetails } from '#contract/tasks.ts'
import { expectGone, openApp, server, until, user } from '#web/testing/app.tsx'
import { aSubmission, aTaskDetails, aUser } from '#web/testing/records.ts'

const dueAt = new Date(Date.now() + 2 * 86_400_000 + 4.5 * 3_600_000).toISOString()
const caseLink = (label: string) =>
  screen.findByRole('link', { name: new RegExp(`^${label} ?: Count boats$`) })

/** What a worker sees of each state: its badge, the clock and what they can do, which the case is opened for. */
const SHOWN: Record<SubmissionState, [badge: string, clock: RegExp | null, action: string | null]> = {
  pending: ['Pending', null, null],
  revision_requested: ['Revision requested', /^2 days 4 hours left to revise/, 'Revise'],
  rejection_open: ['Rejected: you can appeal', /^2 days 4 hours left to appeal/, 'Appeal'],
  appealed: ['Appealed', /^Buyer has 2 days 4 hours to respond/, null],
  in_review: ['With a reviewer', /^Reviewer has 2 days 4 hours to decide/, null],
  approved: ['Approved', null, null],
  rejected: ['Rejected', null, null],
}

for (const state of SUBMISSION_STATES) {
  test(`a worker sees ${state} with its clock and the link to its case`, async () => {
    const { status, waitsFor } = STATE_RULES[state]
    const submission = aSubmission({
      task_title: 'Count boats',
      state,
      status,
      dueAt: waitsFor && dueAt,
      ...(state === 'revision_requested' && { revisionRequest: 'Add the date.' }),
      ...(status === 'rejected' && {
        category: 'wrong',
        reason: 'There are five.',
        requirement: 'Count every boat',
      }),
    })
    server.serve(mySubmissions, { tasks: [submission], totalTasks: 1 })
    await openApp('/dashboard/my-submisson', { as: aUser('Worker') })
    const [badge, clock, action] = SHOWN[state]
    const title = await screen.findByRole('link', { name: 'Count boats' })
    assert.equal(title.getAttribute('href'), `/dashboard/case/${submission._id}`)
    const actions = screen.queryAllByRole('link', { name: /: Count boats$/ })
    assert.deepEqual(
      actions.map((link) => [link.textContent, link.getAttribute('href')]),
      action === null ? [] : [[`${action}: Count boats`, `/dashboard/case/${submission._id}`]],
    )
    const row = title.closest('tr')?.textContent ?? ''
    assert.ok(row.includes(badge), row)
    if (clock) screen.getByText(clock)
    if (status === 'rejected') assert.match(row, /Incorrect\. There are five\..*Count every boat/)
    if (state === 'revision_requested') assert.match(row, /Add the date\./)
  })
}

test('the details of a task say that its buyer asks for a revision, until when, and lead to it', async () => {
  const { _id, submissoin_data, createdAt } = aSubmission()
  const task = aTaskDetails({
    submission: {
      ...{ _id, submissoin_data, createdAt, taskVersion: 1, status: 'pending', reviewBy: null },
      state: 'revision_requested',
      dueAt,
    },
  })
  server.serve(taskDetails, task)
  await openApp(`/dashboard/task-details/${task._id}`, { as: aUser('Worker') })
  await screen.findByRole('heading', { name: 'Revision requested' })
  screen.getByText('2 days 4 hours left to revise')
  assert.equal(screen.getByRole('link', { name: 'Revise' }).getAttribute('href'), `/dashboard/case/${_id}`)
  expectGone(screen.queryByText(/^You are paid when the buyer approves it/))
})

for (const [state, clock, action] of [
  ['rejection_open', '2 days 4 hours left to appeal', 'Appeal'],
  ['appealed', 'Buyer has 2 days 4 hours to respond', 'Open the case'],
  ['in_review', 'Reviewer has 2 days 4 hours to decide', 'Open the case'],
] as const) {
  test(`the details of a task say above the form that earlier work is ${state}, and lead to its case`, async () => {
    const { _id } = aSubmission()
    const task = aTaskDetails({ rejection: { _id, state, dueAt } })
    server.serve(taskDetails, task)
    await openApp(`/dashboard/task-details/${task._id}`, { as: aUser('Worker') })
    await screen.findByText(clock)
    screen.getByText(SHOWN[state][0])
    assert.equal(screen.getByRole('link', { name: action }).getAttribute('href'), `/dashboard/case/${_id}`)
    screen.getByRole('button', { name: /^Submit Work/ })
  })
}

test('a buyer finds the appeals that wait for them', async () => {
  server.serve(taskToReview, ({ query }) =>
    query.state === 'appealed'
      ? [aSubmission({ task_title: 'Count boats', status: 'rejected', state: 'appealed', dueAt })]
      : [],
  )
  await openApp('/dashboard/task-to-review?status=rejected', { as: aUser('Buyer') })
  await screen.findByText('No submissions found.')
  await user.click(screen.getByRole('link', { name: 'Appeals waiting for you' }))
  await caseLink('Respond to the appeal')
  await until(() => screen.getByText('2 days 4 hours left to respond'))
})
