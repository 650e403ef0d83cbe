import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import { site } from '#contract/site.ts'
import { allTask } from '#contract/tasks.ts'
import { type PublicProfile, publicProfile } from '#contract/users.ts'
import { expectGone, openApp, server, until, user } from '#web/testing/app.tsx'
import { SITE } from '#web/testing/fake-server.ts'
import { anId, aTask } from '#web/testing/records.ts'

const buyer: PublicProfile = {
  _id: anId(),
  name: 'Nadia Buyer',
  email: 'n•••@example.com',
  image: '',
  role: 'Buyer',
  buyerRecord: {
    decided: 40,
    approved: 26,
    rejected: 14,
    appealsLost: 3,
    decisionSeconds: 7300,
    paymentSeconds: 172_800,
  },
  workerRecord: null,
}

test("a card's buyer links to their page, which warns of much rejected work", async () => {
  server.serve(allTask, () => [aTask({ buyerId: buyer._id, buyer_name: buyer.name })])
  server.serve(publicProfile, () => buyer)
  await openApp('/all-task')
  await user.click(await screen.findByRole('link', { name: buyer.name }))
  await screen.findByRole('heading', { level: 1, name: buyer.name })
  screen.getByText('n•••@example.com')
  screen.getByText(/rejects a lot of work/)
  screen.getByText('65%')
  screen.getByText('35%')
  screen.getByText('3')
  screen.getByText('2 days')
  expectGone(screen.queryByText('As a worker'))
})

test("a worker's page has the submissions approved and their share", async () => {
  server.serve(publicProfile, () => ({
    ...buyer,
    name: 'Rafi',
    role: 'Worker' as const,
    buyerRecord: null,
    workerRecord: { approved: 97, rejected: 3 },
  }))
  server.serve(site, { ...SITE, name: 'Our Market' })
  await openApp(`/users/${buyer._id}`)
  await screen.findByRole('heading', { level: 1, name: 'Rafi' })
  await until(() => assert.equal(document.title, 'Rafi · Our Market'))
  screen.getByText('97%')
  expectGone(screen.queryByText('As a buyer'))
})

test('a buyer without decisions is new', async () => {
  server.serve(publicProfile, () => ({ ...buyer, buyerRecord: null }))
  await openApp(`/users/${buyer._id}`)
  await screen.findByText(/^New buyer/)
})

test('an unknown user leads to the list', async () => {
  server.refuse(publicProfile, 'user_not_found')
  await openApp(`/users/${anId()}`)
  await screen.findByRole('heading', { name: 'User not found' })
  screen.getByRole('link', { name: 'View all users' })
})
