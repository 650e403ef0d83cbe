import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { type Notification, notifications, readNotifications } from '#contract/notifications.ts'
import { openApp, server, until, user } from '#web/testing/app.tsx'
import { aNotification, aUser } from '#web/testing/records.ts'

/** Serves the notifications, newest first; reading marks those up to a number. */
function serveNotifications(rows: Notification[]) {
  let list = rows
  server.serve(notifications, () => list)
  server.serve(readNotifications, ({ body }) => {
    list = list.map((row) => (Number(row._id) <= Number(body.upTo) ? { ...row, read: true } : row))
    return { acknowledged: true, modifiedCount: 1 }
  })
}
const bell = (name: RegExp = /^notifications/i) => screen.findByRole('button', { name })
const open = () => openApp('/dashboard', { as: aUser('Worker') })

test('the bell counts what is unread', async () => {
  serveNotifications([aNotification(), aNotification(), aNotification({ read: true })])
  await open()
  await bell(/2 unread/)
})

test('a bell without notifications opens to an empty list', async () => {
  await open()
  await user.click(await bell())
  await screen.findByText('No notifications')
  assert.equal(server.received(readNotifications).length, 0)
})

test('notifications are read when the list is closed, up to the newest that was shown', async () => {
  const older = aNotification()
  const newest = aNotification()
  serveNotifications([newest, older])
  await open()
  await user.click(await bell(/2 unread/))
  await screen.findByText(newest.message)
  assert.equal(server.received(readNotifications).length, 0)
  await user.click(await bell())
  await bell(/^notifications$/i)
  assert.deepEqual(server.received(readNotifications)[0]?.body, { upTo: newest._id })
})

test('a notification leads to the screen it is about', async () => {
  const notice = aNotification({ actionRoute: '/dashboard/security' })
  serveNotifications([notice])
  const router = await open()
  await user.click(await bell())
  const link = (await screen.findByText(notice.message)).closest('a')
  assert.ok(link)
  assert.equal(link.getAttribute('href'), '/dashboard/security')
  router.dispose()
})

test('unread notifications are marked for people who cannot see the colour', async () => {
  serveNotifications([aNotification(), aNotification({ read: true })])
  await open()
  await user.click(await bell())
  const list = within(await screen.findByLabelText('Notifications'))
  await until(() => assert.equal(list.getAllByText('New:').length, 1))
})
