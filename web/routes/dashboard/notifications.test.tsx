import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import {
  type ListedNotification,
  myNotifications,
  notifications,
  readNotifications,
  setNotificationsRead,
} from '#contract/notifications.ts'
import { queryClient } from '#web/lib/queries.ts'
import { button, expectGone, openApp, server, until, user } from '#web/testing/app.tsx'
import { aNotification, aUser } from '#web/testing/records.ts'

const PATH = '/dashboard/notifications'

/** Returns submitted work for a task, as the buyer is notified of it. */
function aListed(change: Partial<ListedNotification> = {}): ListedNotification {
  return {
    ...aNotification(),
    kind: 'work_received',
    title: 'Check prices',
    actor: null,
    coins: null,
    count: null,
    ...change,
  }
}
const newestFirst = (rows: ListedNotification[]) => rows.toSorted((a, b) => Number(b._id) - Number(a._id))

/** Serves the list by its filter, and stores what is marked. */
function serveRows(initial: ListedNotification[]) {
  let rows = newestFirst(initial)
  const isIn = (category: unknown, { kind }: ListedNotification) =>
    category === undefined || (category === 'work') === (kind === 'work_received')
  server.serve(myNotifications, ({ query }) =>
    rows.filter((row) => !(query.unread && row.read) && isIn(query.category, row)),
  )
  server.serve(setNotificationsRead, ({ body }) => {
    rows = rows.map((row) => (body.ids.includes(row._id) ? { ...row, read: body.read } : row))
    return { acknowledged: true, modifiedCount: body.ids.length }
  })
  server.serve(readNotifications, ({ body }) => {
    rows = rows.map((row) =>
      Number(row._id) <= Number(body.upTo) && isIn(body.category, row) ? { ...row, read: true } : row,
    )
    return { acknowledged: true, modifiedCount: 2 }
  })
  return { add: (row: ListedNotification) => (rows = [row, ...rows]) }
}
const open = (path = PATH) => openApp(path, { as: aUser('Buyer') })
const main = () => within(screen.getByRole('main'))

test('the bell leads to the page and leaves everything unread', async () => {
  server.serve(notifications, [aNotification()])
  serveRows([aListed({ message: 'The newest' })])
  await openApp('/dashboard', { as: aUser('Buyer') })
  await user.click(await screen.findByRole('button', { name: /^notifications, 1 unread/i }))
  await user.click(await screen.findByRole('link', { name: 'See all notifications' }))
  await screen.findByText('The newest')
  assert.equal(server.received(setNotificationsRead).length, 0)
})

test('what is read in the bell is read on the page', async (context) => {
  const row = aListed({ message: 'The newest' })
  server.serve(notifications, [row])
  serveRows([row])
  await open()
  await main().findByText('New:')
  const { mock } = context.mock.method(queryClient, 'invalidateQueries')
  const invalidated = () => mock.calls.map(({ arguments: [filters] }) => filters?.queryKey?.[0])
  await user.click(await screen.findByRole('button', { name: /^notifications, 1 unread/i }))
  await user.click(await screen.findByRole('button', { name: /^notifications, 1 unread/i }))
  await until(() => assert.ok(invalidated().includes(notifications.path)))
  // At the same time. Later the page, which has no live stream here, would poll.
  assert.ok(invalidated().includes(myNotifications.path))
  await until(() => expectGone(main().queryByText('New:')))
})

test('submissions for a task are one row that opens', async () => {
  serveRows(Array.from({ length: 24 }, (_, index) => aListed({ message: `Worker ${index} submitted work.` })))
  await open()
  await main().findByRole('link', { name: /^24 new: 24 submissions for "Check prices"/ })
  const opener = button(/^Show each: 24 submissions/)
  assert.equal(opener.getAttribute('aria-expanded'), 'false')
  expectGone(main().queryByText('Worker 7 submitted work.'))
  await user.click(opener)
  assert.equal(opener.getAttribute('aria-expanded'), 'true')
  assert.equal(main().getAllByRole('link', { name: /submitted work/ }).length, 24)
})

