import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fireEvent, screen, within } from '@testing-library/react'
import type { Role } from '#contract/endpoint.ts'
import { listFreezes } from '#contract/freezes.ts'
import { myNotifications } from '#contract/notifications.ts'
import { managedTasks } from '#contract/tasks.ts'
import { userOverview } from '#contract/user-overview.ts'
import { userTable } from '#contract/user-table.ts'
import { allUsers } from '#contract/users.ts'
import { dialog, expectGone, openApp, server, until, user } from '#web/testing/app.tsx'
import { aPublicUser, aTask, aUser } from '#web/testing/records.ts'
import { IconSearch } from '#web/ui/icons.ts'
import { findCommands } from './commands.ts'

const START = '/dashboard/notifications'

async function openDashboard(role: Role) {
  server.serve(myNotifications, [])
  const router = await openApp(START, { as: aUser(role) })
  await screen.findByRole('heading', { level: 1, name: 'Notifications' })
  return router
}
async function openPalette(role: Role) {
  const router = await openDashboard(role)
  await user.keyboard('{Control>}k{/Control}')
  await dialog('Find a screen or an action')
  return { router, field: await screen.findByRole('combobox', { name: 'Find a screen or an action' }) }
}
const options = () => screen.queryAllByRole('option').map((option) => option.textContent)

test('Ctrl K finds a screen, and Enter opens it', async () => {
  const { router, field } = await openPalette('Worker')
  await user.type(field, 'state')
  assert.deepEqual(options(), ['Coin Statement'])
  await user.keyboard('{Escape}')
  await until(() => expectGone(screen.queryByRole('dialog')))
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox'), 'withdraw')
  assert.deepEqual(options(), ['Withdraw', 'Withdraw Form'])
  await user.keyboard('{Enter}')
  await until(() => assert.equal(router.state.location.pathname, '/dashboard/withDrawal-form'))
})

test('no key acts behind the open list of notifications', async () => {
  const router = await openDashboard('Worker')
  await user.click(screen.getByRole('button', { name: /^notifications/i }))
  await screen.findByText('No notifications', { selector: 'dialog *' })
  await user.keyboard('{Control>}k{/Control}?gt')
  await user.keyboard('{Escape}')
  await until(() => expectGone(screen.queryByRole('dialog')))
  assert.equal(router.state.location.pathname, START)
  await user.keyboard('gt')
  await until(() => assert.equal(router.state.location.pathname, '/dashboard/available-task'))
})

test('arrows move the active option, which the field names for screen readers', async () => {
  const { field } = await openPalette('Buyer')
  const active = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')
  assert.equal(active()?.textContent, 'Post a task')
  await user.keyboard('{ArrowDown}')
  assert.equal(active()?.textContent, 'Approve submissions')
  assert.equal(active()?.getAttribute('aria-selected'), 'true')
  await user.keyboard('{ArrowUp}{ArrowUp}')
  assert.equal(active()?.textContent, 'Notifications')
  assert.equal(screen.getAllByRole('option', { selected: true }).length, 1)
})

test('a role finds only its own screens', async () => {
  const { field } = await openPalette('Worker')
  await user.type(field, 'manage')
  assert.deepEqual(options(), [])
  screen.getByText('Nothing found')
})

test('a label is found by each sequence of code points that a Bangla letter has', () => {
  const labels = ['কা\u099c বা\u09dcান', 'কা\u099c বা\u09a1\u09bcান']
  const commands = labels.map((label) => ({ label, to: START, icon: IconSearch }))
  for (const query of ['বা\u09dc', 'বা\u09a1\u09bc'])
    assert.deepEqual(findCommands(commands, query), commands, query)
})

test('an Admin finds users and tasks', async () => {
  const [listed, task] = [aPublicUser({ name: 'Kamrunnahar' }), aTask({ task_title: 'Karim’s prices' })]
  server.serve(allUsers, [listed])
  server.serve(managedTasks, [{ ...task, unlisted: 'link' }])
  server.refuse(userOverview, 'unavailable')
  server.serveList(listFreezes, [])
  const { router, field } = await openPalette('Admin')
  await user.type(field, 'ka')
  within(await screen.findByRole('group', { name: 'Tasks' })).getByText('Karim’s prices')
  await user.click(await screen.findByText('Kamrunnahar'))
  await until(() => assert.equal(router.state.location.pathname, `/dashboard/manage-users/${listed._id}`))
})

