import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import { endUserSession, endUserSessions, type Session, userSessions } from '#contract/sessions.ts'
import { userTable } from '#contract/user-table.ts'
import { button, dialog, openApp, server, user } from '#web/testing/app.tsx'
import { anId, aUser, aUserTableRow } from '#web/testing/records.ts'

const aSession = (device: string): Session => ({
  _id: anId(),
  device,
  network: '203.0.113.7',
  createdAt: '2026-01-14T08:00:00.000Z',
  seenAt: '2026-01-15T08:00:00.000Z',
  current: false,
})

/** Opens a user's sessions from the list of users. */
async function openSessions(...devices: string[]) {
  const rafi = aUserTableRow({ name: 'Rafi', role: 'Worker' })
  const sessions = devices.map(aSession)
  server.serveList(userTable, [rafi])
  server.serve(userSessions, () => ({
    user: { _id: rafi._id, name: rafi.name, email: rafi.email },
    sessions,
  }))
  await openApp('/dashboard/manage-users', { as: aUser('Admin') })
  await user.click(await screen.findByRole('link', { name: 'Sessions of Rafi' }))
  await screen.findByRole('heading', { name: 'Sessions of Rafi' })
  return { rafi, sessions }
}

test('an Admin ends one session of a user', async () => {
  const { rafi, sessions } = await openSessions('Firefox on Linux', 'Safari on iPhone')
  server.serve(endUserSession, () => void sessions.shift())
  await user.click(button('Sign out Firefox on Linux'))
  await screen.findByText('Signed out of Firefox on Linux.')
  assert.equal(server.received(endUserSession)[0]?.params.id, rafi._id)
  assert.ok(button('Sign out Safari on iPhone'))
})

test('an Admin ends all sessions of a user, after a confirmation', async () => {
  const { sessions } = await openSessions('Firefox on Linux', 'Safari on iPhone')
  server.serve(endUserSessions, () => ({ ended: sessions.splice(0).length }))
  await user.click(button('Sign out everywhere'))
  const shown = await dialog('Sign Rafi out everywhere?')
  assert.equal(server.received(endUserSessions).length, 0)
  await user.click(shown.querySelector('button:last-of-type') as HTMLElement)
  await screen.findByText('2 sessions ended.')
  await screen.findByText('No active sessions')
})

test('a refusal is shown', async () => {
  await openSessions('Firefox on Linux')
  server.refuse(endUserSession, 'not_found', 'This session has already ended.')
  await user.click(button('Sign out Firefox on Linux'))
  await screen.findByText('This session has already ended.')
})