test('a group opens its page, and all of it is read', async () => {
  const rows = Array.from({ length: 120 }, () => aListed({ actionRoute: '/dashboard/purchase-coin' }))
  serveRows(rows)
  await open()
  await user.click(await main().findByRole('link', { name: /^120 new: 120 submissions/ }))
  await screen.findByRole('heading', { level: 1, name: 'Purchase Coin' })
  await until(() =>
    assert.deepEqual(
      server.received(setNotificationsRead).map(({ body }) => body.ids.length),
      [100, 20],
    ),
  )
})

test('a group whose notifications have pages of their own opens to list them', async () => {
  serveRows(
    ['one', 'two'].map((id) =>
      aListed({ kind: 'appeal_opened', message: `Appeal ${id}`, actionRoute: `/dashboard/case/${id}` }),
    ),
  )
  await open()
  const group = await main().findByRole('button', { name: /^2 new: 2 appeals/, expanded: false })
  await user.click(group)
  const link = await main().findByRole('link', { name: /Appeal two/ })
  assert.equal(link.getAttribute('href'), '/dashboard/case/two')
})

test('one of a group, then all of it, is marked as read, and the group stays', async () => {
  const [one, two] = [aListed({ message: 'One' }), aListed({ message: 'Two' })]
  serveRows([one, two])
  await open()
  await user.click(await main().findByRole('button', { name: /^Show each: 2 submissions/ }))
  await user.click(button('Mark as read: Two'))
  await main().findByRole('link', { name: /^1 new: 2 submissions/ })
  await user.click(button(/^Mark as read: 2 submissions/))
  await main().findByRole('link', { name: /^2 submissions/ })
  await user.click(button('Mark as unread: One'))
  await main().findByRole('link', { name: /^1 new: 2 submissions/ })
  assert.deepEqual(
    server.received(setNotificationsRead).map(({ body }) => body),
    [
      { ids: [two._id], read: true },
      { ids: [one._id], read: true },
      { ids: [one._id], read: false },
    ],
  )
})

test('a mark that fails is taken back with the reason', async () => {
  serveRows([aListed({ message: 'One' })])
  server.refuse(setNotificationsRead, 'too_many_requests', 'Too many requests.')
  await open()
  await user.click(await main().findByRole('button', { name: 'Mark as read: One' }))
  await screen.findByText('Too many requests.')
  await main().findByRole('button', { name: 'Mark as read: One' })
})

test('a notification that is opened is read', async () => {
  serveRows([aListed({ message: 'One', actionRoute: '/dashboard/purchase-coin' })])
  await open()
  await user.click(await main().findByRole('link', { name: /One/ }))
  await screen.findByRole('heading', { level: 1, name: 'Purchase Coin' })
  await until(() => assert.equal(server.received(setNotificationsRead).length, 1))
})

test('all are marked as read up to the newest that is shown', async () => {
  const [older, newer] = [aListed(), aListed({ title: 'Another' })]
  serveRows([older, newer])
  await open()
  await user.click(await main().findByRole('button', { name: 'Mark all as read' }))
  await screen.findByText('2 notifications marked as read')
  assert.deepEqual(server.received(readNotifications)[0]?.body, { upTo: newer._id })
  assert.equal(main().getAllByRole('button', { name: /^Mark as unread/ }).length, 2)
})

test('on the list of a category all of that category are marked as read, and no others', async () => {
  serveRows([
    aListed({ message: 'Account frozen', kind: 'account_frozen', title: null }),
    aListed({ message: 'Work arrived' }),
  ])
  const router = await open(`${PATH}?show=work`)
  await user.click(await main().findByRole('button', { name: 'Mark all as read' }))
  await main().findByRole('button', { name: 'Mark as unread: Work arrived' })
  await router.navigate(PATH)
  await main().findByRole('button', { name: 'Mark as read: Account frozen' })
  main().getByRole('button', { name: 'Mark as unread: Work arrived' })
})