test('Enter opens nothing that an earlier query has found', async () => {
  const listed = aPublicUser({ name: 'Kamrunnahar' })
  server.serve(allUsers, ({ query }) => (query.q === 'ka' ? [listed] : []))
  server.serve(managedTasks, [])
  const { router, field } = await openPalette('Admin')
  await user.type(field, 'ka')
  await screen.findByText('Kamrunnahar')
  await user.type(field, 'z{Enter}')
  await screen.findByText('Nothing found')
  assert.equal(router.state.location.pathname, START)
})

test('G and a key open a screen, and ? the help with all of them', async () => {
  const router = await openDashboard('Buyer')
  await user.keyboard('?')
  const help = within(await dialog('Keyboard shortcuts'))
  help.getByText('Purchase Coin')
  await user.keyboard('gp')
  assert.equal(router.state.location.pathname, START)
  await user.click(help.getByRole('button', { name: 'Close' }))
  await until(() => expectGone(screen.queryByRole('dialog')))
  await user.keyboard('gp')
  await until(() => assert.equal(router.state.location.pathname, '/dashboard/purchase-coin'))
})

test('the keys of a Bangla keyboard open the screen and the palette too', async () => {
  const router = await openDashboard('Buyer')
  fireEvent.keyDown(document.body, { key: 'গ', code: 'KeyG' })
  fireEvent.keyDown(document.body, { key: 'প', code: 'KeyP' })
  await until(() => assert.equal(router.state.location.pathname, '/dashboard/purchase-coin'))
  fireEvent.keyDown(document.body, { key: 'ক', code: 'KeyK', ctrlKey: true })
  await screen.findByRole('combobox')
})

test('the key of / on a Bangla keyboard moves the focus to the search, and opens the help with Shift', async () => {
  server.serve(userTable, [])
  await openApp('/dashboard/manage-users', { as: aUser('Admin') })
  const search = await within(screen.getByRole('main')).findByRole('searchbox')
  fireEvent.keyDown(document.body, { key: 'য়', code: 'Slash' })
  assert.equal(document.activeElement === search, true)
  search.blur()
  fireEvent.keyDown(document.body, { key: 'য', code: 'Slash', shiftKey: true })
  await dialog('Keyboard shortcuts')
})

test('a key long after G does not open a screen', async (context) => {
  const router = await openDashboard('Buyer')
  await user.keyboard('g')
  const later = performance.now() + 1_100
  context.mock.method(performance, 'now', () => later)
  await user.keyboard('p')
  context.mock.restoreAll()
  assert.equal(router.state.location.pathname, START)
})

test('single keys do nothing while the user types, and after they were switched off', async () => {
  const { router, field } = await openPalette('Buyer')
  await user.type(field, 'gp?')
  assert.equal((field as HTMLInputElement).value, 'gp?')
  await user.keyboard('{Escape}')
  await until(() => expectGone(screen.queryByRole('dialog')))
  await user.keyboard('?')
  const help = within(await dialog('Keyboard shortcuts'))
  await user.click(help.getByRole('switch', { name: 'Use keyboard shortcuts' }))
  await user.click(help.getByRole('button', { name: 'Close' }))
  await until(() => expectGone(screen.queryByRole('dialog')))
  await user.keyboard('gp?')
  expectGone(screen.queryByRole('dialog'))
  assert.equal(router.state.location.pathname, START)
})

test('/ moves the focus to the search of the screen', async () => {
  server.serve(userTable, [])
  await openApp('/dashboard/manage-users', { as: aUser('Admin') })
  const search = await within(screen.getByRole('main')).findByRole('searchbox')
  await user.keyboard('/')
  await until(() => assert.equal(document.activeElement === search, true))
  assert.equal((search as HTMLInputElement).value, '')
})
