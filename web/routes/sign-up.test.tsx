import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { signIn, signOut, signUp } from '#contract/auth.ts'
import { uploadImage } from '#contract/images.ts'
import { site } from '#contract/site.ts'
import { registerUser, userDetails } from '#contract/users.ts'
import { button, dialog, expectGone, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { SITE } from '#web/testing/fake-server.ts'
import { aStoredImage, aUser } from '#web/testing/records.ts'

const account = () => aUser('Worker', { name: 'Ayesha Rahman' })
const picture = () => new File(['pixels'], 'me.png', { type: 'image/png' })

/** Serves every step of a registration. */
function acceptRegistration(newcomer = account()) {
  server.serve(signUp, () => {
    server.signInUnregistered(newcomer)
    return { user: { email: newcomer.email, name: newcomer.name } }
  })
  server.serve(uploadImage, aStoredImage('https://example.com/images/me.webp'))
  server.serve(registerUser, ({ body }) => {
    server.signIn({ ...newcomer, role: body.role })
    return { acknowledged: true, insertedId: newcomer._id, user: { ...newcomer, role: body.role } }
  })
  return newcomer
}

async function choosePicture(file = picture()) {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  assert.ok(input)
  await user.upload(input, file)
}

async function fillIn({ name, email }: { name: string; email: string }, role: 'Worker' | 'Buyer' = 'Worker') {
  await user.click(screen.getByRole('radio', { name: new RegExp(`^${role}`) }))
  await fill(field(/^name/i), name)
  await fill(field(/^email/i), email)
  await fill(field(/^password/i), 'Secret-1')
  await choosePicture()
}
const send = () => user.click(button(/^create account/i))

test('a registration makes an identity, stores the picture and registers the role', async () => {
  const newcomer = acceptRegistration()
  const router = await openApp('/sign-up')
  await fillIn(newcomer)
  await send()
  await until(() => assert.equal(router.state.location.pathname, '/dashboard'))
  assert.deepEqual(server.received(signUp)[0]?.body, {
    name: newcomer.name,
    email: newcomer.email,
    password: 'Secret-1',
    locale: 'en',
  })
  assert.deepEqual(server.received(registerUser)[0]?.body, {
    name: newcomer.name,
    email: newcomer.email,
    role: 'Worker',
    image: 'https://example.com/images/me.webp',
    coin: 10,
    wallet: 0,
    locale: 'en',
  })
})

test('a buyer is registered with the coins and the wallet of a buyer', async () => {
  const newcomer = acceptRegistration()
  await openApp('/sign-up')
  await fillIn(newcomer, 'Buyer')
  await send()
  await until(() => assert.equal(server.received(registerUser).length, 1))
  const { role, coin, wallet } = server.received(registerUser)[0]?.body ?? {}
  assert.deepEqual({ role, coin, wallet }, { role: 'Buyer', coin: 50, wallet: 100 })
})

test('an empty form shows what is missing at every field and sends nothing', async () => {
  acceptRegistration()
  await openApp('/sign-up')
  await send()
  for (const message of [
    'User type is required',
    'Name is required',
    'Email is required',
    'Password is required',
    'Profile image is required',
  ]) {
    await screen.findByText(message)
  }
  assert.equal(server.received(signUp).length, 0)
})

for (const [password, message] of [
  ['Ab-1', 'Minimum 6 characters'],
  ['secret-1', 'Must include uppercase letter'],
  ['SECRET-1', 'Must include lowercase letter'],
  ['Secret11', 'Must include special character'],
] as const) {
  test(`the password ${password} is refused with "${message}"`, async () => {
    await openApp('/sign-up')
    await fill(field(/^password/i), password)
    await user.tab()
    await screen.findByText(message)
  })
}

test('a taken email is shown in a dialog and nothing is registered', async () => {
  acceptRegistration()
  server.refuse(signUp, 'email_taken', 'This email already has an account.')
  await openApp('/sign-up')
  await fillIn(account())
  await send()
  within(await dialog('Registration failed')).getByText(
    'This email already has an account. If it is yours, log in.',
  )
  assert.equal((field(/^name/i) as HTMLInputElement).value, 'Ayesha Rahman')
  assert.equal(server.received(registerUser).length, 0)
  assert.equal(server.received(signIn).length, 0)
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Login' }))
  await screen.findByRole('heading', { level: 1, name: 'Login' })
})

/** Creates the identity and loses the response. */
async function loseSignUp(newcomer: ReturnType<typeof account>) {
  acceptRegistration(newcomer)
  server.serve(signUp, loseResponse)
  await openApp('/sign-up')
  await fillIn(newcomer)
  await sendAndLose()
  server.refuse(signUp, 'email_taken', 'This email already has an account.')
}

test('a retry after the response of the sign-up was lost signs in and registers', async () => {
  const newcomer = account()
  await loseSignUp(newcomer)
  server.serve(signIn, () => {
    server.signInUnregistered(newcomer)
    return { user: { email: newcomer.email, name: newcomer.name } }
  })
  await send()
  await screen.findByRole('button', { name: 'Edit profile' })
  assert.deepEqual(server.received(signIn)[0]?.body, { email: newcomer.email, password: 'Secret-1' })
  assert.equal(server.received(registerUser).length, 1)
})

test('a retry after the response of the sign-up was lost says that the email has to be verified', async () => {
  await loseSignUp(account())
  server.refuse(signIn, 'email_not_verified', 'Verify your email first.')
  await send()
  await screen.findByRole('heading', { name: 'Check your email' })
})

test('a retry with an email that belongs to another account says so', async () => {
  await loseSignUp(account())
  server.refuse(signIn, 'wrong_credentials', 'Wrong email or password.')
  await send()
  within(await dialog('Registration failed')).getByText(/^This email already has an account\./)
})

test('where signing in needs a verified email, the next step is the link in the mail', async () => {
  const newcomer = account()
  server.serve(signUp, { user: { email: newcomer.email, name: newcomer.name } })
  await openApp('/sign-up')
  await fillIn(newcomer)
  await send()
  await screen.findByRole('heading', { name: 'Check your email' })
  screen.getByText(newcomer.email)
  within(screen.getByRole('main')).getByRole('link', { name: 'Login' })
  assert.equal(server.received(registerUser).length, 0)
})

test('a sign-in service says before that it makes a Worker', async () => {
  server.serve(site, { ...SITE, providers: [{ id: 'google', label: 'Google', demonstration: false }] })
  await openApp('/sign-up')
  await screen.findByRole('button', { name: /Google$/ })
  screen.getByText('These buttons create a Worker account. To join as a Buyer, choose Buyer above first.')
  await user.click(screen.getByRole('radio', { name: /^Buyer/ }))
  await screen.findByText('After the sign-in you confirm that you join as a Buyer.')
})

test('a Buyer who returns from a sign-in service chooses the role, with Buyer chosen already', async () => {
  const newcomer = account()
  acceptRegistration(newcomer)
  server.signInUnregistered(newcomer)
  await openApp('/dashboard?role=Buyer')
  const buyer = await screen.findByRole('radio', { name: /^Buyer/ })
  assert.equal((buyer as HTMLInputElement).checked, true)
  assert.equal(server.received(registerUser).length, 0)
})

async function returnFromProvider(newcomer: ReturnType<typeof account>, isNew: boolean) {
  acceptRegistration(newcomer)
  server.signInUnregistered(newcomer)
  server.serve(registerUser, () => {
    server.signIn(newcomer)
    return { acknowledged: true, insertedId: isNew ? newcomer._id : null, user: newcomer }
  })
  sessionStorage.setItem('came-by-provider', '1')
  await openApp('/dashboard')
  await screen.findByRole('button', { name: 'Edit profile' })
}

test('a Worker account that a sign-in service has made says so until that is dismissed', async () => {
  await returnFromProvider(account(), true)
  const notice = within(screen.getByRole('region', { name: 'We created a Worker account for you' }))
  assert.equal(notice.getByRole('link', { name: 'Write to us' }).getAttribute('href'), '/#contact')
  await user.click(notice.getByRole('button', { name: 'Dismiss' }))
  expectGone(screen.queryByText('We created a Worker account for you'))
  assert.equal(localStorage.getItem('new-worker'), null)
})

test('a sign-in service that finds an account makes no notice', async () => {
  await returnFromProvider(account(), false)
  expectGone(screen.queryByText('We created a Worker account for you'))
})

test('an account whose picture cannot be stored is complete without it, and says so', async () => {
  const newcomer = acceptRegistration()
  server.refuse(uploadImage, 'invalid_image', 'This file is not a picture.')
  const router = await openApp('/sign-up')
  await fillIn(newcomer)
  await send()
  within(await dialog('Please upload a valid image.')).getByText(
    'This file is not a picture. Your account was created without a picture. Add one on your profile.',
  )
  await user.keyboard('{Escape}')
  await until(() => assert.equal(router.state.location.pathname, '/dashboard'))
  await screen.findByRole('button', { name: 'Edit profile' })
  assert.equal(server.received(registerUser)[0]?.body.image, '')
  assert.equal(server.received(signUp).length, 1)
})

/** Presses the button, and ends the wait between the attempts to upload until a dialog says that there is no response. */
async function sendAndLose(message = /^No connection/) {
  await send()
  await until(() => {
    dispatchEvent(new Event('online'))
    within(screen.getByRole('dialog')).getByText(message)
  })
  await user.keyboard('{Escape}')
  await until(() => assert.equal(screen.queryByRole('dialog'), null))
}
const LOST_PICTURE = /^The connection was lost. What you entered is kept/
const loseResponse = () => {
  throw new TypeError('fetch failed')
}

test('a registration whose picture gets no response is not sent without it, and a retry uploads it once', async () => {
  const newcomer = acceptRegistration()
  server.serve(uploadImage, loseResponse)
  await openApp('/sign-up')
  await fillIn(newcomer)
  await sendAndLose(LOST_PICTURE)
  assert.equal(server.received(registerUser).length, 0)
  assert.equal((field(/^name/i) as HTMLInputElement).value, newcomer.name)

  const lost = server.received(uploadImage).length
  server.serve(uploadImage, aStoredImage('https://example.com/images/me.webp'))
  server.serve(registerUser, loseResponse)
  await sendAndLose()
  server.serve(registerUser, () => {
    server.signIn(newcomer)
    return { acknowledged: true, insertedId: newcomer._id, user: newcomer }
  })
  await send()
  await screen.findByRole('button', { name: 'Edit profile' })
  assert.equal(screen.queryByRole('dialog'), null)
  assert.equal(server.received(uploadImage).length, lost + 1)
  assert.deepEqual(
    server.received(registerUser).map(({ body }) => body.image),
    ['https://example.com/images/me.webp', 'https://example.com/images/me.webp'],
  )
})

test('a registration whose picture gets no response continues without it when the user says so', async () => {
  const newcomer = acceptRegistration()
  server.serve(uploadImage, loseResponse)
  await openApp('/sign-up')
  await fillIn(newcomer)
  await send()
  await until(() => {
    dispatchEvent(new Event('online'))
    within(screen.getByRole('dialog')).getByText(LOST_PICTURE)
  })
  assert.equal(server.received(uploadImage).length, 4)
  await user.click(button('Continue without a picture'))
  await screen.findByRole('button', { name: 'Edit profile' })
  assert.equal(screen.queryByRole('dialog'), null)
  assert.equal(server.received(registerUser)[0]?.body.image, '')
})

test('a retry of a registration without a picture says so, also when the picture is stored then', async () => {
  const newcomer = acceptRegistration()
  server.refuse(uploadImage, 'invalid_image', 'This file is not a picture.')
  server.serve(registerUser, loseResponse)
  await openApp('/sign-up')
  await fillIn(newcomer)
  await sendAndLose()
  acceptRegistration(newcomer)
  await send()
  within(await dialog('Please upload a valid image.')).getByText(
    /^ ?Your account was created without a picture/,
  )
  assert.equal(server.received(registerUser).at(-1)?.body.image, '')
})

test('somebody with an identity and no record is asked for the rest', async () => {
  const newcomer = account()
  acceptRegistration(newcomer)
  server.signInUnregistered(newcomer)
  await openApp('/dashboard')
  await screen.findByRole('heading', { name: /complete your profile/i })
  await user.click(screen.getByRole('radio', { name: /^Buyer/ }))
  await choosePicture()
  await user.click(button('Continue'))
  await screen.findByRole('heading', { name: 'Profile' })
  assert.equal(server.received(registerUser)[0]?.body.role, 'Buyer')
})

test('an identity that is not registered can log out, and sees when that failed', async () => {
  server.signInUnregistered(aUser('Worker'))
  server.serve(site, { ...SITE, name: 'Our Market' })
  await openApp('/dashboard')
  await screen.findByRole('heading', { name: /complete your profile/i })
  await until(() => assert.equal(document.title, 'Complete your profile · Our Market'))
  server.refuse(signOut, 'internal', 'Try again in a moment.')
  await user.click(button('Logout'))
  within(await dialog('Could not sign out')).getByText('Try again in a moment.')
  await user.keyboard('{Escape}')
  server.serve(signOut, () => server.signOut())
  await user.click(button('Logout'))
  await screen.findByRole('heading', { level: 1, name: 'Login' })
})

test('somebody who is registered is sent on to the dashboard', async () => {
  const router = await openApp('/sign-up', { as: aUser('Worker') })
  await until(() => assert.equal(router.state.location.pathname, '/dashboard'))
  assert.equal(server.received(userDetails).length > 0, true)
})
