import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { cleanup, screen, within } from '@testing-library/react'
import { signIn, signOut } from '#contract/auth.ts'
import {
  beginPasskeySignIn,
  pendingSignIn,
  signInWithCode,
  signInWithPasskey,
} from '#contract/second-factor.ts'
import { site, tryAs } from '#contract/site.ts'
import { myTask } from '#contract/tasks.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  fill,
  openApp,
  server,
  setOnline,
  until,
  user,
} from '#web/testing/app.tsx'
import { SITE } from '#web/testing/fake-server.ts'
import { aUser } from '#web/testing/records.ts'

const PASSWORD = 'Correct-horse'

/** Serves signing in: from then on the session is this user's. */
function acceptSignIn(account = aUser('Buyer')) {
  server.serve(signIn, () => {
    server.signIn(account)
    return { user: { email: account.email, name: account.name } }
  })
  return account
}

async function submit(email: string, password: string) {
  await fill(field(/^email/i), email)
  await fill(field(/^password/i), password)
  await user.click(button('Login'))
}

test('a sign-in leads to the dashboard and greets', async () => {
  const account = acceptSignIn()
  const router = await openApp('/login')
  await submit(account.email, PASSWORD)
  await dialog('Welcome Back!')
  await until(() => assert.equal(router.state.location.pathname, '/dashboard'))
  assert.deepEqual(server.received(signIn)[0]?.body, { email: account.email, password: PASSWORD })
})

test('a sign-in leads back to the screen that asked for it, with its search', async () => {
  const account = acceptSignIn()
  server.serveList(myTask, [])
  const router = await openApp('/dashboard/my-task?page=2')
  await until(() => assert.equal(router.state.location.pathname, '/login'))
  await submit(account.email, PASSWORD)
  await until(() => {
    const { pathname, search } = router.state.location
    assert.equal(pathname + search, '/dashboard/my-task?page=2')
  })
})

test('an empty form is not sent, shows a message at each field and puts the focus on the first', async () => {
  acceptSignIn()
  await openApp('/login')
  await user.click(button('Login'))
  await screen.findByText('Email is required')
  screen.getByText('Password is required')
  expectFocus(field(/^email/i))
  assert.equal(server.received(signIn).length, 0)
})

test('a message at a field goes as soon as the field is right', async () => {
  acceptSignIn()
  await openApp('/login')
  await fill(field(/^email/i), 'nobody')
  await user.tab()
  await screen.findByText('Invalid email format')
  await fill(field(/^email/i), 'somebody@example.com')
  await until(() => expectGone(screen.queryByText('Invalid email format')))
})

test('wrong credentials are shown in a dialog, and what was typed stays', async () => {
  server.refuse(signIn, 'wrong_credentials', 'Email or password is wrong.')
  await openApp('/login')
  await submit('somebody@example.com', 'wrong')
  const shown = await dialog('Login Failed')
  within(shown).getByText('Email or password is wrong.')
  assert.equal((field(/^email/i) as HTMLInputElement).value, 'somebody@example.com')
})

test('the form cannot be sent twice while it is on its way', async () => {
  const account = acceptSignIn()
  const held = server.hold(signIn)
  await openApp('/login')
  await submit(account.email, PASSWORD)
  await user.keyboard('{Enter}')
  await until(() => assert.equal(server.received(signIn).length, 1))
  held.release()
  await dialog('Welcome Back!')
  assert.equal(server.received(signIn).length, 1)
})

test('a path to return to that names another site behind a language stays on this site', async (t) => {
  const replace = t.mock.method(location, 'replace', () => {})
  const to = encodeURIComponent('/bn//evil.example/dashboard')
  const router = await openApp(`/login?returnTo=${to}`, { as: aUser('Worker') })
  await until(() => assert.equal(router.state.location.pathname, '/evil.example/dashboard'))
  cleanup()
  await openApp(`/login?returnTo=${to}`, { as: aUser('Worker', { locale: 'bn' }) })
  await until(() => assert.deepEqual(replace.mock.calls[0]?.arguments, ['/bn/evil.example/dashboard']))
})

