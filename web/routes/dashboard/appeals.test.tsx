import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { type AppealStatistics, appealStatistics } from '#contract/appeals.ts'
import { identity, stepUp } from '#contract/auth.ts'
import { listReviewers, type Reviewer, setReviewer } from '#contract/manage-users.ts'
import { allUsers } from '#contract/users.ts'
import {
  button,
  dialog,
  expectFocus,
  field,
  fill,
  openApp,
  server,
  setWidth,
  until,
  user,
} from '#web/testing/app.tsx'
import { anId, aPublicUser, aUser } from '#web/testing/records.ts'

const STATISTICS: AppealStatistics = {
  disputed: { coins: 120, rejectionOpen: 4, appealed: 3, inReview: 2 },
  reviews: { decided: 8, overturned: 6, medianHours: 30 },
  paidBySilence: 5,
  paidByMissedReviews: 1,
  reviewers: [{ _id: anId(), name: 'Rumi', open: 2, decided: 8, overturned: 6, medianHours: 3, missed: 1 }],
  buyers: [
    {
      _id: anId(),
      name: 'Hasan',
      email: 'hasan@example.com',
      decided: 200,
      rejected: 199,
      reviewed: 16,
      overturned: 4,
      needsReviewer: true,
    },
  ],
  workers: [{ _id: anId(), name: 'Lina', email: 'lina@example.com', decided: 10, lost: 6, open: 1 }],
}
const RUMI: Reviewer = {
  _id: anId(),
  name: 'Rumi',
  email: 'rumi@example.com',
  role: 'Worker',
  reviewer: true,
}
const ROOT: Reviewer = {
  _id: anId(),
  name: 'Root',
  email: 'root@example.com',
  role: 'Admin',
  reviewer: false,
}

async function openAppeals(statistics = STATISTICS) {
  server.serve(appealStatistics, statistics)
  server.serve(listReviewers, [ROOT, RUMI])
  await openApp('/dashboard/appeals', { as: aUser('Admin') })
  await screen.findByRole('heading', { name: 'Appeals' })
}

test('an Admin sees disputes, reviewers, buyers and workers in numbers', async () => {
  await openAppeals()
  screen.getByText('75% overturned, last 90 days')
  const rowOf = (region: string, name: string) =>
    within(
      within(screen.getByRole('region', { name: region }))
        .getByText(name)
        .closest('tr') as HTMLElement,
    )
  for (const text of ['8', '75%', '3 hours', '1']) rowOf('Decisions by reviewer', 'Rumi').getByText(text)
  for (const text of ['99%', '25%', 'Rejections are reviewed'])
    rowOf('Buyers with the most rejections', 'Hasan').getByText(text)
  rowOf('Workers with one appeal at a time', 'Lina').getByText('6 of 10')
})

test('without disputes the lists are empty, also on a phone', async () => {
  setWidth(360)
  await openAppeals({
    ...STATISTICS,
    reviews: { decided: 0, overturned: 0, medianHours: null },
    reviewers: [],
    buyers: [],
    workers: [],
  })
  for (const text of [
    'No reviews in the last 90 days.',
    'No rejections in the last 90 days.',
    'No worker lost 5 of their last 10 appeals.',
  ])
    screen.getByText(text)
})

test('an Admin finds a user and adds them as a reviewer', async () => {
  await openAppeals()
  const mina = aPublicUser({ name: 'Mina', role: 'Worker' })
  const { reviewer, ...rumi } = RUMI
  server.serveList(allUsers, [aPublicUser({ ...rumi, image: '' }), mina])
  server.serve(setReviewer, { acknowledged: true, modifiedCount: 1 })
  await fill(field('Search by name or email'), 'mi')
  await user.click(await screen.findByRole('button', { name: 'Add Mina' }))
  assert.equal(screen.queryByRole('button', { name: 'Add Rumi' }), null)
  await dialog('Make Mina a reviewer?')
  await user.click(button('Add reviewer'))
  await screen.findByText('Mina can review appeals.')
  const sent = server.received(setReviewer)[0]
  assert.deepEqual([sent?.params.id, sent?.body], [mina._id, { value: true }])
})

test('a reviewer is removed after a confirmation; an Admin always reviews', async () => {
  await openAppeals()
  assert.equal(screen.queryByRole('button', { name: 'Remove Root' }), null)
  server.serve(setReviewer, { acknowledged: true, modifiedCount: 1 })
  await user.click(button('Remove Rumi'))
  await dialog('Remove Rumi as a reviewer?')
  assert.equal(server.received(setReviewer).length, 0)
  server.serve(listReviewers, [ROOT])
  await user.click(button('Remove reviewer'))
  await screen.findByText('Rumi can no longer review appeals.')
  await until(() => expectFocus(screen.getByRole('region', { name: 'Reviewers' })))
  assert.deepEqual(server.received(setReviewer)[0]?.body, { value: false })
})

test('a permission is saved after a proof of identity', async () => {
  await openAppeals()
  server.serve(identity, {
    email: 'root@example.com',
    name: 'Root',
    emailVerified: true,
    hasSecondFactor: false,
    hasPassword: true,
    linkedTo: [],
  })
  server.refuse(setReviewer, 'proof_required', 'This needs a recent sign-in.')
  server.serve(stepUp, () => void server.serve(setReviewer, { acknowledged: true, modifiedCount: 1 }))
  await user.click(button('Remove Rumi'))
  await dialog('Remove Rumi as a reviewer?')
  await user.click(button('Remove reviewer'))
  await dialog('Confirm your identity')
  await fill(await screen.findByLabelText(/^Password/), 'Sesame!open')
  await user.keyboard('{Enter}')
  await screen.findByText('Rumi can no longer review appeals.')
  assert.equal(server.received(setReviewer).length, 2)
})
