import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, screen, within } from '@testing-library/react'
import { site } from '#contract/site.ts'
import { submitWork } from '#contract/submissions.ts'
import { taskDetails } from '#contract/tasks.ts'
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
import { anId } from '#web/testing/records.ts'
import { TEXT, unsentWork } from '#web/testing/unsent-work.ts'
import { resumeWork } from './send-work.ts'
import { putUnsent, type UnsentText, type UnsentWork } from './unsent-work.ts'

describe('work that is submitted without a network', () => {
  const unsent = unsentWork()
  const { worker, open, reopen, submitOffline, stored } = unsent

  const keys = () => server.received(submitWork).map(({ headers }) => headers.get('idempotency-key'))

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
    within(notice).getByText(TEXT)
    const toast = within(
      (await screen.findByText('Not sent', { ignore: 'section *' })).parentElement as HTMLElement,
    )
    toast.getByText(unsent.task.task_title)
    toast.getByText('All slots of this task are taken.')
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
    unsent.changeTask({ taskVersion: 2, task_detail: 'Also write the hours of Friday.' })
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

  test('takes the focus from its form, and none when it is sent', async () => {
    await submitOffline()
    const status = within(screen.getByRole('region', { name: 'Submission' })).getByText('Waiting to be sent')
    await until(() => expectFocus(status))
    const [key = ''] = stored()
    const work = JSON.parse(localStorage.getItem(key) ?? '') as UnsentText
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

  test('waits when its page was closed during the first attempt, so that its form does not send it under another key', async () => {
    await submitOffline()
    const [key = ''] = stored()
    const work = JSON.parse(localStorage.getItem(key) ?? '') as UnsentWork
    cleanup()
    localStorage.setItem(
      key,
      JSON.stringify({ ...work, idempotencyKey: 'of-a-closed-page', isWaiting: false }),
    )
    const held = server.hold(submitWork)
    setOnline(true)
    await reopen()
    await until(() => assert.equal(server.received(submitWork).length, 1))
    const panel = within(screen.getByRole('region', { name: 'Submission' }))
    panel.getByText('Waiting to be sent')
    panel.getByText(TEXT)
    expectGone(screen.queryByRole('button', { name: /submit work/i }))
    held.release()
    await screen.findByText('Work sent')
    assert.deepEqual(keys(), ['of-a-closed-page'])
    assert.deepEqual(drafts(), [])
  })

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
