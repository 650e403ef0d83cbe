import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import type { Role } from '#contract/endpoint.ts'
import { listFreezes } from '#contract/freezes.ts'
import { mailPreferences, setMailPreferences } from '#contract/mail.ts'
import { adminStats, statsSeries, workerStats } from '#contract/stats.ts'
import { mySubmissions } from '#contract/submissions.ts'
import { coinRole, userDetails } from '#contract/users.ts'
import { waiting } from '#contract/waiting.ts'
import { expectFocus, expectGone, openApp, server, setOnline, until, user } from '#web/testing/app.tsx'
import { aSubmission, aUser } from '#web/testing/records.ts'

const sidebar = () => within(screen.getAllByRole('navigation', { name: 'Dashboard' })[0] as HTMLElement)
const main = () => within(screen.getByRole('main'))

test('a visitor who opens the dashboard is asked to sign in', async () => {
  const router = await openApp('/dashboard/security')
  await until(() => assert.equal(router.state.location.pathname, '/login'))
})

const PRESCRIBED: Partial<Record<Role, string[]>> = {
  Worker: ['Profile', 'Available Task', 'My Approved Task', 'Withdraw Form', 'My Submisson'],
  Buyer: ['Profile', 'Add New Task', 'My Tasks', 'Task To Review', 'Purchase Coin', 'Payment History'],
}
for (const [role, links] of Object.entries(PRESCRIBED) as [Role, string[]][]) {
  test(`the sidebar of a ${role} begins with the prescribed links in their order`, async () => {
    await openApp('/dashboard', { as: aUser(role) })
    await screen.findByRole('heading', { name: 'Profile' })
    const shown = sidebar()
      .getAllByRole('link')
      .map((link) => link.textContent)
    assert.deepEqual(shown.slice(0, links.length), links)
  })
}

test('a role that changes while the dashboard is open leaves no chart of the former role', async () => {
  const as = aUser('Worker')
  await openApp('/dashboard', { as })
  await screen.findByText('Submissions')
  await until(() => assert.equal(server.openStreams, 1))
  await until(() => assert.ok(server.received(statsSeries).length > 0))
  const before = server.received(statsSeries).length
  server.change({ role: 'Buyer' })
  server.send('update', { about: ['person'], notices: [], coin: as.coin })
  await screen.findByText('Total paid')
  await until(() => assert.equal(server.received(statsSeries).length, before + 1))
})

test("the header's coins and role are those of coin-role, and of the user's record when it fails", async () => {
  const as = aUser('Worker', { coin: 40 })
  server.signIn(as)
  server.serve(coinRole, { ...as, coin: 65 })
  await openApp('/dashboard')
  const header = within(screen.getByRole('banner'))
  await header.findByText(/^65/)
  await until(() => assert.equal(server.openStreams, 1))
  server.refuse(coinRole, 'internal')
  server.change({ coin: 90 })
  server.send('update', { about: [], notices: [], coin: 90 })
  await header.findByText(/^90/)
})

test('a screen without data says offline that there is no connection, and loads when it is back', async () => {
  const submission = aSubmission({ task_title: 'Check prices' })
  server.serve(mySubmissions, { tasks: [submission], totalTasks: 1 })
  const router = await openApp('/dashboard', { as: aUser('Worker') })
  await screen.findByText('Submissions')
  setOnline(false)
  await router.navigate('/dashboard/my-submisson')
  await main().findByRole('heading', { name: 'There is no connection' })
  setOnline(true)
  await main().findByText('Check prices')
})

test('a screen for another role is explained instead of shown', async () => {
  await openApp('/dashboard/add-task', { as: aUser('Worker') })
  await main().findByRole('heading', { level: 1 })
  assert.match(screen.getByRole('main').textContent ?? '', /Buyers/)
  expectGone(screen.queryByLabelText(/^task title/i))
})

