import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanup, screen, within } from '@testing-library/react'
import {
  changeTaskDraft,
  createTaskDraft,
  type TaskDraft,
  taskDraft,
  taskDrafts,
} from '#contract/task-drafts.ts'
import { addTask } from '#contract/tasks.ts'
import { resetToken } from '#web/lib/id-token.ts'
import { queryClient } from '#web/lib/queries.ts'
import { button, dialog, expectGone, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { Replay } from '#web/testing/fake-server.ts'
import { anId } from '#web/testing/records.ts'
import { fillIn, input, openForm, send } from '#web/testing/task-form.ts'

function serveDraft() {
  const draft: TaskDraft = {
    ...{ _id: anId(), name: '', template: false, version: 1, postAt: null, failure: null },
    ...{ createdAt: '2026-01-10T09:00:00.000Z', changedAt: '2026-01-10T09:00:00.000Z' },
  }
  server.serve(createTaskDraft, draft)
  server.serve(taskDraft, draft)
  server.serve(taskDrafts, [draft])
  return { draft }
}

/** Loses the response to the first attempt, and returns the keys of all. */
function serveSecondAttempt() {
  const keys: (string | null)[] = []
  server.serve(addTask, ({ headers }) => {
    keys.push(headers.get('idempotency-key'))
    if (keys.length === 1) throw new TypeError('fetch failed')
    return { acknowledged: true, insertedId: anId() }
  })
  return keys
}

test('a task sent again after a lost connection keeps its idempotency key', async () => {
  await openForm(500)
  const keys = serveSecondAttempt()
  await fillIn()
  await send()
  await screen.findByText(/no connection/i)
  await send()
  await dialog('Task Added')
  assert.equal(keys[0], keys[1])
})

test('a task whose response was lost is not posted twice after a reload, also when the first attempt took the coins', async () => {
  await openForm(300)
  const keys: (string | null)[] = []
  server.serve(addTask, ({ headers }) => {
    keys.push(headers.get('idempotency-key'))
    if (keys.length > 1) return new Replay({ acknowledged: true, insertedId: anId() })
    server.change({ coin: 50 })
    throw new TypeError('fetch failed')
  })
  await fillIn()
  await send()
  await screen.findByText(/no connection/i)
  cleanup()
  queryClient.clear()
  resetToken()
  const router = await openApp('/dashboard/add-task')
  await until(() => assert.equal(input(/^task title/i).value, 'Transcribe a note'))
  await send()
  await dialog('This was already done')
  assert.equal(router.state.location.pathname, '/dashboard/my-task')
  assert.equal(keys[0], keys[1])
  assert.deepEqual(
    Object.keys(localStorage).filter((key) => key.startsWith('draft ')),
    [],
  )
})

test('a retry is the first request again, also when values from outside the form have changed', async () => {
  await openForm(500)
  serveSecondAttempt()
  await fillIn()
  // The form has the new name when the first attempt has read the balance.
  server.change({ user: 'Another name' })
  await send()
  await screen.findByText(/no connection/i)
  await send()
  await dialog('Task Added')
  const [first, second] = server.received(addTask)
  assert.deepEqual(second?.body, first?.body)
})

/** Opens the form a week later. */
async function reopenLater() {
  cleanup()
  const [stored = ''] = Object.keys(localStorage).filter((key) => key.startsWith('draft attempt '))
  const attempt = JSON.parse(localStorage.getItem(stored) ?? '') as { at: number }
  localStorage.setItem(stored, JSON.stringify({ ...attempt, at: attempt.at - 7 * 86_400_000 }))
  const router = await openApp('/dashboard/add-task')
  await until(() => assert.equal(input(/^task title/i).value, 'Transcribe a note'))
  return router
}

test('a task that may have been posted longer ago than the server knows is posted again only after confirmation', async () => {
  await openForm(500)
  const keys = serveSecondAttempt()
  await fillIn()
  await send()
  await screen.findByText(/no connection/i)
  await reopenLater()
  await send()
  const unknown = await dialog('This may already have been done')
  await user.click(within(unknown).getByRole('button', { name: 'Cancel' }))
  await until(() => expectGone(screen.queryByRole('dialog')))
  assert.equal(keys.length, 1)
  await send()
  await user.click(within(await dialog('This may already have been done')).getByText('Send again'))
  await dialog('Task Added')
  assert.equal(keys.length, 2)
  assert.notEqual(keys[0], keys[1])
})

test('a draft whose posting got no response is not posted twice after a reload', async () => {
  const { draft } = serveDraft()
  const router = await openForm(500)
  await router.navigate(`/dashboard/add-task?draft=${draft._id}`)
  await screen.findByText(/^From your draft/)
  const keys = serveSecondAttempt()
  await fillIn()
  await send()
  await screen.findByText(/no connection/i)
  await openApp(`/dashboard/add-task?draft=${draft._id}`)
  await until(() => assert.equal(input(/^task title/i).value, 'Transcribe a note'))
  await send()
  await dialog('Task Added')
  assert.equal(keys[0], keys[1])
})

test('a changed draft that may have been posted is sent, and is saved as a new one only when that is known', async () => {
  const { draft } = serveDraft()
  const router = await openForm(500)
  await router.navigate(`/dashboard/add-task?draft=${draft._id}`)
  await screen.findByText(/^From your draft/)
  serveSecondAttempt()
  await fillIn()
  await send()
  await screen.findByText(/no connection/i)
  server.refuse(changeTaskDraft, 'not_found', 'This draft has already been posted or deleted.')
  await user.click(button('Save draft'))
  await screen.findByText('This draft has already been posted or deleted.')
  await user.click(button('Save as a new draft'))
  await screen.findByText(/^This task may have been posted already/)
  assert.equal(server.received(createTaskDraft).length, 0)
})

test('a task that may have been posted is not saved as a draft, which would be posted under another key', async () => {
  await openForm(500)
  const keys = serveSecondAttempt()
  await fillIn()
  await send()
  await screen.findByText(/no connection/i)
  await user.click(button('Save draft'))
  await screen.findByText(/Press Add Task again to find out\. You will not pay twice without being asked\./)
  assert.equal(server.received(createTaskDraft).length, 0)
  await send()
  await dialog('Task Added')
  assert.equal(keys[0], keys[1])
})

test('a task that may have been posted longer ago than the server knows is saved as a draft after confirmation', async () => {
  await openForm(500)
  serveSecondAttempt()
  await fillIn()
  await send()
  await screen.findByText(/no connection/i)
  const router = await reopenLater()
  const { draft } = serveDraft()
  for (const choice of ['Cancel', 'Save draft']) {
    assert.equal(server.received(createTaskDraft).length, 0)
    await user.click(button('Save draft'))
    const asked = await dialog('This task may have been posted already')
    await user.click(within(asked).getByRole('button', { name: choice }))
    await until(() => expectGone(screen.queryByRole('dialog')))
  }
  await screen.findByText('Draft saved.')
  assert.equal(router.state.location.search, `?draft=${draft._id}`)
})

/** Opens the form of a task that may have been posted longer ago than the server knows, and confirms that it is saved as a draft. */
async function saveUnknown() {
  await openForm(500)
  serveSecondAttempt()
  await fillIn()
  await send()
  await screen.findByText(/no connection/i)
  const router = await reopenLater()
  await user.click(button('Save draft'))
  const asked = await dialog('This task may have been posted already')
  await user.click(within(asked).getByRole('button', { name: 'Save draft' }))
  await until(() => expectGone(screen.queryByRole('dialog')))
  return router
}

test('a task that may have been posted and was not saved as a draft is posted again only after confirmation', async () => {
  server.refuse(createTaskDraft, 'state_conflict', 'You have 100 drafts and templates. Delete one first.')
  await saveUnknown()
  await screen.findByText('You have 100 drafts and templates. Delete one first.')
  await send()
  await dialog('This may already have been done')
  assert.equal(server.received(addTask).length, 1)
})

test('a task whose second posting was refused while it was saved as a draft is no unknown attempt', async () => {
  serveDraft()
  const held = server.hold(createTaskDraft)
  const router = await saveUnknown()
  server.refuse(addTask, 'state_conflict', 'This task is not allowed.')
  const posting = server.hold(addTask)
  await send()
  await user.click(within(await dialog('This may already have been done')).getByText('Send again'))
  await until(() => assert.equal(server.received(addTask).length, 2))
  held.release()
  await screen.findByText('Draft saved.')
  assert.equal(router.state.location.search, '')
  posting.release()
  await screen.findByText('This task is not allowed.')
  await user.click(button('Save draft'))
  await until(() => assert.equal(server.received(createTaskDraft).length, 2))
})

test('a task that was not posted because of a limit is saved as a draft', async () => {
  const router = await openForm(500)
  server.refuse(addTask, 'too_many_requests', 'Please wait a moment.')
  const { draft } = serveDraft()
  await fillIn()
  await send()
  await screen.findByText('Please wait a moment.')
  await user.click(button('Save draft'))
  await screen.findByText('Draft saved.')
  assert.equal(router.state.location.search, `?draft=${draft._id}`)
})

test('a task that was changed after its response was lost is saved as a draft', async () => {
  const router = await openForm(500)
  serveSecondAttempt()
  const { draft } = serveDraft()
  await fillIn()
  await send()
  await screen.findByText(/no connection/i)
  await fill(field(/^task title/i), 'Transcribe another note')
  await user.click(button('Save draft'))
  await screen.findByText('Draft saved.')
  assert.equal(router.state.location.search, `?draft=${draft._id}`)
})

test('nothing is saved while a task is posted', async () => {
  await openForm(500)
  const held = server.hold(addTask)
  await fillIn()
  await send()
  await until(() => assert.equal(server.received(addTask).length, 1))
  for (const name of ['Save draft', 'Save as template'])
    assert.ok((button(name) as HTMLButtonElement).disabled, name)
  held.release()
  await dialog('Task Added')
})

test('a task that is posted while its draft is saved keeps its form, and so its key', async () => {
  const router = await openForm(500)
  const keys = serveSecondAttempt()
  serveDraft()
  const held = server.hold(createTaskDraft)
  await fillIn()
  await user.click(button('Save draft'))
  await send()
  await screen.findByText(/no connection/i)
  held.release()
  await screen.findByText('Draft saved.')
  assert.equal(router.state.location.search, '')
  await send()
  await dialog('Task Added')
  assert.equal(keys[0], keys[1])
})

test('a draft whose saving ends after its task was posted does not open a form to post it a second time', async () => {
  const router = await openForm(500)
  server.serve(addTask, { acknowledged: true, insertedId: anId() })
  serveDraft()
  const held = server.hold(createTaskDraft)
  await fillIn()
  await user.click(button('Save draft'))
  await send()
  await dialog('Task Added')
  held.release()
  await screen.findByText('Draft saved.')
  assert.equal(router.state.location.pathname, '/dashboard/my-task')
})