test('somebody who is signed in is sent on to the dashboard', async () => {
  const router = await openApp('/login', { as: aUser('Worker') })
  await until(() => assert.equal(router.state.location.pathname, '/dashboard'))
})

test('a refusal of a sign-in service is shown, and an unknown one is not', async () => {
  await openApp('/login?error=sign-in-cancelled')
  await screen.findByText('Sign-in was cancelled.')
})

test('an unknown error in the address shows nothing', async () => {
  await openApp('/login?error=constructor')
  await screen.findByRole('heading', { level: 1 })
  assert.equal(screen.queryByRole('alert')?.textContent ?? '', '')
})

test('a button for each sign-in service is offered', async () => {
  server.serve(site, {
    ...SITE,
    providers: [
      { id: 'google', label: 'Google', demonstration: false },
      { id: 'test', label: 'Test service', demonstration: true },
    ],
  })
  await openApp('/login')
  await screen.findByRole('button', { name: /Google$/ })
  await screen.findByRole('button', { name: /Test service.*demonstration/ })
})

test('a demo installation signs in as a user of a role', async () => {
  server.serve(site, { ...SITE, demo: true })
  const worker = aUser('Worker')
  server.serve(tryAs, ({ body }) => {
    assert.equal(body.role, 'Worker')
    server.signIn(worker)
    return { user: { email: worker.email, name: worker.name } }
  })
  const router = await openApp('/login')
  await user.click(await screen.findByRole('button', { name: /as Worker/ }))
  await until(() => assert.equal(router.state.location.pathname, '/dashboard'))
})

test('an installation without demo people offers none', async () => {
  await openApp('/login')
  await until(() => assert.ok(server.received(site).length > 0))
  expectGone(screen.queryByRole('button', { name: /as Worker/ }))
})

test('logging out ends the session and leads to the login page', async () => {
  server.serve(signOut, () => server.signOut())
  const router = await openApp('/dashboard', { as: aUser('Buyer') })
  await user.click(await screen.findByRole('button', { name: 'Logout' }))
  await until(() => assert.equal(router.state.location.pathname, '/login'))
  assert.equal(server.received(signOut).length, 1)
})

test('a sign-in after a logout does not open the screen of the user before', async () => {
  server.serve(signOut, () => server.signOut())
  server.serveList(myTask, [])
  const router = await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  await user.click(await screen.findByRole('button', { name: 'Logout' }))
  const account = acceptSignIn(aUser('Worker'))
  await screen.findByLabelText(/^email/i)
  await submit(account.email, PASSWORD)
  await dialog('Welcome Back!')
  await until(() => assert.equal(router.state.location.pathname, '/dashboard'))
})

test('a screen that is opened after a logout asks for a sign-in and is returned to', async () => {
  server.serve(signOut, () => server.signOut())
  server.serveList(myTask, [])
  const router = await openApp('/dashboard', { as: aUser('Buyer') })
  await user.click(await screen.findByRole('button', { name: 'Logout' }))
  await screen.findByLabelText(/^email/i)
  await router.navigate('/dashboard/my-task')
  await until(() => {
    const { pathname, state } = router.state.location
    assert.deepEqual([pathname, state?.from?.pathname], ['/login', '/dashboard/my-task'])
  })
})

test('a logout without a connection says so, and the user stays signed in', async () => {
  const router = await openApp('/dashboard', { as: aUser('Buyer') })
  setOnline(false)
  await user.click(await screen.findByRole('button', { name: 'Logout' }))
  within(await dialog('Could not sign out')).getByText(/^No connection/)
  assert.equal(router.state.location.pathname, '/dashboard')
})