test('an account that could not be read is read again on a retry', async () => {
  const worker = aUser('Worker')
  server.signIn(worker)
  server.refuse(userDetails, 'internal')
  await openApp('/dashboard')
  const alert = await screen.findByRole('alert')
  server.serve(userDetails, worker)
  await user.click(within(alert).getByRole('button'))
  await screen.findByRole('heading', { name: 'Profile' })
})

test('a part of a screen that did not load leaves the rest of the screen there', async () => {
  server.refuse(workerStats, 'internal', 'The totals are not available.')
  await openApp('/dashboard', { as: aUser('Worker', { name: 'Rafi' }) })
  const alert = await screen.findByRole('alert')
  within(alert).getByText('The totals are not available.')
  main().getByRole('heading', { name: 'Rafi' })
  server.serve(workerStats, {
    allTask: 77,
    pendingTask: 3,
    totalEarning: 275,
    totalWithdrawn: 200,
    withdrawnDollars: 10,
  })
  await user.click(within(alert).getByRole('button'))
  await screen.findByText('77')
})

test('a change of screen puts the focus on its content', async () => {
  server.serve(mySubmissions, { tasks: [], totalTasks: 0 })
  await openApp('/dashboard', { as: aUser('Worker') })
  await user.click(sidebar().getByRole('link', { name: 'My Submisson' }))
  await main().findByRole('heading', { level: 1, name: 'My Submisson' })
  await until(() => expectFocus(screen.getByRole('main')))
})

test('a lost network is announced, and the announcement goes with its return', async () => {
  await openApp('/dashboard', { as: aUser('Worker') })
  setOnline(false)
  await screen.findByText(/offline/i)
  setOnline(true)
  await until(() => expectGone(screen.queryByText(/offline/i)))
})

test('another tab that signs out ends the session here too', async () => {
  const router = await openApp('/dashboard', { as: aUser('Worker') })
  server.signOut()
  const tab = new BroadcastChannel('session')
  tab.postMessage('changed')
  await until(() => assert.equal(router.state.location.pathname, '/login'))
  tab.close()
})

test('another tab that signs in as somebody else shows nothing of the first', async () => {
  await openApp('/dashboard', { as: aUser('Worker', { name: 'Rafi' }) })
  await main().findByRole('heading', { name: 'Rafi' })
  server.signIn(aUser('Buyer', { name: 'Nadia' }))
  const tab = new BroadcastChannel('session')
  tab.postMessage('changed')
  await main().findByRole('heading', { name: 'Nadia' })
  expectGone(screen.queryByText('Rafi'))
  tab.close()
})

test('a failed read of a known user leaves what is on the screen', async () => {
  await openApp('/dashboard', { as: aUser('Worker', { name: 'Rafi' }) })
  await main().findByRole('heading', { name: 'Rafi' })
  server.offline = true
  const tab = new BroadcastChannel('session')
  tab.postMessage('changed')
  await until(() => assert.ok(server.failedRequests > 0))
  main().getByRole('heading', { name: 'Rafi' })
  tab.close()
})

test('a switched preference is saved, and one that could not be saved is switched back', async () => {
  server.serve(setMailPreferences, ({ body }) => body)
  await openApp('/dashboard', { as: aUser('Buyer') })
  const preference = await screen.findByRole<HTMLInputElement>('switch', { name: /^Submissions and appeals/ })
  assert.equal(preference.checked, true)
  server.refuse(setMailPreferences, 'internal', 'Not saved.')
  await user.click(preference)
  await screen.findByText('Not saved.')
  await until(() => assert.equal(preference.checked, true))
})

