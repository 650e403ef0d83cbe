import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { cleanup, screen } from '@testing-library/react'
import { signOut } from '#contract/auth.ts'
import { pushKey, subscribeToPush, unsubscribeFromPush } from '#contract/push-subscriptions.ts'
import { mySubmissionCounts, mySubmissions } from '#contract/submissions.ts'
import { queryClient } from '#web/lib/queries.ts'
import { button, expectGone, openApp, server, until, user } from '#web/testing/app.tsx'
import { installPush } from '#web/testing/push-browser.ts'
import { aUser } from '#web/testing/records.ts'

const worker = aUser('Worker')
const NAME = /^Notifications on this device/
const findSwitch = () => screen.findByRole<HTMLInputElement>('switch', { name: NAME })
const getSwitch = () => screen.getByRole<HTMLInputElement>('switch', { name: NAME })

beforeEach(() => {
  server.serve(pushKey, { publicKey: 'BKey' })
  server.serve(subscribeToPush, { acknowledged: true })
  server.serve(unsubscribeFromPush, { acknowledged: true, deletedCount: 1 })
})

test('the switch subscribes the device and ends it', async () => {
  const device = installPush('granted')
  await openApp('/dashboard', { as: worker })
  assert.equal((await findSwitch()).checked, false)
  await user.click(await findSwitch())
  await until(() => assert.equal(server.received(subscribeToPush).length, 1))
  await until(() => assert.equal(getSwitch().checked, true))
  assert.ok(device.isSubscribed())

  await user.click(await findSwitch())
  await until(() => assert.equal(server.received(unsubscribeFromPush).length, 1))
  await until(() => assert.equal(getSwitch().checked, false))
  assert.equal(device.isSubscribed(), false)
})

test('the switch names the events of the role', async () => {
  installPush('granted')
  await openApp('/dashboard', { as: worker })
  await screen.findByText(/^When work is approved or rejected/)
  cleanup()
  await openApp('/dashboard', { as: aUser('Buyer') })
  await screen.findByText(/^When a rejection is appealed or reviewed/)
  assert.equal(screen.queryByText(/when you are paid/), null)
})

test('a browser that blocks notifications says what to do', async () => {
  installPush('denied')
  await openApp('/dashboard', { as: worker })
  await user.click(await findSwitch())
  await screen.findByText(/Notifications are blocked/)
  assert.equal((await findSwitch()).checked, false)
  assert.equal(server.received(subscribeToPush).length, 0)
})

test('without a service worker the switch says that it failed, and can be used again', async () => {
  const device = installPush('granted')
  await openApp('/dashboard', { as: worker })
  await findSwitch()
  device.unregister()
  await user.click(await findSwitch())
  await screen.findByText('Something went wrong. Please try again in a moment.')
  await until(() => assert.equal(getSwitch().disabled, false))
  assert.equal(getSwitch().checked, false)
})

test('a sign-out ends the notifications of the device; another user does not inherit them', async () => {
  const device = installPush('granted')
  server.serve(signOut, undefined)
  await openApp('/dashboard', { as: worker })
  await user.click(await findSwitch())
  await until(() => assert.equal(server.received(subscribeToPush).length, 1))
  await user.click(screen.getAllByRole('button', { name: 'Logout' })[0] as HTMLElement)
  await until(() => assert.equal(device.isSubscribed(), false))
  assert.equal(localStorage.getItem('push-owner-id'), null)
})

test('a sign-out that fails leaves the notifications of the device', async () => {
  const device = installPush('granted')
  await openApp('/dashboard', { as: worker })
  await user.click(await findSwitch())
  await until(() => assert.equal(server.received(subscribeToPush).length, 1))
  server.refuse(signOut, 'unavailable', 'The server is busy.')
  await user.click(screen.getAllByRole('button', { name: 'Logout' })[0] as HTMLElement)
  await until(() => assert.equal(server.received(signOut).length, 1))
  await until(() => assert.equal(getSwitch().checked, true))
  assert.ok(device.isSubscribed())
  assert.equal(localStorage.getItem('push-owner-id'), worker._id)
})

