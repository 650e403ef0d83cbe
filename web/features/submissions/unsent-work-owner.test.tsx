import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, screen } from '@testing-library/react'
import { signOut } from '#contract/auth.ts'
import { submitWork } from '#contract/submissions.ts'
import { resetToken } from '#web/lib/id-token.ts'
import { queryClient } from '#web/lib/queries.ts'
import {
  button,
  expectGone,
  field,
  fill,
  openApp,
  server,
  setOnline,
  until,
  user,
} from '#web/testing/app.tsx'
import { anId, aUser } from '#web/testing/records.ts'
import { TEXT, unsentWork } from '#web/testing/unsent-work.ts'
import { resumeWork } from './send-work.ts'
import type { UnsentText, UnsentWork } from './unsent-work.ts'

describe('work that is submitted without a network', () => {
  const unsent = unsentWork()
  const { worker, open, reopen, submitOffline, stored } = unsent

  test('is neither shown to another user of the browser nor sent in their name', async () => {
    await submitOffline()
    const [key = ''] = stored()
    const work = JSON.parse(localStorage.getItem(key) ?? '') as UnsentWork
    cleanup()
    setOnline(true)
    await reopen(aUser('Worker', { email: 'other@example.com' }))
    expectGone(screen.queryByText('Waiting to be sent'))
    assert.equal((field(/^your work/i) as HTMLTextAreaElement).value, '')
    await resumeWork([work])
    assert.equal(server.received(submitWork).length, 0)
    assert.deepEqual(stored(), [key])
  })

  test('or only typed is kept when the email of its user changes, and sent with the new one', async () => {
    await submitOffline()
    cleanup()
    setOnline(true)
    const held = server.hold(submitWork)
    await reopen({ ...worker, email: 'new@example.com' })
    await until(() => assert.equal(server.received(submitWork)[0]?.body.worker_email, 'new@example.com'))
    held.release()
    await screen.findByText('Work sent')
    assert.deepEqual(stored(), [])
    unsent.changeTask({ _id: anId() })
    await reopen({ ...worker, email: 'new@example.com' })
    await fill(field(/^your work/i), TEXT)
    await reopen({ ...worker, email: 'newest@example.com' })
    assert.equal((field(/^your work/i) as HTMLTextAreaElement).value, TEXT)
  })

  test('that an earlier version stored under the email is shown, also when the email has changed since', async () => {
    await submitOffline()
    const [key = ''] = stored()
    const { userId, ...work } = JSON.parse(localStorage.getItem(key) ?? '') as UnsentText
    // It stored the version of the task beside the body.
    const { taskVersion, ...body } = work.body
    localStorage.removeItem(key)
    localStorage.setItem(
      `unsent ${worker.email} ${unsent.task._id}`,
      JSON.stringify({ ...work, body, taskVersion }),
    )
    cleanup()
    setOnline(true)
    await reopen({ ...worker, email: 'new@example.com' })
    await screen.findByText('Work sent')
    assert.deepEqual(stored(), [])
    assert.equal(userId, worker._id)
    assert.deepEqual(server.received(submitWork)[0]?.body, { ...work.body, worker_email: 'new@example.com' })
  })

  test('is shown and sent after the role has changed, and what the server says about it', async () => {
    await submitOffline()
    server.refuse(submitWork, 'forbidden', 'Only Workers can do this.')
    cleanup()
    queryClient.clear()
    resetToken()
    setOnline(true)
    await openApp('/dashboard', { as: { ...worker, role: 'Buyer' } })
    await screen.findByText('Only Workers can do this. Your text has been kept.')
    await user.click(button('Dismiss'))
    assert.deepEqual(stored(), [])
  })

  test('that is only typed survives a crash, and the session and the sign-out of another user', async () => {
    server.serve(signOut, () => server.signOut())
    await open()
    await fill(field(/^your work/i), TEXT)
    await reopen()
    assert.equal((field(/^your work/i) as HTMLTextAreaElement).value, TEXT)
    await reopen(aUser('Worker', { email: 'other@example.com' }))
    assert.equal((field(/^your work/i) as HTMLTextAreaElement).value, '')
    await fill(field(/^your work/i), 'What somebody else writes')
    const [logout] = screen.getAllByRole('button', { name: 'Logout' })
    await user.click(logout as HTMLElement)
    // The sign-out ends on the login screen. What is opened before would be signed out too.
    await screen.findByRole('heading', { level: 1, name: 'Login' })
    assert.equal(server.received(signOut).length, 1)
    expectGone(screen.queryByText('other@example.com'))
    await reopen()
    assert.equal((field(/^your work/i) as HTMLTextAreaElement).value, TEXT)
    assert.equal(server.received(submitWork).length, 0)
  })
})
