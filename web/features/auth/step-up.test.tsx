import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { identity, startOpenid, stepUp } from '#contract/auth.ts'
import { pathOf } from '#contract/endpoint.ts'
import { statement, statementFile } from '#contract/ledger.ts'
import { deleteUser, deletionPreview, updateRole } from '#contract/manage-users.ts'
import { stepUpWithCode } from '#contract/second-factor.ts'
import { site, tryAs } from '#contract/site.ts'
import { userTable } from '#contract/user-table.ts'
import { pendingWithdrawals, withdrawStatus } from '#contract/withdrawals.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  fill,
  openApp,
  server,
  until,
  user,
} from '#web/testing/app.tsx'
import { SITE } from '#web/testing/fake-server.ts'
import { anId, aUser, aUserTableRow, aWithdrawalRequest } from '#web/testing/records.ts'

const REASON = 'This needs a recent sign-in.'
const NOTHING_CHANGES = {
  tasksClosed: 0,
  reservationsCancelled: 0,
  submissionsPaid: 0,
  coinsPaid: 0,
  slotsReleased: 0,
  withdrawalsCancelled: 0,
  coinsSwept: 0,
}

type SignIn = { hasPassword: boolean; hasSecondFactor?: boolean; linkedTo: string[] }

/** Opens the list of users, for an Admin who signs in like that. */
async function openUsers(signIn: SignIn) {
  const admin = aUser('Admin', { name: 'Root' })
  const { email, name } = admin
  server.serve(identity, { email, name, emailVerified: true, hasSecondFactor: false, ...signIn })
  server.serveList(userTable, [aUserTableRow({ name: 'Rafi', role: 'Worker' })])
  await openApp('/dashboard/manage-users', { as: admin })
  await screen.findByText('Rafi')
  return admin
}

/** Confirms a change of role in a session whose proof is old; `accept` lets the next request through. */
async function changeRole(signIn: SignIn) {
  const admin = await openUsers(signIn)
  server.refuse(updateRole, 'proof_required', REASON)
  await user.selectOptions(field('Role of Rafi'), 'Buyer')
  await dialog('Make Rafi a Buyer?')
  await user.click(button('Change role'))
  await dialog('Confirm your identity')
  const accept = () => server.serve(updateRole, { acknowledged: true, matchedCount: 1, modifiedCount: 1 })
  return { admin, accept }
}

test('a request that needs a proof asks for the password and is then sent again automatically', async () => {
  const { accept } = await changeRole({ hasPassword: true, linkedTo: [] })
  server.serve(stepUp, () => void accept())
  await fill(await screen.findByLabelText(/^Password/), 'Sesame!open')
  await user.keyboard('{Enter}')
  await screen.findByText('Role Updated')
  assert.deepEqual(server.received(stepUp)[0]?.body, { currentPassword: 'Sesame!open' })
  assert.equal(server.received(updateRole).length, 2)
  assert.deepEqual(server.received(updateRole)[0]?.body, server.received(updateRole)[1]?.body)
})

test('a wrong password is said at its field, and the dialog stays', async () => {
  await changeRole({ hasPassword: true, linkedTo: [] })
  server.refuse(stepUp, 'invalid_fields', 'Wrong.', { currentPassword: 'The current password is wrong.' })
  await fill(await screen.findByLabelText(/^Password/), 'Wrong!pass')
  await user.click(button('Confirm'))
  await screen.findByText('The current password is wrong.')
  assert.equal(server.received(updateRole).length, 1)
})

test('a cancelled confirmation changes nothing', async () => {
  await changeRole({ hasPassword: true, linkedTo: [] })
  await screen.findByLabelText(/^Password/)
  await user.click(button('Cancel'))
  await until(() => assert.equal((field('Role of Rafi') as HTMLSelectElement).disabled, false))
  assert.equal((field('Role of Rafi') as HTMLSelectElement).value, 'Worker')
  assert.equal(server.received(updateRole).length, 1)
  expectGone(screen.queryByText('Failed to update role'))
})

test('a cancelled confirmation of a deletion is no failure', async () => {
  await openUsers({ hasPassword: true, linkedTo: [] })
  server.serve(deletionPreview, NOTHING_CHANGES)
  server.refuse(deleteUser, 'proof_required', REASON)
  await user.click(button('Delete Rafi'))
  await dialog('Are you sure?')
  await user.click(button('Yes, delete it!'))
  await dialog('Confirm your identity')
  await screen.findByLabelText(/^Password/)
  await user.click(button('Cancel'))
  await until(() => assert.equal((field('Role of Rafi') as HTMLSelectElement).disabled, false))
  assert.equal(server.received(deleteUser).length, 1)
  expectGone(screen.queryByText('Something went wrong while deleting.'))
})

