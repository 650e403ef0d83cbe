import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import {
  type Notification,
  notifications,
  setNotificationsRead,
  UNREAD_COUNT_HEADER,
} from '#contract/notifications.ts'
import { queryClient } from '#web/lib/queries.ts'
import { expectFocus, expectGone, openApp, server, setOnline, until, user } from '#web/testing/app.tsx'
import { ListPage } from '#web/testing/fake-server.ts'
import { aNotification, aUser } from '#web/testing/records.ts'

/** Serves the notifications, newest first, with the number of unread ones, and marks them. */
function serveNotifications(rows: Notification[]) {
  let list = rows
  server.serve(notifications, ({ query }) => {
    const unread = list.filter(({ read }) => !read).length
    return new ListPage(list.slice(0, Number(query.limit)), null, list.length, {
      [UNREAD_COUNT_HEADER]: String(unread),
    })
  })
  server.serve(setNotificationsRead, ({ body }) => {
    list = list.map((row) => (body.ids.includes(row._id) ? { ...row, read: body.read } : row))
    return { acknowledged: true, modifiedCount: body.ids.length }
  })
}
const bell = (name: RegExp = /^notifications/i) => screen.findByRole('button', { name })
const open = () => openApp('/dashboard', { as: aUser('Worker') })

test('the bell counts what is unread', async () => {
  serveNotifications([aNotification(), aNotification(), aNotification({ read: true })])
  await open()
  await bell(/2 unread/)
})

test('the bell counts those that it does not list, and closing it leaves them unread', async () => {
  const rows = Array.from({ length: 24 }, () => aNotification())
  serveNotifications(rows)
  await open()
  await user.click(await bell(/24 unread/))
  assert.equal((await screen.findAllByText('New:')).length, 20)
  await user.click(await bell())
  await bell(/^notifications, 4 unread$/i)
  assert.deepEqual(server.received(setNotificationsRead)[0]?.body, {
    ids: rows.slice(0, 20).map(({ _id }) => _id),
    read: true,
  })
})

test('the bell counts with two digits, and with a server that sends no number what it lists', async () => {
  serveNotifications(Array.from({ length: 100 }, () => aNotification()))
  await open()
  await bell(/99\+ unread/)
  server.serve(notifications, [aNotification(), aNotification()])
  await queryClient.invalidateQueries()
  await bell(/2 unread/)
})

test('a bell without notifications opens to an empty list', async () => {
  await open()
  await user.click(await bell())
  await screen.findByText('No notifications')
  assert.equal(server.received(setNotificationsRead).length, 0)
})

test('a bell whose notifications did not load says so, and loads them on a retry', async () => {
  const notice = aNotification()
  server.refuse(notifications, 'internal', 'Try again in a moment.')
  await open()
  await user.click(await bell())
  const list = within(await screen.findByRole('dialog', { name: 'Notifications' }))
  await list.findByText('Try again in a moment.')
  expectGone(list.queryByText('No notifications'))
  serveNotifications([notice])
  const held = server.hold(notifications)
  await user.click(list.getByRole('button', { name: 'Try again' }))
  expectFocus(await list.findByText('Loading…'))
  held.release()
  await list.findByText(notice.message)
})

test('a bell without a connection says so', async () => {
  server.refuse(notifications, 'internal', 'Try again in a moment.')
  await open()
  await user.click(await bell())
  const list = within(await screen.findByRole('dialog', { name: 'Notifications' }))
  const retry = await list.findByRole('button', { name: 'Try again' })
  setOnline(false)
  await user.click(retry)
  await list.findByText('There is no connection')
})

test('notifications are read when the list is closed', async () => {
  const older = aNotification()
  const newest = aNotification()
  serveNotifications([newest, older])
  await open()
  await user.click(await bell(/2 unread/))
  await screen.findByText(newest.message)
  assert.equal(server.received(setNotificationsRead).length, 0)
  await user.click(await bell())
  await bell(/^notifications$/i)
  assert.deepEqual(server.received(setNotificationsRead)[0]?.body, {
    ids: [newest._id, older._id],
    read: true,
  })
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
