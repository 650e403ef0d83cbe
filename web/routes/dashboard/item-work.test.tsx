import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { submissionCase } from '#contract/appeals.ts'
import { itemOfSubmission, reviseItem } from '#contract/items.ts'
import { mySubmissionCounts, mySubmissions, taskToReview } from '#contract/submissions.ts'
import type { Reply } from '#web/lib/api.ts'
import { button, expectGone, openApp, server, setOnline, until, user } from '#web/testing/app.tsx'
import { aCase, aSubmission, aUser } from '#web/testing/records.ts'

const ITEM: Reply<typeof itemOfSubmission> = {
  title: 'Describe shops',
  instructions: 'Look at Rupali Store.',
  pictures: [],
  examples: [],
  form: {
    fields: [
      { type: 'choice', name: 'kind', label: 'Kind', required: true, options: ['Food', 'Books'] },
      { type: 'text', name: 'note', label: 'Note', required: false },
    ],
  },
  reward: 5,
  number: 3,
  answers: { kind: 'Food', note: 'Red door' },
  input: null,
}

/** Opens the case of an item that was sent back to its worker. */
async function openRevision() {
  let subject = aCase({
    viewer: 'worker',
    state: 'revision_requested',
    item: 3,
    submissoin_data: 'Kind: Food',
  })
  server.serve(submissionCase, () => subject)
  server.serve(itemOfSubmission, ITEM)
  await openApp(`/dashboard/case/${subject._id}`, { as: aUser('Worker') })
  const form = within(await screen.findByRole('form', { name: 'Submit revised work' }))
  return {
    id: subject._id,
    form,
    submitted: () => {
      subject = { ...subject, state: 'pending' }
    },
  }
}

test('a revised item that is submitted without a network waits, is edited with its answers, and is sent', async () => {
  const { form, id, submitted } = await openRevision()
  await user.click(form.getByLabelText('Books'))
  setOnline(false)
  await user.click(form.getByRole('button', { name: 'Submit revised work' }))
  const state = within(screen.getByRole('region', { name: 'State' }))
  await state.findByText('Waiting to be sent')
  await user.click(state.getByRole('button', { name: 'Edit' }))
  assert.equal((state.getByLabelText('Books') as HTMLInputElement).checked, true)
  await user.click(button('Submit revised work'))
  await state.findByText('Waiting to be sent')
  server.serve(reviseItem, () => {
    submitted()
    return { acknowledged: true }
  })
  setOnline(true)
  await screen.findByText('Work sent')
  assert.deepEqual(
    server.received(reviseItem).map(({ params, body }) => [params.id, body.answers]),
    [[id, { kind: 'Books', note: 'Red door' }]],
  )
})

test('an item that was sent back is revised in its form, with the earlier answers filled in', async () => {
  const { form, id, submitted } = await openRevision()
  assert.equal((form.getByLabelText('Food') as HTMLInputElement).checked, true)
  assert.equal((form.getByLabelText('Note') as HTMLInputElement).value, 'Red door')
  await user.click(form.getByLabelText('Books'))
  server.serve(reviseItem, () => {
    submitted()
    return { acknowledged: true }
  })
  await user.click(form.getByRole('button', { name: 'Submit revised work' }))
  await screen.findByText('Your revised work was submitted.')
  assert.deepEqual(
    server.received(reviseItem).map(({ params, body }) => [params.id, body.answers]),
    [[id, { kind: 'Books', note: 'Red door' }]],
  )
  await until(() => expectGone(screen.queryByRole('form', { name: 'Submit revised work' })))
})

test('the message of a question is shown at it, and a revised answer is kept', async () => {
  const { form } = await openRevision()
  await user.type(form.getByLabelText('Note'), ' and sign')
  server.refuse(reviseItem, 'invalid_fields', 'Some fields are not valid.', { 'answers.note': 'Too long' })
  await user.click(form.getByRole('button', { name: 'Submit revised work' }))
  await form.findByText('Too long')
  assert.equal((form.getByLabelText('Note') as HTMLInputElement).value, 'Red door and sign')
})

test('own work on an item is listed with its number, and opens by its questions', async () => {
  const submission = aSubmission({ item: 3, task_title: 'Describe shops', submissoin_data: 'Kind: Food' })
  server.serve(mySubmissions, { tasks: [submission], totalTasks: 1 })
  server.serve(mySubmissionCounts, [{ state: 'pending', count: 1 }])
  server.serve(itemOfSubmission, ITEM)
  await openApp('/dashboard/my-submisson', { as: aUser('Worker') })
  await screen.findByText('Item 3 · Kind: Food')
  await user.click(button('Show item 3'))
  const item = within(await screen.findByRole('region', { name: 'Item 3' }))
  await item.findByText('Look at Rupali Store.')
  assert.equal(item.getByText('Note').nextElementSibling?.textContent, 'Red door')
})

test('the review shows the row of the file and the answers by their questions', async () => {
  const submission = aSubmission({ item: 3, task_title: 'Describe shops', submissoin_data: 'Kind: Food' })
  server.serveList(taskToReview, [submission])
  server.serve(itemOfSubmission, { ...ITEM, input: { name: 'Rupali Store', city: 'Dhaka' } })
  await openApp('/dashboard/task-to-review', { as: aUser('Buyer') })
  const item = within(await screen.findByRole('region', { name: 'Item 3' }))
  const row = within(await item.findByLabelText('Row of the file'))
  assert.equal(row.getByText('city').nextElementSibling?.textContent, 'Dhaka')
  assert.equal(item.getByText('Kind').nextElementSibling?.textContent, 'Food')
})
