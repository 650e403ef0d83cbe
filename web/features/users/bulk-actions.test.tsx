import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { freezeUser } from '#contract/freezes.ts'
import { deleteUser, deletionPreview, setReviewer, updateRole } from '#contract/manage-users.ts'
import { userTable } from '#contract/user-table.ts'
import { button, dialog, expectGone, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { aUser, aUserTableRow } from '#web/testing/records.ts'

const modified = (modifiedCount: number) => ({ acknowledged: true, matchedCount: 1, modifiedCount })
const preview = {
  tasksClosed: 1,
  reservationsCancelled: 0,
  submissionsPaid: 0,
  coinsPaid: 0,
  slotsReleased: 0,
  withdrawalsCancelled: 0,
  coinsSwept: 20,
}

async function openUsers() {
  const admin = aUser('Admin', { name: 'Root' })
  const rafi = aUserTableRow({ name: 'Rafi', coins: 40 })
  const asha = aUserTableRow({ name: 'Asha', coins: 1200 })
  server.serveList(userTable, [aUserTableRow({ _id: admin._id, name: 'Root', role: 'Admin' }), rafi, asha])
  await openApp('/dashboard/manage-users', { as: admin })
  await screen.findByText('Rafi')
  return { rafi, asha }
}

const isChecked = (name: string) => (field(name) as HTMLInputElement).checked

test("all users but the Admin's own account are selected at once, with their coins", async () => {
  await openUsers()
  expectGone(screen.queryByRole('checkbox', { name: 'Select Root' }))
  expectGone(screen.queryByRole('button', { name: 'Freeze' }))
  await user.click(field('Select all 2'))
  await screen.findByText('2 selected · 1,240 coins')
  await user.click(field('Select Rafi'))
  await screen.findByText('1 selected · 1,200 coins')
})

test('a selected user whom a search hides is not selected again when it is cleared', async () => {
  const { rafi, asha } = await openUsers()
  await user.click(field('Select all 2'))
  server.serveList(userTable, [rafi])
  await fill(screen.getByRole('searchbox'), 'Rafi')
  await until(() => expectGone(screen.queryByText('Asha')))
  await screen.findByText('1 selected · 40 coins')
  server.serveList(userTable, [rafi, asha])
  await user.clear(screen.getByRole('searchbox'))
  await screen.findByText('Asha')
  assert.deepEqual([isChecked('Select Rafi'), isChecked('Select Asha')], [true, false])
})

test('selected users are frozen one by one, with one reason', async () => {
  const { rafi, asha } = await openUsers()
  server.serve(freezeUser, { acknowledged: true, freezeId: rafi._id, modifiedCount: 1 })
  await user.click(field('Select all 2'))
  await user.click(button('Freeze'))
  const form = await dialog('Freeze 2 users?')
  await fill(within(form).getByLabelText(/^reason/i), 'We check a shared number.')
  await user.click(button('Freeze 2 users'))
  await screen.findByText('2 of 2 users frozen')
  assert.deepEqual(
    server.received(freezeUser).map(({ params, body }) => [params.id, body.reason]),
    [rafi, asha].map(({ _id }) => [_id, 'We check a shared number.']),
  )
  assert.deepEqual([isChecked('Select Rafi'), isChecked('Select Asha')], [false, false])
})

test('users who could not be changed are listed with the reason and stay selected', async () => {
  const { asha } = await openUsers()
  server.serve(updateRole, ({ params }) => modified(params.id === asha._id ? 0 : 1))
  await user.click(field('Select all 2'))
  await user.click(button('Change role'))
  await dialog('Change the role of 2 users')
  await user.click(button('Make them Buyers'))
  const result = await dialog('1 of 2 users made Buyers')
  within(result).getByText('Asha: This user is already a Buyer.')
  assert.deepEqual(
    server.received(updateRole).map(({ body }) => body.value),
    ['Buyer', 'Buyer'],
  )
  await user.keyboard('{Escape}')
  await until(() => assert.deepEqual([isChecked('Select Rafi'), isChecked('Select Asha')], [false, true]))
})

test('the reason of a freeze is there again for the users who were not frozen', async () => {
  const { rafi, asha } = await openUsers()
  server.serve(freezeUser, ({ params }) => {
    if (params.id === asha._id) throw new TypeError('fetch failed')
    return { acknowledged: true, freezeId: rafi._id, modifiedCount: 1 }
  })
  await user.click(field('Select all 2'))
  await user.click(button('Freeze'))
  await dialog('Freeze 2 users?')
  await fill(field(/^reason/i), 'We check a shared number.')
  await user.click(button('Freeze 2 users'))
  within(await dialog('1 of 2 users frozen')).getByText(/^Asha: No connection/)
  await user.keyboard('{Escape}')
  await until(() => expectGone(screen.queryByRole('dialog')))
  await user.click(button('Freeze'))
  await dialog('Freeze 1 user?')
  assert.equal((field(/^reason/i) as HTMLTextAreaElement).value, 'We check a shared number.')
})

test('the reason of a freeze that was not sent is not offered for other users', async () => {
  await openUsers()
  await user.click(field('Select Rafi'))
  await user.click(button('Freeze'))
  await dialog('Freeze 1 user?')
  await fill(field(/^reason/i), 'Rafi shares a number.')
  await user.click(button('Cancel'))
  await until(() => expectGone(screen.queryByRole('dialog')))
  await user.click(field('Select Rafi'))
  await user.click(field('Select Asha'))
  await user.click(button('Freeze'))
  await dialog('Freeze 1 user?')
  assert.equal((field(/^reason/i) as HTMLTextAreaElement).value, '')
})

test('many users become reviewers, and their roles stay', async () => {
  const { rafi, asha } = await openUsers()
  server.serve(setReviewer, ({ params }) => modified(params.id === asha._id ? 0 : 1))
  await user.click(field('Select all 2'))
  await user.click(button('Change role'))
  await dialog('Change the role of 2 users')
  await user.click(button('Make them reviewers'))
  const result = await dialog('1 of 2 users made reviewers')
  within(result).getByText('Asha: This user is already a reviewer.')
  assert.deepEqual(
    server.received(setReviewer).map(({ params, body }) => [params.id, body.value]),
    [rafi, asha].map(({ _id }) => [_id, true]),
  )
  assert.equal(server.received(updateRole).length, 0)
})

test('one of many users is removed as a reviewer', async () => {
  const { asha } = await openUsers()
  server.serve(setReviewer, ({ params }) => modified(params.id === asha._id ? 0 : 1))
  await user.click(field('Select all 2'))
  await user.click(button('Change role'))
  await dialog('Change the role of 2 users')
  await user.click(button('Remove them as reviewers'))
  const result = await dialog('1 of 2 users removed as reviewers')
  within(result).getByText('Asha: This user is not a reviewer.')
})

test('a deletion of many names its consequences in total', async () => {
  await openUsers()
  server.serve(deletionPreview, preview)
  server.serve(deleteUser, { acknowledged: true, deletedCount: 1 })
  await user.click(field('Select all 2'))
  await user.click(button('Delete'))
  const text = (await dialog('Delete 2 users?')).textContent ?? ''
  assert.match(text, /2 tasks will be closed/)
  assert.match(text, /remaining 40 coins/)
  assert.equal(server.received(deleteUser).length, 0)
  await user.click(button('Delete 2 users'))
  await screen.findByText('2 of 2 users deleted')
  assert.equal(server.received(deleteUser).length, 2)
})

test('nobody is changed when the reason is not given', async () => {
  await openUsers()
  await user.click(field('Select all 2'))
  await user.click(button('Freeze'))
  await dialog('Freeze 2 users?')
  await user.click(button('Cancel'))
  await until(() => expectGone(screen.queryByRole('dialog')))
  assert.equal(server.received(freezeUser).length, 0)
  assert.equal(isChecked('Select Rafi'), true)
})