test('a device keeps its notifications when the email of its user changes', async () => {
  const device = installPush('granted')
  await openApp('/dashboard', { as: worker })
  await user.click(await findSwitch())
  await until(() => assert.equal(server.received(subscribeToPush).length, 1))
  cleanup()
  queryClient.clear()
  await openApp('/dashboard', { as: { ...worker, email: 'new@example.com' } })
  await until(() => assert.equal(server.received(subscribeToPush).length, 2))
  await until(() => assert.equal(getSwitch().checked, true))
  assert.ok(device.isSubscribed())
})

test('a device keeps the notifications that were turned on in an earlier version, until they are turned off', async () => {
  const device = installPush('granted')
  await openApp('/dashboard', { as: worker })
  await user.click(await findSwitch())
  await until(() => assert.equal(server.received(subscribeToPush).length, 1))
  cleanup()
  queryClient.clear()
  localStorage.removeItem('push-owner-id')
  localStorage.setItem('push-owner', worker.email)
  await openApp('/dashboard', { as: worker })
  await until(() => assert.equal(server.received(subscribeToPush).length, 2))
  await until(() => assert.equal(getSwitch().checked, true))
  assert.ok(device.isSubscribed())
  assert.equal(localStorage.getItem('push-owner'), worker.email, 'for an open page of that version')

  await user.click(getSwitch())
  await until(() => assert.equal(getSwitch().checked, false))
  assert.deepEqual(
    ['push-owner', 'push-owner-id'].map((key) => localStorage.getItem(key)),
    [null, null],
  )
})

test('a device that is used in another language has one subscription', async () => {
  const device = installPush('granted')
  await openApp('/dashboard', { as: worker })
  await user.click(await findSwitch())
  await until(() => assert.equal(server.received(subscribeToPush).length, 1))
  const english = device.endpoints()
  assert.equal(english.length, 1)

  device.run(1)
  cleanup()
  await openApp('/dashboard', { as: worker })
  await until(() => assert.equal(server.received(subscribeToPush).length, 2))
  await until(() => assert.equal(getSwitch().checked, true))
  assert.deepEqual(device.endpoints(), english)
  assert.deepEqual(
    server.received(subscribeToPush).map(({ body }) => body.endpoint),
    [...english, ...english],
  )

  // The browser has forgotten whose subscription it is, and the service worker of the other language subscribes.
  cleanup()
  localStorage.removeItem('push-owner-id')
  queryClient.clear()
  await openApp('/dashboard', { as: worker })
  assert.equal((await findSwitch()).checked, false)
  await user.click(await findSwitch())
  await until(() => assert.equal(server.received(subscribeToPush).length, 3))
  assert.equal(device.endpoints().length, 1)
  assert.notDeepEqual(device.endpoints(), english)
  assert.deepEqual(
    server.received(unsubscribeFromPush).map(({ body }) => body.endpoint),
    english,
  )
})

test('a device is subscribed again when the server has another key', async () => {
  const device = installPush('granted')
  await openApp('/dashboard', { as: worker })
  await user.click(await findSwitch())
  await until(() => assert.equal(server.received(subscribeToPush).length, 1))

  cleanup()
  server.serve(pushKey, { publicKey: 'CKey' })
  await openApp('/dashboard', { as: worker })
  await until(() => assert.equal(server.received(subscribeToPush).length, 2))
  assert.equal(server.received(unsubscribeFromPush).length, 1)
  assert.ok(device.isSubscribed())
})

test('a worker whose work is being reviewed is asked once', async () => {
  installPush('granted')
  server.serve(mySubmissionCounts, [{ state: 'pending', count: 1 }])
  server.serve(mySubmissions, { tasks: [], totalTasks: 0 })
  await openApp('/dashboard/my-submisson', { as: worker })
  await screen.findByRole('region', { name: 'Know when you are paid' })
  await user.click(button('Not now'))
  expectGone(screen.queryByRole('region', { name: 'Know when you are paid' }))
  assert.equal(localStorage.getItem('push-offer-declined'), '1')
})
