import assert from 'node:assert/strict'
import { afterEach, beforeEach, type TestContext, test } from 'node:test'
import { screen } from '@testing-library/react'
import { issueToken, signOut, signUp } from '#contract/auth.ts'
import { LATEST_EVENT_HEADER, pathOf } from '#contract/endpoint.ts'
import { statement } from '#contract/ledger.ts'
import { mySubmissions } from '#contract/submissions.ts'
import { coinRole, userDetails } from '#contract/users.ts'
import { takeEarlyResponse } from '#web/lib/early-responses.ts'
import { resetToken } from '#web/lib/id-token.ts'
import {
  LAST_SESSION_KEY,
  readLastSession,
  SAVED_REPLIES,
  saveLastSession,
  UPLOAD_FILES,
} from '#web/lib/last-session.ts'
import { queryClient, queryKeyOf } from '#web/lib/queries.ts'
import { SIGNING_IN_KEY, sessionStore } from '#web/lib/session-store.ts'
import { expectGone, openApp, server, until, user } from '#web/testing/app.tsx'
import { aUser } from '#web/testing/records.ts'

const ruma = aUser('Worker', { name: 'Ruma Akter', email: 'ruma@example.com' })
const hasan = aUser('Worker', { name: 'Hasan Ali', email: 'hasan@example.com' })
const wasHere = (user = ruma) => saveLastSession({ user: { id: user._id, ...user }, userData: user })

beforeEach(() => history.replaceState(null, '', '/dashboard'))
afterEach(() => {
  history.replaceState(null, '', '/')
  delete window.earlyResponses
})

test('the dashboard shows the user of the last session until the server responds', async () => {
  wasHere()
  server.signIn({ ...ruma, name: 'Ruma Begum' })
  const token = server.hold(issueToken)
  await openApp('/dashboard')
  assert.ok((await screen.findAllByText('Ruma Akter')).length > 0)
  assert.deepEqual(server.connections, [])
  token.release()
  assert.ok((await screen.findAllByText('Ruma Begum')).length > 0)
  await until(() => assert.equal(server.connections.length, 1))
  assert.equal(server.received(userDetails).length, 1)
})

test('another user than that of the last session sees nothing of theirs', async () => {
  wasHere()
  await openApp('/dashboard', { as: hasan })
  assert.ok((await screen.findAllByText('Hasan Ali')).length > 0)
  expectGone(screen.queryByText('Ruma Akter'))
  assert.equal(readLastSession()?.user.email, hasan.email)
})

test('a session that has ended leads to the login page and is forgotten', async () => {
  wasHere()
  await openApp('/dashboard')
  await screen.findByRole('heading', { level: 1, name: 'Login' })
  expectGone(screen.queryByText('Ruma Akter'))
  assert.equal(readLastSession(), null)
})

test('on return from an identity provider the dashboard waits for the server', async () => {
  wasHere()
  sessionStorage.setItem(SIGNING_IN_KEY, '1')
  server.signIn(hasan)
  const token = server.hold(issueToken)
  const opened = openApp('/dashboard')
  await until(() => assert.equal(server.received(issueToken).length, 1))
  expectGone(screen.queryByText('Ruma Akter'))
  token.release()
  await opened
  assert.ok((await screen.findAllByText('Hasan Ali')).length > 0)
})

test('a read of the user that is slower than a later one changes nothing', async () => {
  await openApp('/dashboard', { as: ruma })
  await until(() => assert.equal(server.openStreams, 1))
  const [{ promise, resolve }, before] = [Promise.withResolvers<void>(), server.received(userDetails).length]
  let reads = 0
  server.serve(userDetails, async () => {
    if (++reads > 1) return { ...ruma, name: 'Ruma Begum' }
    await promise
    return ruma
  })
  for (let read = 1; read <= 2; read++) {
    server.send('update', { about: ['person'], coin: ruma.coin, notices: [] })
    await until(() => assert.equal(server.received(userDetails).length, before + read))
  }
  assert.ok((await screen.findAllByText('Ruma Begum')).length > 0)
  resolve()
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
  assert.equal(readLastSession()?.userData?.name, 'Ruma Begum')
  expectGone(screen.queryByText('Ruma Akter'))
})

test('a session that ended elsewhere leads to the login page with the next request', async () => {
  const router = await openApp('/dashboard', { as: ruma })
  assert.ok((await screen.findAllByText('Ruma Akter')).length > 0)
  server.signOut()
  server.serve(mySubmissions, { tasks: [], totalTasks: 0 })
  await router.navigate('/dashboard/my-submisson')
  await screen.findByRole('heading', { level: 1, name: 'Login' })
  expectGone(screen.queryByText('Ruma Akter'))
})

test('a sign-out leaves nothing of the user when the connection ends meanwhile', async () => {
  const router = await openApp('/dashboard', { as: ruma })
  const coins = queryKeyOf(coinRole, { params: { email: ruma.email } })
  await until(() => assert.notEqual(queryClient.getQueryData(coins), undefined))
  server.serve(signOut, () => {
    server.signOut()
    server.offline = true
  })
  await user.click(await screen.findByRole('button', { name: 'Logout' }))
  await until(() => assert.ok(server.failedRequests > 0))
  await screen.findByRole('heading', { level: 1, name: 'Login' })
  assert.equal(router.state.location.pathname, '/login')
  expectGone(screen.queryByText('Ruma Akter'))
  assert.equal(queryClient.getQueryData(coins), undefined)
})

