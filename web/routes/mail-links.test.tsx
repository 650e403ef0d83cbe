import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanup, screen, within } from '@testing-library/react'
import { identity, requestReset, resetPassword, verifyEmail } from '#contract/auth.ts'
import { checkLink } from '#contract/one-time-links.ts'
import { secondFactor } from '#contract/second-factor.ts'
import { accountActivity } from '#contract/security-log.ts'
import { sessions } from '#contract/sessions.ts'
import { setupAdmin } from '#contract/site.ts'
import { dialog, expectGone, field, fill, openApp, server, setOnline, user } from '#web/testing/app.tsx'
import { aUser } from '#web/testing/records.ts'

/** The one button that sends the form in the main part of the page. */
async function send() {
  const main = screen.getByRole('main')
  const submit = main.querySelector<HTMLElement>('button[type=submit], .mantine-Button-root')
  assert.ok(submit)
  await user.click(submit)
}

test('a forgotten password shows the same message for every email', async () => {
  server.serve(requestReset, { message: 'If the address is known, a mail is on its way.' })
  await openApp('/reset')
  await fill(field(/^email/i), 'somebody@example.com')
  await send()
  await screen.findByText('If the address is known, a mail is on its way.')
  assert.deepEqual(server.received(requestReset)[0]?.body, { email: 'somebody@example.com' })
})

test('the link of the mail leads to a new password, which ends every session', async () => {
  server.serve(resetPassword, () => server.signOut())
  const router = await openApp('/reset#token=secret')
  await fill(await screen.findByLabelText(/^new password/i), 'Better-2')
  await send()
  await dialog()
  assert.equal(router.state.location.pathname, '/login')
  assert.deepEqual(server.received(resetPassword)[0]?.body, { token: 'secret', password: 'Better-2' })
})

test('a new password ends the session of this page, also when the connection is lost afterwards', async () => {
  server.serve(resetPassword, () => {
    server.signOut()
    server.offline = true
  })
  const router = await openApp('/reset#token=secret', { as: aUser('Worker') })
  await screen.findByRole('button', { name: 'Logout' })
  await fill(await screen.findByLabelText(/^new password/i), 'Better-2')
  await send()
  await dialog('Password changed')
  assert.equal(router.state.location.pathname, '/login')
  await screen.findByRole('heading', { level: 1, name: 'Login' })
  expectGone(screen.queryByRole('button', { name: 'Logout' }))
})

test('an Admin who resets or sets up a password is asked for eight characters', async () => {
  for (const path of ['/reset#token=secret&role=Admin', '/setup#code=once']) {
    await openApp(path)
    await screen.findByText(/^At least 8 characters/)
    await fill(field(/^(new )?password/i), 'Secret!')
    await send()
    await screen.findByText('Minimum 8 characters')
    cleanup()
  }
  assert.deepEqual([server.received(resetPassword).length, server.received(setupAdmin).length], [0, 0])
})

test('an old link to a new password is shown as such', async () => {
  server.refuse(resetPassword, 'link_expired', 'This link has expired.')
  await openApp('/reset#token=old')
  await fill(await screen.findByLabelText(/^new password/i), 'Better-2')
  await send()
  await screen.findByText('This link has expired.')
})

test('without a network, verifying an email says so at once and is not done later', async () => {
  server.serve(verifyEmail, { email: 'somebody@example.com' })
  await openApp('/verify#token=secret')
  const verify = await screen.findByRole('button', { name: 'Verify email' })
  setOnline(false)
  await user.click(verify)
  await screen.findByText(/^No connection/)
  setOnline(true)
  assert.equal(server.received(verifyEmail).length, 0)
})

test('opening the link to verify an email verifies nothing before it is confirmed', async () => {
  server.serve(verifyEmail, { email: 'somebody@example.com' })
  await openApp('/verify#token=secret')
  await screen.findByRole('heading', { level: 1 })
  assert.equal(server.received(verifyEmail).length, 0)
  await send()
  await screen.findByText('somebody@example.com')
  assert.deepEqual(server.received(verifyEmail)[0]?.body, { token: 'secret' })
})

test('a link that is opened where nobody is signed in asks for the password', async () => {
  server.refuse(verifyEmail, 'sign_in_required')
  await openApp('/verify#token=secret')
  await screen.findByText('Press the button to verify your email address.')
  await send()
  await screen.findByText('Enter your account password to verify your email.')
  await send()
  await screen.findByText('Password is required')
  server.refuse(verifyEmail, 'wrong_credentials', 'The password is wrong.')
  await fill(field(/^password/i), 'Wrong-1')
  await send()
  await screen.findByText('The password is wrong.')
  server.serve(verifyEmail, { email: 'somebody@example.com' })
  await fill(field(/^password/i), 'Secret-1')
  await send()
  await screen.findByText('somebody@example.com')
  assert.deepEqual(server.received(verifyEmail).at(-1)?.body, { token: 'secret', password: 'Secret-1' })
})

test('a link to verify without a code cannot be confirmed', async () => {
  await openApp('/verify')
  await screen.findByRole('heading', { level: 1 })
  expectGone(screen.getByRole('main').querySelector('.mantine-Button-root'))
})

test('the first Admin is made with the code of the link and is led to two-step sign-in', async () => {
  const admin = aUser('Worker', { name: 'Root' })
  server.serve(setupAdmin, () => {
    server.signIn(admin)
    server.serve(identity, {
      email: admin.email,
      name: admin.name,
      emailVerified: true,
      hasPassword: true,
      hasSecondFactor: false,
      linkedTo: [],
    })
    server.serve(sessions, [])
    server.serve(secondFactor, { factors: [], recoveryCodesLeft: 0, required: true })
    server.serveList(accountActivity, [])
    return { user: { email: admin.email, name: admin.name } }
  })
  const router = await openApp('/setup#code=once')
  await fill(await screen.findByLabelText(/^name/i), admin.name)
  await fill(field(/^email/i), admin.email)
  await fill(field(/^password/i), 'Secret-1')
  await send()
  await screen.findByRole('heading', { name: 'Two-step sign-in' })
  assert.equal(router.state.location.pathname, '/dashboard/security')
  assert.equal(server.received(setupAdmin)[0]?.body.code, 'once')
})

test('setting up without a code shows no form', async () => {
  await openApp('/setup')
  await screen.findByRole('alert')
  expectGone(screen.queryByLabelText(/^password/i))
})

for (const [path, next] of [
  ['/reset#token=old', 'Request a new link'],
  ['/verify#token=old', 'Account Security'],
  ['/setup#code=old', 'Login'],
] as const) {
  test(`the used link ${path} says so before anything is typed, and leads on`, async () => {
    server.serve(checkLink, { usable: false })
    await openApp(path)
    await screen.findByRole('heading', { name: 'This link no longer works' })
    const main = within(screen.getByRole('main'))
    main.getByRole('link', { name: next })
    expectGone(main.queryByRole('textbox'))
    expectGone(main.queryByRole('button'))
  })
}

test('a link that cannot be checked shows its form', async () => {
  server.refuse(checkLink, 'too_many_requests')
  await openApp('/reset#token=secret')
  await screen.findByLabelText(/^new password/i)
})