test('a new one is offered and moves nothing until it is asked for', async () => {
  const shown = aListed({ message: 'Shown' })
  const { add } = serveRows([shown])
  await open()
  await main().findByText('Shown')
  await until(() => assert.equal(server.connections.length, 1))
  const arrived = aListed({ message: 'Arrived', kind: 'coins_bought', title: null })
  add(arrived)
  server.send('connected', { resumed: true })
  server.send('update', { about: [], coin: 500, notices: [aNotification({ _id: arrived._id })] })
  const offer = await main().findByRole('button', { name: 'Show 1 new notification' })
  expectGone(main().queryByText('Arrived'))
  await user.click(offer)
  await main().findByText('Arrived')
  expectGone(main().queryByRole('button', { name: /^Show 1 new/ }))
  // On the list: not at the top of the screen.
  await until(() => assert.equal(document.activeElement?.querySelector('h1, h2')?.tagName, 'H2'))
})

test('an unread one that was read stays on the list of unread ones until the page is left', async () => {
  serveRows([aListed({ message: 'One' }), aListed({ message: 'Two', title: 'Another' })])
  const router = await open(`${PATH}?show=unread`)
  await user.click(await main().findByRole('button', { name: 'Mark as read: One' }))
  await main().findByRole('button', { name: 'Mark as unread: One' })
  await router.navigate('/dashboard/purchase-coin')
  await screen.findByRole('heading', { level: 1, name: 'Purchase Coin' })
  await router.navigate(`${PATH}?show=unread`)
  await main().findByText('Two')
  await until(() => expectGone(main().queryByText('One')))
})

test('what is read elsewhere is read on the list of unread ones, also when nothing is left on it', async () => {
  const [older, newer] = [aListed({ message: 'One' }), aListed({ message: 'Two', title: 'Another' })]
  server.serve(notifications, [newer, older])
  serveRows([older, newer])
  await open(`${PATH}?show=unread`)
  await until(() => assert.equal(main().getAllByText('New:').length, 2))
  await user.click(await screen.findByRole('button', { name: /^notifications, 2 unread/i }))
  await user.click(await screen.findByRole('button', { name: /^notifications, 2 unread/i }))
  await main().findByRole('button', { name: 'Mark as unread: One' })
  main().getByRole('button', { name: 'Mark as unread: Two' })
})

test('one that is marked as unread is unread also when the list had dropped it', async (context) => {
  const { add } = serveRows([aListed({ message: 'One' })])
  await open(`${PATH}?show=unread`)
  await user.click(await main().findByRole('button', { name: 'Mark as read: One' }))
  await main().findByRole('button', { name: 'Mark as unread: One' })
  add(aListed({ message: 'Two', title: 'Another' }))
  await queryClient.invalidateQueries()
  await main().findByRole('button', { name: 'Show 1 new notification' })
  const { mock } = context.mock.method(queryClient, 'invalidateQueries')
  const typesOf = ({ path }: { path: string }) =>
    mock.calls.flatMap(({ arguments: [filters] }) =>
      filters?.queryKey?.[0] === path ? [filters.refetchType] : [],
    )
  await user.click(main().getByRole('button', { name: 'Mark as unread: One' }))
  await until(() => assert.equal(typesOf(notifications).length, 1))
  // At the same time. Later the page, which has no live stream here, would poll.
  assert.deepEqual(typesOf(myNotifications), ['active'])
  await main().findByRole('button', { name: 'Mark as read: One' })
})

test('the list is filtered by category', async () => {
  serveRows([
    aListed({ message: 'Work arrived' }),
    aListed({ message: 'You bought 100 coins', kind: 'coins_bought', title: null }),
  ])
  await open()
  await main().findByText('You bought 100 coins')
  await user.click(screen.getByRole('link', { name: 'Work' }))
  await main().findByText('Work arrived')
  await until(() => expectGone(main().queryByText('You bought 100 coins')))
  assert.deepEqual(server.received(myNotifications).at(-1)?.query.category, 'work')
})