test('replies and files stay while the same user is signed in, also with another email', async (t) => {
  const deleted: string[] = []
  const storage = { deleteDatabase: (name: string) => deleted.push(name) }
  Object.defineProperty(globalThis, 'indexedDB', { configurable: true, value: storage })
  t.after(() => Reflect.deleteProperty(globalThis, 'indexedDB'))
  localStorage.setItem(LAST_SESSION_KEY, JSON.stringify({ user: { email: ruma.email }, userData: ruma }))
  server.signIn(ruma)
  const store = sessionStore(queryClient)
  t.after(store.start())
  await until(() => assert.equal(store.current().loading, false))
  await store.changeSession(async () => server.signIn({ ...ruma, email: 'new@example.com' }))
  assert.equal(store.current().user?.email, 'new@example.com')
  assert.deepEqual(deleted, [])

  await store.changeSession(async () => server.signIn(hasan))
  assert.deepEqual(deleted, [SAVED_REPLIES, UPLOAD_FILES])
  await store.endSession(async () => server.signOut())
  assert.deepEqual(new Set(deleted.slice(2)), new Set([SAVED_REPLIES, UPLOAD_FILES]))
  assert.equal(readLastSession(), null)
})

/** Opens another tab, and returns how often it was notified of a changed session. */
function openTab(t: TestContext): () => number {
  let messages = 0
  const tab = new BroadcastChannel('session')
  tab.onmessage = () => messages++
  t.after(() => tab.close())
  return () => messages
}

test('other tabs are notified of a sign-up, and of the registration that completes it', async (t) => {
  const messages = openTab(t)
  const store = sessionStore(queryClient)
  t.after(store.start())
  await until(() => assert.equal(store.current().loading, false))
  server.serve(signUp, () => {
    server.signInUnregistered(ruma)
    return { user: { email: ruma.email, name: ruma.name } }
  })
  await store.current().createUserByEmail({ name: ruma.name, email: ruma.email, password: 'Secret-1' })
  await until(() => assert.equal(messages(), 1))
  server.signIn(ruma)
  await store.current().refetchUser()
  await until(() => assert.equal(messages(), 2))
})

test('a page that Back shows as it was left for a provider is no longer loading', async (t) => {
  t.mock.method(location, 'assign', () => {})
  const store = sessionStore(queryClient)
  t.after(store.start())
  await until(() => assert.equal(store.current().loading, false))
  store.current().signInWithGoogle('google')
  assert.equal(store.current().loading, true)
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  await until(() => assert.equal(store.current().loading, false))
})

test('a page that Back shows as it was left shows who has signed in since', async (t) => {
  const store = sessionStore(queryClient)
  t.after(store.start())
  await until(() => assert.equal(store.current().loading, false))
  assert.equal(store.current().user, null)
  server.signIn(ruma)
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  await until(() => assert.equal(store.current().userData?.name, 'Ruma Akter'))
})

test('other tabs are notified of a sign-in with a provider', async (t) => {
  const messages = openTab(t)
  sessionStorage.setItem(SIGNING_IN_KEY, '1')
  await openApp('/dashboard', { as: ruma })
  await until(() => assert.equal(messages(), 1))
})

test('after another user signed in elsewhere, the next request shows that user', async () => {
  const router = await openApp('/dashboard', { as: ruma })
  assert.ok((await screen.findAllByText('Ruma Akter')).length > 0)
  server.signIn(hasan)
  server.serve(mySubmissions, { tasks: [], totalTasks: 0 })
  await router.navigate('/dashboard/my-submisson')
  assert.ok((await screen.findAllByText('Hasan Ali')).length > 0)
  await until(() => expectGone(screen.queryByText('Ruma Akter')))
})

test('what the page has requested early is not requested again', async () => {
  server.signIn(ruma)
  const url = pathOf(issueToken)
  const response = await server.fetch(url, { method: 'POST' })
  const { token } = (await response.clone().json()) as { token: string }
  const userUrl = pathOf(userDetails, { email: ruma.email })
  const record = server.fetch(userUrl, { headers: { authorization: `Bearer ${token}` } })
  const early = new Response(response.body, { headers: { [LATEST_EVENT_HEADER]: '7' } })
  window.earlyResponses = new Map([
    [url, Promise.resolve(early)],
    [userUrl, record],
  ])
  await openApp('/dashboard')
  assert.ok((await screen.findAllByText('Ruma Akter')).length > 0)
  assert.equal(server.tokensIssued, 1)
  assert.equal(server.received(userDetails).length, 1)
  await until(() => assert.deepEqual(server.connections, ['7']))
})

test('what the page has requested early is not used for the next screen', async () => {
  server.signIn(ruma)
  server.serve(mySubmissions, { tasks: [], totalTasks: 0 })
  const url = pathOf(statement, { email: ruma.email })
  window.earlyResponses = new Map([[url, Promise.resolve(Response.json([]))]])
  const router = await openApp('/dashboard')
  assert.ok((await screen.findAllByText('Ruma Akter')).length > 0)
  assert.equal(window.earlyResponses.size, 1)
  await router.navigate('/dashboard/my-submisson')
  await until(() => assert.equal(window.earlyResponses?.size, 0))
})

test('what the page has requested early is not used after the session has changed', () => {
  const url = pathOf(mySubmissions)
  window.earlyResponses = new Map([[url, Promise.resolve(Response.json({}))]])
  resetToken()
  assert.equal(takeEarlyResponse(url), undefined)
})