test('a sign-in that needs a second factor asks for a code, says a wrong one at its field, and continues', async () => {
  const account = aUser('Buyer')
  server.refuse(signIn, 'second_factor_required', 'Confirm that it is you.')
  server.serve(pendingSignIn, { methods: ['authenticator', 'recovery-code'] })
  server.refuse(signInWithCode, 'invalid_fields', 'Wrong.', { code: 'This code is wrong.' })
  const router = await openApp('/login')
  await submit(account.email, PASSWORD)
  expectFocus(await screen.findByLabelText(/^code/i))
  await fill(field(/^code/i), '000000')
  await user.click(button('Continue'))
  await screen.findByText('This code is wrong.')
  server.serve(signInWithCode, () => {
    server.signIn(account)
    return { user: { email: account.email, name: account.name } }
  })
  await fill(field(/^code/i), '123456')
  await user.click(button('Continue'))
  await dialog('Welcome Back!')
  await until(() => assert.equal(router.state.location.pathname, '/dashboard'))
  assert.deepEqual(server.received(signInWithCode)[1]?.body, { code: '123456' })
})

test('a provider sign-in that needs a second factor continues with it and returns to its screen', async () => {
  const account = aUser('Buyer')
  server.serve(pendingSignIn, { methods: ['authenticator'] })
  server.serveList(myTask, [])
  server.serve(signInWithCode, () => {
    server.signIn(account)
    return { user: { email: account.email, name: account.name } }
  })
  const router = await openApp('/login?step=second-factor&returnTo=%2Fdashboard%2Fmy-task')
  await fill(await screen.findByLabelText(/^code/i), '123456')
  await user.click(button('Continue'))
  await until(() => assert.equal(router.state.location.pathname, '/dashboard/my-task'))
})

describe('a passkey alone', () => {
  const bytes = new Uint8Array([1, 2, 3]).buffer
  const credential = {
    id: 'AQID',
    rawId: bytes,
    type: 'public-key',
    getClientExtensionResults: () => ({}),
    response: { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userHandle: null },
  }
  /** Gives the browser passkeys; `get` is what its dialog results in. */
  function withPasskeys(get: () => Promise<unknown>) {
    Object.assign(window, { PublicKeyCredential: class {} })
    Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true })
    server.serve(beginPasskeySignIn, { challenge: 'AQID', rpId: 'localhost' })
  }
  afterEach(() => {
    Reflect.deleteProperty(window, 'PublicKeyCredential')
    Reflect.deleteProperty(navigator, 'credentials')
  })

  test('signs in and leads to the dashboard', async () => {
    const account = aUser('Buyer')
    withPasskeys(async () => credential)
    server.serve(signInWithPasskey, () => {
      server.signIn(account)
      return { user: { email: account.email, name: account.name } }
    })
    const router = await openApp('/login')
    await user.click(button('Sign in with a passkey'))
    await dialog('Welcome Back!')
    await until(() => assert.equal(router.state.location.pathname, '/dashboard'))
    assert.equal(server.received(signInWithPasskey)[0]?.body.response.id, 'AQID')
  })

  test('says why it did not sign in, and the form stays', async () => {
    let get: () => Promise<unknown> = async () => {
      throw new DOMException('The operation was not allowed.', 'NotAllowedError')
    }
    withPasskeys(() => get())
    server.refuse(signInWithPasskey, 'invalid_fields', 'This passkey was not accepted.')
    await openApp('/login')
    await user.click(button('Sign in with a passkey'))
    await screen.findByText('The passkey was not used. Try again, or use another way.')
    get = async () => credential
    await user.click(button('Sign in with a passkey'))
    await screen.findByText('This passkey was not accepted.')
    field(/^password/i)
  })

  test('is not offered by a browser without passkeys', async () => {
    await openApp('/login')
    expectGone(screen.queryByRole('button', { name: 'Sign in with a passkey' }))
  })
})

test('an expired second step leads back to the login', async () => {
  server.serve(pendingSignIn, { methods: [] })
  await openApp('/login?step=second-factor')
  await screen.findByText(/This sign-in has expired/)
  await user.click(button('Back to login'))
  field(/^password/i)
})
