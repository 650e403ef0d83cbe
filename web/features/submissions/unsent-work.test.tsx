import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { cleanup, screen, within } from '@testing-library/react'
import { signOut } from '#contract/auth.ts'
import { site } from '#contract/site.ts'
import { submitWork } from '#contract/submissions.ts'
import { type TaskDetails, taskDetails } from '#contract/tasks.ts'
import { resetToken } from '#web/lib/id-token.ts'
import { queryClient } from '#web/lib/queries.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  fill,
  openApp,
  server,
  setOnline,
  until,
  user,
} from '#web/testing/app.tsx'
import { Refused, SITE } from '#web/testing/fake-server.ts'
import { anId, aTask, aUser } from '#web/testing/records.ts'
import { resumeWork } from './send-work.ts'
import { putUnsent, type UnsentText, type UnsentWork } from './unsent-work.ts'

const TEXT = 'The bazaar opens at nine'

describe('work that is submitted without a network', () => {
  let task: TaskDetails
  const worker = aUser('Worker')

  beforeEach(() => {
    task = {
      ...aTask({ worker: 4 }),
      taskVersion: 1,
      restorable_slots: 0,
      audience: null,
      ineligibility: null,
      rejection: null,
      submission: null,
      reservation: null,
    }
    server.serve(taskDetails, () => task)
    server.serve(submitWork, { acknowledged: true, insertedId: anId() })
  })

  async function open(as = worker) {
    await openApp(`/dashboard/task-details/${task._id}`, { as })
    await screen.findByRole('heading', { level: 1, name: task.task_title })
  }

  /** Opens the app again, as after a reload or a crash: only what the browser stores is left. */
  async function reopen(as = worker) {
    cleanup()
    queryClient.clear()
    resetToken()
    await open(as)
  }

  async function submitOffline() {
    await open()
    await fill(field(/^your work/i), TEXT)
    setOnline(false)
    await user.click(button(/submit work/i))
    await screen.findByRole('region', { name: 'Unsent work' })
    assert.equal(server.received(submitWork).length, 0)
  }

  const keys = () => server.received(submitWork).map(({ headers }) => headers.get('idempotency-key'))
  const stored = () => Object.keys(localStorage).filter((key) => key.startsWith('unsent '))

  test('waits with its text, and is sent once when the network is back', async () => {
    server.serve(site, { ...SITE, name: 'Our Market' })
    await submitOffline()
    screen.getByText('It is sent when you are online and Our Market is open.')
    const panel = screen.getByRole('region', { name: 'Submission' })
    within(panel).getByText('Waiting to be sent')
    within(panel).getByText(TEXT)
    setOnline(true)
    await screen.findByText('Work sent')
    assert.deepEqual(
      server.received(submitWork).map(({ body }) => body.submissoin_data),
      [TEXT],
    )
    assert.deepEqual(stored(), [])
    await until(() => expectGone(screen.queryByRole('region', { name: 'Unsent work' })))
  })

  test('waits also when the session has to be read again before it can be sent', async () => {
    await open()
    await fill(field(/^your work/i), TEXT)
    setOnline(false)
    resetToken()
    await user.click(button(/submit work/i))
    await screen.findByRole('region', { name: 'Unsent work' })
    setOnline(true)
    await screen.findByText('Work sent')
    assert.equal(server.received(submitWork).length, 1)
  })

  test('is sent when the app is opened, under the key of the first attempt', async () => {
    await submitOffline()
    const [key = ''] = stored()
    const { idempotencyKey } = JSON.parse(localStorage.getItem(key) ?? '') as UnsentWork
    cleanup()
    setOnline(true)
    await reopen()
    await until(() => assert.deepEqual(keys(), [idempotencyKey]))
    await until(() => assert.deepEqual(stored(), []))
  })

  test('is not sent twice by two attempts at the same time', async () => {
    await submitOffline()
    const [key = ''] = stored()
    const work = JSON.parse(localStorage.getItem(key) ?? '') as UnsentWork
    cleanup()
    setOnline(true)
    const held = server.hold(submitWork)
    const attempts = [resumeWork([work]), resumeWork([work]), resumeWork([work])]
    held.release()
    await Promise.all(attempts)
    assert.equal(new Set(keys()).size, 1)
    assert.equal(keys().length, 1)
  })

  test('that the server refuses says why and keeps the text', async () => {
    await submitOffline()
    server.refuse(submitWork, 'task_filled', 'All slots of this task are taken.')
    setOnline(true)
    const notice = await screen.findByRole('region', { name: 'Unsent work' })
    await within(notice).findByText('All slots of this task are taken. Your text has been kept.')
    assert.equal((field(/^your work/i) as HTMLTextAreaElement).value, TEXT)
    await reopen()
    assert.equal((field(/^your work/i) as HTMLTextAreaElement).value, TEXT)
    await user.click(button('Dismiss'))
    expectGone(screen.queryByRole('region', { name: 'Unsent work' }))
    expectFocus(screen.getByRole('main'))
    assert.equal(server.received(submitWork).length, 1)
  })

  test('on a task that has changed meanwhile names the text it was written for, and is kept', async () => {
    await submitOffline()
    task = { ...task, taskVersion: 2, task_detail: 'Also write the hours of Friday.' }
    server.refuse(submitWork, 'task_changed', 'The text of this task has changed.')
    setOnline(true)
    const notice = await screen.findByRole('region', { name: 'Unsent work' })
    await within(notice).findByText('The text of this task has changed. Your text has been kept.')
    await screen.findByText('Also write the hours of Friday.')
    assert.equal((field(/^your work/i) as HTMLTextAreaElement).value, TEXT)
    assert.deepEqual(
      server.received(submitWork).map(({ body }) => body.taskVersion),
      [1],
    )
  })

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
    task = { ...task, _id: anId() }
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
    localStorage.setItem(`unsent ${worker.email} ${task._id}`, JSON.stringify({ ...work, body, taskVersion }))
    cleanup()
    setOnline(true)
    await reopen({ ...worker, email: 'new@example.com' })
    await screen.findByText('Work sent')
    assert.deepEqual(stored(), [])
    assert.equal(userId, worker._id)
    assert.deepEqual(server.received(submitWork)[0]?.body, { ...work.body, worker_email: 'new@example.com' })
  })

  test('that the server has processed with another body is not refused, and its task is read again', async () => {
    await submitOffline()
    const reads = server.received(taskDetails).length
    server.refuse(submitWork, 'idempotency_key_reused')
    setOnline(true)
    await until(() => assert.deepEqual(stored(), []))
    await until(() => assert.ok(server.received(taskDetails).length > reads))
    await until(() => expectGone(screen.queryByRole('region', { name: 'Unsent work' })))
    assert.equal((field(/^your work/i) as HTMLTextAreaElement).value, TEXT)
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

  test('takes the focus from its form, and none when it is sent', async () => {
    await submitOffline()
    const status = within(screen.getByRole('region', { name: 'Submission' })).getByText('Waiting to be sent')
    await until(() => expectFocus(status))
    const [key = ''] = stored()
    const work = JSON.parse(localStorage.getItem(key) ?? '') as UnsentWork
    putUnsent({ ...work, taskId: anId(), title: 'Another task', idempotencyKey: 'another' })
    await screen.findByText('Another task')
    expectFocus(status)
    cleanup()
    queryClient.clear()
    resetToken()
    const held = server.hold(submitWork)
    setOnline(true)
    await openApp('/dashboard', { as: worker })
    await until(() => assert.equal(server.received(submitWork).length, 1))
    const before = document.activeElement as Element
    server.serve(submitWork, () => new Promise(() => {}))
    held.release()
    await screen.findByText('Work sent')
    await until(() => assert.equal(screen.getAllByText('Waiting to be sent').length, 1))
    expectFocus(before)
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

  const drafts = () =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith('draft '))
      .map((key) => localStorage.getItem(key))

  for (const [outcome, end] of [
    ['gets no response', () => Promise.reject(new TypeError('fetch failed'))],
    ['is refused', () => Promise.reject(new Refused('task_filled', 'All slots are taken.'))],
    ['is accepted', () => Promise.resolve({ acknowledged: true, insertedId: anId() })],
  ] as const) {
    test(`and is edited while it is being sent leaves the correction, when it ${outcome}`, async () => {
      await submitOffline()
      const [key = ''] = stored()
      const work = JSON.parse(localStorage.getItem(key) ?? '') as UnsentWork
      server.serve(submitWork, end)
      const held = server.hold(submitWork)
      setOnline(true)
      const resent = resumeWork([work])
      await until(() => assert.equal(server.received(submitWork).length, 1))
      await user.click(button('Edit'))
      await fill(field(/^your work/i), 'A correction')
      held.release()
      await resent
      assert.deepEqual(stored(), [])
      assert.deepEqual(drafts(), ['{"submissoin_data":"A correction"}'])
    })
  }

  test('cannot be changed during the first attempt', async () => {
    await open()
    await fill(field(/^your work/i), TEXT)
    const held = server.hold(submitWork)
    await user.click(button(/submit work/i))
    await until(() => assert.equal(server.received(submitWork).length, 1))
    await user.type(field(/^your work/i), ' and closes at six')
    assert.equal((field(/^your work/i) as HTMLTextAreaElement).value, TEXT)
    held.release()
    await dialog('Success')
    assert.deepEqual(drafts(), [])
  })

  test('can be edited while it waits', async () => {
    await submitOffline()
    await user.click(button('Edit'))
    assert.equal((field(/^your work/i) as HTMLTextAreaElement).value, TEXT)
    assert.deepEqual(stored(), [])
  })
})