test('a reason stays in its dialog when the confirmation is cancelled', async () => {
  const admin = aUser('Admin')
  const { email, name } = admin
  const signIn = { hasPassword: true, hasSecondFactor: false, linkedTo: [] }
  server.serve(identity, { email, name, emailVerified: true, ...signIn })
  server.serveList(pendingWithdrawals, [aWithdrawalRequest()])
  server.refuse(withdrawStatus, 'proof_required', REASON)
  await openApp('/dashboard/withdraw-request', { as: admin })
  await user.click(await screen.findByRole('button', { name: /^Decline/ }))
  const asked = within(await dialog('Decline this request?'))
  await fill(asked.getByLabelText(/^Reason/), 'Wrong number')
  await user.click(asked.getByRole('button', { name: 'Decline' }))
  const proof = within(await dialog('Confirm your identity'))
  await proof.findByLabelText(/^Password/)
  await user.click(proof.getByRole('button', { name: 'Cancel' }))
  await asked.findByText(/did not confirm your identity/)
  assert.equal((asked.getByLabelText(/^Reason/) as HTMLTextAreaElement).value, 'Wrong number')
})

test('a user without a password signs in with their provider in a new tab, and continues here', async () => {
  server.serve(site, { ...SITE, providers: [{ id: 'google', label: 'Google', demonstration: false }] })
  const { accept } = await changeRole({ hasPassword: false, linkedTo: ['Google'] })
  const link = (await screen.findByText('Sign in with Google')).closest('a')
  assert.match(link?.getAttribute('href') ?? '', new RegExp(`^${pathOf(startOpenid, { id: 'google' })}`))
  assert.equal(link?.target, '_blank')
  link?.addEventListener('click', (event) => event.preventDefault())
  await user.click(link as HTMLElement)
  accept()
  server.offline = true
  await user.click(button('Continue'))
  await screen.findByText('Something went wrong. Please try again in a moment.')
  server.offline = false
  await user.click(button('Continue'))
  await screen.findByText('Role Updated')
})

test('a demo user takes a new demo session', async () => {
  server.serve(site, { ...SITE, demo: true })
  const { admin, accept } = await changeRole({ hasPassword: false, linkedTo: [] })
  server.serve(tryAs, () => {
    accept()
    return { user: { email: admin.email, name: admin.name } }
  })
  await user.click(await screen.findByRole('button', { name: 'Sign in again' }))
  await screen.findByText('Role Updated')
  assert.deepEqual(server.received(tryAs)[0]?.body, { role: 'Admin' })
  await until(() => expectGone(screen.queryByRole('dialog')))
})

test('a user with a second factor enters a code instead of the password', async () => {
  const { accept } = await changeRole({ hasPassword: true, hasSecondFactor: true, linkedTo: [] })
  server.serve(stepUpWithCode, () => void accept())
  expectFocus(await screen.findByLabelText(/^Code/))
  await fill(field(/^Code/), '123456')
  await user.click(button('Confirm'))
  await screen.findByText('Role Updated')
  assert.deepEqual(server.received(stepUpWithCode)[0]?.body, { code: '123456' })
})

test('a download that needs a proof asks for the password and then saves the file', async () => {
  const worker = aUser('Worker')
  server.serve(identity, {
    email: worker.email,
    name: worker.name,
    emailVerified: true,
    hasPassword: true,
    hasSecondFactor: false,
    linkedTo: [],
  })
  server.serveList(statement, [
    {
      _id: anId(),
      kind: 'signup',
      text: 'Starting coins',
      coins: 500,
      balance: 500,
      debt: 0,
      time: '2026-01-14T09:00:00.000Z',
    },
  ])
  server.refuse(statementFile, 'proof_required', REASON)
  server.serve(stepUp, () => void server.serve(statementFile, 'time,kind'))
  await openApp('/dashboard/statement', { as: worker })
  await user.click(await screen.findByRole('button', { name: 'Download CSV' }))
  await dialog('Confirm your identity')
  await fill(await screen.findByLabelText(/^Password/), 'Sesame!open')
  await user.click(button('Confirm'))
  await until(() => assert.equal(server.received(statementFile).length, 2))
  await until(() => expectGone(screen.queryByRole('dialog')))
  expectGone(screen.queryByText('Could not download the statement'))
})
