import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { rejectSubmission, taskToReview, updateSubmissionStatus } from '#contract/submissions.ts'
import { button, dialog, expectGone, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { aSubmission, aUser } from '#web/testing/records.ts'

const done = { acknowledged: true, matchedCount: 1, modifiedCount: 1 }

/** Opens the review of two submissions; a decision takes the submission out of the list. */
async function openReview() {
  const first = aSubmission({ worker_name: 'Rafi' })
  let pending = [first, aSubmission({ worker_name: 'Mitu' })]
  const decide = (id: string | undefined) => {
    pending = pending.filter((submission) => submission._id !== id)
  }
  server.serve(taskToReview, () => pending)
  server.serve(updateSubmissionStatus, ({ params }) => {
    decide(params.id)
    return done
  })
  server.serve(rejectSubmission, ({ params }) => {
    decide(params.id)
    return { acknowledged: true, deletedCount: 1 }
  })
  await openApp('/dashboard/task-to-review', { as: aUser('Buyer') })
  await screen.findByText('Rafi')
  return first
}

test('approved work is paid at once and leaves the list', async () => {
  const first = await openReview()
  await user.click(button(/^approve .*Rafi/i))
  await screen.findByText('Task has been approved!')
  await until(() => expectGone(screen.queryByText('Rafi')))
  assert.equal(server.received(updateSubmissionStatus)[0]?.params.id, first._id)
  screen.getByText('Mitu')
})

test('while a decision is on its way it cannot be made again, and the others can', async () => {
  await openReview()
  const held = server.hold(updateSubmissionStatus)
  await user.click(button(/^approve .*Rafi/i))
  await until(() => assert.equal((button(/^reject .*Rafi/i) as HTMLButtonElement).disabled, true))
  assert.equal((button(/^reject .*Mitu/i) as HTMLButtonElement).disabled, false)
  held.release()
  await until(() => expectGone(screen.queryByText('Rafi')))
  assert.equal(server.received(updateSubmissionStatus).length, 1)
})

test('work is rejected only with a reason, which is sent', async () => {
  await openReview()
  await user.click(button(/^reject .*Rafi/i))
  const asked = within(await dialog())
  await user.click(asked.getByRole('button', { name: 'Reject' }))
  await until(() => assert.equal(asked.getByLabelText(/^reason/i).getAttribute('aria-invalid'), 'true'))
  assert.equal(server.received(rejectSubmission).length, 0)
  await fill(asked.getByLabelText(/^reason/i), 'The link is empty.')
  await user.click(asked.getByRole('button', { name: 'Reject' }))
  await until(() => expectGone(screen.queryByText('Rafi')))
  assert.deepEqual(server.received(rejectSubmission)[0]?.body, { reason: 'The link is empty.' })
})

test('a cancelled rejection rejects nothing', async () => {
  await openReview()
  await user.click(button(/^reject .*Rafi/i))
  await user.click(within(await dialog()).getByRole('button', { name: 'Cancel' }))
  await until(() => expectGone(screen.queryByRole('dialog')))
  assert.equal(server.received(rejectSubmission).length, 0)
  screen.getByText('Rafi')
})

test('work that was decided elsewhere is explained and leaves the list', async () => {
  await openReview()
  server.refuse(updateSubmissionStatus, 'already_decided', 'This work is decided already.')
  await user.click(button(/^approve .*Rafi/i))
  within(await dialog()).getByText('This work is decided already.')
  server.serveList(taskToReview, [])
  await user.keyboard('{Escape}')
  await screen.findByText('No pending submissions.')
})

test('the time until the automatic approval is shown', async () => {
  const reviewBy = new Date(Date.now() + 2.5 * 86_400_000).toISOString()
  server.serve(taskToReview, [aSubmission({ reviewBy })])
  await openApp('/dashboard/task-to-review', { as: aUser('Buyer') })
  await screen.findByText(/2 days 1[12] hours/)
})