for (const [role, reviewer, labels, review] of [
  ['Worker', false, ['Review results', 'Withdrawals and freezes'], /the reviewer decides/],
  [
    'Worker',
    true,
    ['Review results', 'Withdrawals and freezes', 'Reviews of rejections'],
    /a review is assigned to you/,
  ],
  ['Buyer', false, ['Submissions and appeals', 'Account freezes'], /appealed, upheld or overturned/],
  ['Admin', false, ['Reviews of rejections', 'Account freezes'], /a review is assigned to you/],
] as const) {
  test(`the home has a switch for every email of the role ${role}${reviewer ? ' with reviews' : ''}`, async () => {
    server.refuse(adminStats, 'unavailable', 'The totals are not available.')
    await openApp('/dashboard', { as: aUser(role, { reviewer }) })
    const section = await screen.findByRole('region', { name: 'Email notifications' })
    assert.equal(within(section).getAllByRole('switch').length, labels.length)
    for (const label of labels) within(section).getByRole('switch', { name: new RegExp(`^${label}`) })
    within(section).getByText(review)
  })
}

test('preferences that are switched one after the other are all saved', async () => {
  let saved = { workReceived: true, workDecided: true, payouts: true }
  const { promise: release, resolve } = Promise.withResolvers<void>()
  server.serve(mailPreferences, () => saved)
  server.serve(setMailPreferences, async ({ body }) => {
    if (server.received(setMailPreferences).length === 1) await release
    saved = body
    return body
  })
  await openApp('/dashboard', { as: aUser('Worker') })
  const results = await screen.findByRole<HTMLInputElement>('switch', { name: /^Review results/ })
  const payouts = screen.getByRole<HTMLInputElement>('switch', { name: /^Withdrawals/ })
  await user.click(results)
  await until(() => assert.equal(server.received(setMailPreferences).length, 1))
  await user.click(payouts)
  await until(() => assert.deepEqual([results.checked, payouts.checked], [false, false]))
  resolve()
  const both = { workReceived: true, workDecided: false, payouts: false }
  await until(() => assert.deepEqual(server.received(setMailPreferences)[1]?.body, both))
  await until(() => assert.ok(server.received(mailPreferences).length > 1))
  assert.deepEqual(saved, both)
  assert.deepEqual([results.checked, payouts.checked], [false, false])
})

test('a switch changes one preference, also when another device has changed another meanwhile', async () => {
  server.serve(mailPreferences, { workReceived: true, workDecided: true, payouts: true })
  server.serve(setMailPreferences, ({ body }) => body)
  await openApp('/dashboard', { as: aUser('Worker') })
  const results = await screen.findByRole<HTMLInputElement>('switch', { name: /^Review results/ })
  server.serve(mailPreferences, { workReceived: true, workDecided: true, payouts: false })
  await user.click(results)
  await until(() =>
    assert.deepEqual(server.received(setMailPreferences)[0]?.body, {
      ...{ workReceived: true, workDecided: false, payouts: false },
    }),
  )
})

test('preferences that could not be saved for want of a connection are shown as they were', async () => {
  server.serve(mailPreferences, { workReceived: true, workDecided: true, payouts: true })
  const { promise: lost, reject } = Promise.withResolvers<never>()
  server.serve(setMailPreferences, () => lost)
  await openApp('/dashboard', { as: aUser('Worker') })
  const results = await screen.findByRole<HTMLInputElement>('switch', { name: /^Review results/ })
  const payouts = screen.getByRole<HTMLInputElement>('switch', { name: /^Withdrawals/ })
  await user.click(results)
  await until(() => assert.equal(server.received(setMailPreferences).length, 1))
  await user.click(payouts)
  await until(() => assert.deepEqual([results.checked, payouts.checked], [false, false]))
  const reads = server.received(mailPreferences).length
  setOnline(false)
  server.offline = true
  reject(new TypeError('fetch failed'))
  await until(() => assert.deepEqual([results.checked, payouts.checked], [true, true]))
  assert.equal(server.received(mailPreferences).length, reads)
})

