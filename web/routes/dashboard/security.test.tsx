import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { changeEmail, changePassword, identity, requestVerification } from '#contract/auth.ts'
import type { Role } from '#contract/endpoint.ts'
import { secondFactor } from '#contract/second-factor.ts'
import { accountActivity } from '#contract/security-log.ts'
import { endSession, sessions, signOutEverywhere } from '#contract/sessions.ts'
import { dialog, expectGone, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { anId, aUser } from '#web/testing/records.ts'

function aSession(device: string, current = false) {
  const time = '2026-01-14T09:00:00.000Z'
  return { _id: anId(), device, network: '192.0.2.0', createdAt: time, seenAt: time, current }
}

function anEvent(text: string, result: 'success' | 'failure' = 'success') {
  const time = '2026-01-14T09:00:00.000Z'
  return {
    _id: anId(),
    time,
    kind: 'signed_in',
    text,
    result,
    network: '192.0.2.7',
    device: 'Edge on Windows',
  }
}

async function openSecurity({
  role = 'Worker' as Role,
  hasPassword = true,
  emailVerified = true,
  events = [] as ReturnType<typeof anEvent>[],
} = {}) {
  const account = aUser(role)
  const { email, name } = account
  server.serve(identity, { email, name, emailVerified, hasPassword, hasSecondFactor: false, linkedTo: [] })
  if (server.received(sessions).length === 0) server.serve(sessions, [aSession('Firefox on Linux', true)])
  server.serveList(accountActivity, events)
  server.serve(secondFactor, { factors: [], recoveryCodesLeft: 0, required: false })
  const router = await openApp('/dashboard/security', { as: account })
  await screen.findByRole('heading', { level: 1, name: 'Account Security' })
  return router
}
const section = (name: RegExp) => within(screen.getByRole('region', { name }))

test('a new password needs the present one and is checked by the rules', async () => {
  server.serve(changePassword, undefined)
  await openSecurity()
  const password = section(/^password$/i)
  await fill(password.getByLabelText(/^current password/i), 'Old-pass1')
  await fill(password.getByLabelText(/^new password/i), 'short')
  await user.click(password.getByRole('button', { name: /change password/i }))
  await password.findByText('Minimum 6 characters')
  assert.equal(server.received(changePassword).length, 0)
  await fill(password.getByLabelText(/^new password/i), 'Better-2')
  await user.click(password.getByRole('button', { name: /change password/i }))
  await until(() => assert.equal(server.received(changePassword).length, 1))
  assert.deepEqual(server.received(changePassword)[0]?.body, {
    currentPassword: 'Old-pass1',
    password: 'Better-2',
  })
  await until(() =>
    assert.equal((password.getByLabelText(/^current password/i) as HTMLInputElement).value, ''),
  )
})

test('an Admin’s new password needs eight characters', async () => {
  await openSecurity({ role: 'Admin' })
  const password = section(/^password$/i)
  await password.findByText(/^At least 8 characters/)
  await fill(password.getByLabelText(/^current password/i), 'Old-pass1')
  await fill(password.getByLabelText(/^new password/i), 'Secret!')
  await user.click(password.getByRole('button', { name: /change password/i }))
  await password.findByText('Minimum 8 characters')
  assert.equal(server.received(changePassword).length, 0)
})

test('a wrong present password is shown above the button', async () => {
  server.refuse(changePassword, 'wrong_credentials', 'The password is wrong.')
  await openSecurity()
  const password = section(/^password$/i)
  await fill(password.getByLabelText(/^current password/i), 'Wrong-pass1')
  await fill(password.getByLabelText(/^new password/i), 'Better-2')
  await user.click(password.getByRole('button', { name: /change password/i }))
  assert.match((await password.findByRole('alert')).textContent ?? '', /The password is wrong/)
})

test('somebody without a password gets a link to choose one', async () => {
  await openSecurity({ hasPassword: false })
  const link = section(/^password$/i).getByRole('link')
  assert.equal(link.getAttribute('href'), '/reset')
})

test('a new email is asked for with the password and counts when the mail is confirmed', async () => {
  server.serve(changeEmail, { message: 'We sent a link to the new address.' })
  await openSecurity()
  const email = section(/^email$/i)
  await user.click(email.getByRole('button', { name: /change email/i }))
  await fill(email.getByLabelText(/^new email/i), 'new@example.com')
  await fill(email.getByLabelText(/^password/i), 'Secret-1')
  const form = email.getByLabelText(/^new email/i).closest('form')
  await user.click(form?.querySelector('button[type=submit]') as HTMLElement)
  within(await dialog()).getByText('We sent a link to the new address.')
  assert.deepEqual(server.received(changeEmail)[0]?.body, {
    email: 'new@example.com',
    currentPassword: 'Secret-1',
  })
  expectGone(email.queryByLabelText(/^new email/i))
})

test('a change of the email can be cancelled', async () => {
  await openSecurity()
  const email = section(/^email$/i)
  await user.click(email.getByRole('button', { name: /change email/i }))
  await user.click(email.getByRole('button', { name: 'Cancel' }))
  expectGone(email.queryByLabelText(/^new email/i))
})

test('an email that is not verified can be verified', async () => {
  server.serve(requestVerification, { message: 'A mail is on its way.' })
  await openSecurity({ emailVerified: false })
  await user.click(section(/^email$/i).getByRole('button', { name: /verify/i }))
  within(await dialog()).getByText('A mail is on its way.')
})

test('a verified email offers no verification', async () => {
  await openSecurity()
  expectGone(section(/^email$/i).queryByRole('button', { name: /verify/i }))
})

test('another session can be ended, this one only with all of them', async () => {
  const here = aSession('Firefox on Linux', true)
  const there = aSession('Chrome on Android')
  let open = [here, there]
  server.serve(endSession, ({ params }) => {
    open = open.filter((session) => session._id !== params.id)
  })
  server.serve(sessions, () => open)
  const account = aUser('Worker')
  const { email, name } = account
  server.serve(identity, {
    email,
    name,
    emailVerified: true,
    hasPassword: true,
    hasSecondFactor: false,
    linkedTo: [],
  })
  server.serve(secondFactor, { factors: [], recoveryCodesLeft: 0, required: false })
  server.serveList(accountActivity, [])
  await openApp('/dashboard/security', { as: account })
  await user.click(await screen.findByRole('button', { name: /Chrome on Android/ }))
  await until(() => expectGone(screen.queryByRole('button', { name: /Chrome on Android/ })))
  expectGone(screen.queryByRole('button', { name: /Firefox on Linux/ }))
  assert.equal(server.received(endSession)[0]?.params.id, there._id)
})

test('signing out everywhere asks first and then leads to the login page', async () => {
  server.serve(signOutEverywhere, () => server.signOut())
  const router = await openSecurity()
  await user.click(screen.getByRole('button', { name: 'Sign out everywhere' }))
  const asked = await dialog()
  await user.click(within(asked).getByRole('button', { name: 'Cancel' }))
  await until(() => expectGone(screen.queryByRole('dialog')))
  assert.equal(server.received(signOutEverywhere).length, 0)
  await user.click(screen.getByRole('button', { name: 'Sign out everywhere' }))
  await user.click(within(await dialog()).getByRole('button', { name: 'Sign out everywhere' }))
  await until(() => assert.equal(router.state.location.pathname, '/login'))
})

test('the activity of the account is listed with its origin, and failures are marked', async () => {
  const events = [
    anEvent('Sign-in failed: wrong password', 'failure'),
    ...Array.from({ length: 11 }, () => anEvent('Signed in with a password')),
  ]
  await openSecurity({ events })
  const activity = section(/activity/)
  const [failed, signedIn] = activity.getAllByRole('listitem')
  assert.match(failed?.textContent ?? '', /wrong password.*Failure.*Edge on Windows · 192\.0\.2\.7/)
  assert.doesNotMatch(signedIn?.textContent ?? '', /Failure/)
  assert.equal(activity.getAllByRole('listitem').length, 10)
  await user.click(activity.getByRole('button', { name: 'Load more' }))
  await until(() => assert.equal(activity.getAllByRole('listitem').length, 12))
})
