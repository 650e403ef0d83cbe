import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import { deleteUser, deletionPreview, updateRole } from '#contract/manage-users.ts'
import { userTable, userTableFile } from '#contract/user-table.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  openApp,
  server,
  until,
  user,
} from '#web/testing/app.tsx'
import { aUser, aUserTableRow } from '#web/testing/records.ts'

const modified = (modifiedCount: number) => ({ acknowledged: true, matchedCount: 1, modifiedCount })
const preview = {
  tasksClosed: 2,
  reservationsCancelled: 0,
  submissionsPaid: 1,
  coinsPaid: 25,
  slotsReleased: 0,
  withdrawalsCancelled: 0,
  coinsSwept: 40,
}

async function openUsers() {
  const admin = aUser('Admin', { name: 'Root' })
  const rafi = aUserTableRow({ name: 'Rafi', role: 'Worker', riskScore: 70 })
  const { _id, name, role } = admin
  server.serveList(userTable, [aUserTableRow({ _id, name, role }), rafi])
  await openApp('/dashboard/manage-users', { as: admin })
  await screen.findByText('Rafi')
  return rafi
}

test('a role changes after it is confirmed', async () => {
  const rafi = await openUsers()
  server.serve(updateRole, modified(1))
  await user.selectOptions(field('Role of Rafi'), 'Buyer')
  await dialog('Make Rafi a Buyer?')
  assert.equal(server.received(updateRole).length, 0)
  await user.click(button('Change role'))
  await screen.findByText('Role Updated')
  const sent = server.received(updateRole)[0]
  assert.deepEqual([sent?.params.id, sent?.body.value], [rafi._id, 'Buyer'])
})

test('a role that is not confirmed stays as it was', async () => {
  await openUsers()
  server.serve(updateRole, modified(1))
  await user.selectOptions(field('Role of Rafi'), 'Admin')
  await dialog('Make Rafi an Admin?')
  await user.click(button('Cancel'))
  await until(() => expectGone(screen.queryByRole('dialog')))
  assert.equal(server.received(updateRole).length, 0)
  assert.equal((field('Role of Rafi') as HTMLSelectElement).value, 'Worker')
})

test('a role that did not change is shown as a failure', async () => {
  await openUsers()
  server.serve(updateRole, modified(0))
  await user.selectOptions(field('Role of Rafi'), 'Buyer')
  await dialog()
  await user.click(button('Change role'))
  await screen.findByText('Failed to update role')
})

test('the last Admin cannot be changed, and the reason is shown', async () => {
  await openUsers()
  server.refuse(updateRole, 'last_admin', 'There must be an Admin.')
  await user.selectOptions(field('Role of Rafi'), 'Buyer')
  await dialog()
  await user.click(button('Change role'))
  await screen.findByText('There must be an Admin.')
})

test('admins can neither change their own role nor delete themselves', async () => {
  await openUsers()
  expectGone(screen.queryByLabelText('Role of Root'))
  expectGone(screen.queryByRole('button', { name: 'Delete Root' }))
})

test('a deletion lists its consequences, without those that do not apply', async () => {
  await openUsers()
  server.serve(deletionPreview, preview)
  await user.click(button('Delete Rafi'))
  const text = (await dialog('Are you sure?')).textContent ?? ''
  assert.match(text, /2 tasks/)
  assert.match(text, /25 coins/)
  assert.match(text, /40 coins/)
  assert.doesNotMatch(text, /pending withdrawal/)
})

test('a confirmed deletion deletes the user', async () => {
  const rafi = await openUsers()
  server.serve(deletionPreview, preview)
  server.serve(deleteUser, { acknowledged: true, deletedCount: 1 })
  await user.click(button('Delete Rafi'))
  await dialog('Are you sure?')
  await user.click(button('Yes, delete it!'))
  await dialog('Deleted!')
  assert.equal(server.received(deleteUser)[0]?.params.id, rafi._id)
})

test('a user who was deleted meanwhile is shown as such', async () => {
  await openUsers()
  server.refuse(deletionPreview, 'user_not_found', 'There is no such user.')
  await user.click(button('Delete Rafi'))
  await screen.findByText('User not found or already deleted.')
})

test('users are searched by words and by role, as the address says', async () => {
  server.serveList(userTable, [])
  await openApp('/dashboard/manage-users?q=rafi&role=Worker', { as: aUser('Admin') })
  await screen.findByText('No users found.')
  const { q, role } = server.received(userTable)[0]?.query ?? {}
  assert.deepEqual({ q, role }, { q: 'rafi', role: 'Worker' })
})

test('a heading sorts by its column, and turns the order round', async () => {
  await openUsers()
  await user.click(button('Balance'))
  await until(() => assert.deepEqual(lastOrder(), ['balance', 'desc']))
  await user.click(button('Balance'))
  await until(() => assert.deepEqual(lastOrder(), ['balance', 'asc']))
  assert.equal(screen.getByRole('columnheader', { name: 'Balance' }).getAttribute('aria-sort'), 'ascending')
  await user.click(button('Name'))
  await until(() => assert.deepEqual(lastOrder(), ['name', 'asc']))
})

test('the arrow keys move between users', async () => {
  await openUsers()
  screen.getByRole('link', { name: 'Root' }).focus()
  await user.keyboard('{ArrowDown}')
  expectFocus(screen.getByRole('link', { name: 'Rafi' }))
  await user.keyboard('{Home}')
  expectFocus(screen.getByRole('link', { name: 'Root' }))
})

test('hidden columns stay hidden, in this browser', async () => {
  await openUsers()
  screen.getByRole('columnheader', { name: 'Flags' })
  screen.getByText('Risk 70')
  await user.click(button('Columns'))
  await user.click(await screen.findByRole('checkbox', { name: 'Flags' }))
  await until(() => expectGone(screen.queryByRole('columnheader', { name: 'Flags' })))
  assert.equal(localStorage.getItem('columns-of-users'), '["User ID","Flags"]')
})

test('the file has the filter of the screen', async () => {
  server.serveList(userTable, [])
  server.serve(userTableFile, 'Name')
  await openApp('/dashboard/manage-users?q=rafi&flag=frozen', { as: aUser('Admin') })
  await screen.findByText('No users found.')
  await user.click(button('Download CSV'))
  await until(() => assert.equal(server.received(userTableFile).length, 1))
  assert.deepEqual(server.received(userTableFile)[0]?.query, { q: 'rafi', flag: 'frozen' })
})

function lastOrder() {
  const { sort, order } = server.received(userTable).at(-1)?.query ?? {}
  return [sort, order]
}