test('submissions are paged by the address, five to a page', async () => {
  const all = Array.from({ length: 7 }, (_, index) => aSubmission({ task_title: `Task no ${index + 1}` }))
  server.serve(mySubmissions, ({ query }) => {
    const from = Number(query.page ?? 0) * 5
    return { tasks: all.slice(from, from + 5), totalTasks: all.length }
  })
  const router = await openApp('/dashboard/my-submisson', { as: aUser('Worker') })
  await screen.findByText('Task no 5')
  expectGone(screen.queryByText('Task no 6'))
  await user.click(screen.getByRole('button', { name: 'Next' }))
  await screen.findByText('Task no 7')
  assert.equal(router.state.location.search, '?page=1')
  assert.equal((screen.getByRole('button', { name: 'Next' }) as HTMLButtonElement).disabled, true)
  await router.navigate(-1)
  await screen.findByText('Task no 1')
  await user.click(screen.getByRole('button', { name: 'Next' }))
  await screen.findByText('Task no 7')
  await user.click(screen.getByRole('button', { name: 'Previous' }))
  await screen.findByText('Task no 1')
  assert.equal(router.state.location.search, '')
})

test('a page after the last one leads back to the first', async () => {
  const task = aSubmission()
  server.serve(mySubmissions, ({ query }) => ({
    tasks: Number(query.page ?? 0) === 0 ? [task] : [],
    totalTasks: 1,
  }))
  await openApp('/dashboard/my-submisson?page=9', { as: aUser('Worker') })
  await user.click(await main().findByRole('button'))
  await screen.findByText(task.task_title)
})

test('all submissions include rejected ones, and link to their cases', async () => {
  const rejected = aSubmission({ task_title: 'Count boats', status: 'rejected', state: 'rejected' })
  server.serve(mySubmissions, ({ query }) =>
    query.status === 'all' ? { tasks: [rejected], totalTasks: 1 } : { tasks: [], totalTasks: 0 },
  )
  await openApp('/dashboard/my-submisson', { as: aUser('Worker') })
  const link = await screen.findByRole('link', { name: 'Count boats' })
  assert.equal(link.getAttribute('href'), `/dashboard/case/${rejected._id}`)
})

test('a filter starts the list from its first page', async () => {
  server.serve(mySubmissions, { tasks: [], totalTasks: 0 })
  const router = await openApp('/dashboard/my-submisson?page=3', { as: aUser('Worker') })
  await user.click(await main().findByRole('link', { name: /^Rejected/ }))
  await until(() => assert.equal(router.state.location.search, '?status=rejected'))
  assert.equal(
    main()
      .getByRole('link', { name: /^Rejected/ })
      .getAttribute('aria-current'),
    'page',
  )
})

test('a rejected submission shows the reason of its buyer', async () => {
  const tasks = [aSubmission({ status: 'rejected', reason: 'The link is empty.' })]
  server.serve(mySubmissions, { tasks, totalTasks: 1 })
  await openApp('/dashboard/my-submisson?status=rejected', { as: aUser('Worker') })
  await screen.findByText(/The link is empty/)
})

test("an Admin's further links are in groups, and the group of the current screen is open", async () => {
  server.serve(waiting, [
    { kind: 'disputes', count: 3, coins: null, cents: null, oldest: null, deadline: null },
  ])
  server.serveList(listFreezes, [])
  await openApp('/dashboard/freezes', { as: aUser('Admin') })
  const isOpen = (name: RegExp) => sidebar().getByRole('button', { name }).getAttribute('aria-expanded')
  await sidebar().findByRole('button', { name: 'Money in, 3 waiting' })
  assert.deepEqual([isOpen(/^People/), isOpen(/^Money in/)], ['true', 'false'])
  await user.click(sidebar().getByRole('button', { name: /^Money in/ }))
  assert.equal(isOpen(/^Money in$/), 'true')
  sidebar().getByRole('link', { name: 'Disputes, 3 waiting' })
  await user.click(sidebar().getByRole('button', { name: /^People/ }))
  assert.equal(isOpen(/^People/), 'false')
})
