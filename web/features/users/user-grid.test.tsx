import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { allUsers } from '#contract/users.ts'
import { expectGone, field, openApp, server, until, user } from '#web/testing/app.tsx'
import { aPublicUser } from '#web/testing/records.ts'

test('a card says why to work with its user: the record of their role', async () => {
  const buyerRecord = {
    decided: 40,
    approved: 36,
    rejected: 4,
    appealsLost: 0,
    decisionSeconds: null,
    paymentSeconds: null,
  }
  server.serveList(allUsers, [
    aPublicUser({ name: 'Asha', role: 'Worker', workerRecord: { approved: 97, rejected: 3 } }),
    aPublicUser({ name: 'Rafi', role: 'Worker' }),
    aPublicUser({ name: 'Nadia', role: 'Buyer', buyerRecord }),
    aPublicUser({ name: 'Root', role: 'Admin' }),
  ])
  await openApp('/all-worker')
  const cardOf = async (name: string) =>
    within((await screen.findByText(name)).closest('[role=listitem]') as HTMLElement)
  ;(await cardOf('Asha')).getByText('97 done, 97% approved')
  ;(await cardOf('Rafi')).getByText('New worker')
  ;(await cardOf('Nadia')).getByText('Approves 90% of work')
  assert.equal((await cardOf('Root')).queryByText(/New/), null)
})

test('people are ordered by approved work unless the newest are asked for; other roles have no order', async () => {
  server.serveList(allUsers, [aPublicUser({ name: 'Asha' })])
  await openApp('/all-worker')
  await screen.findByText('Asha')
  assert.equal(server.received(allUsers).at(-1)?.query.sort, 'approved')
  await user.selectOptions(field('Sort by'), 'Newest first')
  await until(() => assert.equal(server.received(allUsers).at(-1)?.query.sort, undefined))
  await user.selectOptions(field('Role'), 'Buyers')
  await until(() => {
    const { role, sort } = server.received(allUsers).at(-1)?.query ?? {}
    assert.deepEqual([role, sort], ['Buyer', undefined])
  })
  expectGone(screen.queryByLabelText('Sort by'))
})

test('the list is filtered by role', async () => {
  server.serveList(allUsers, [aPublicUser({ name: 'Asha' })])
  await openApp('/all-worker')
  await screen.findByText('Asha')
  await user.selectOptions(field('Role'), 'Workers')
  await until(() => assert.equal(server.received(allUsers).at(-1)?.query.role, 'Worker'))
})
