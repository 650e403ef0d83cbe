import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import {
  changeTaskDraft,
  createTaskDraft,
  deleteTaskDraft,
  renameTaskDraft,
  scheduleTaskDraft,
  taskDraft,
  taskDrafts,
} from '#contract/task-drafts.ts'
import { addTask } from '#contract/tasks.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  fill,
  openApp,
  server,
  until,
  user,
} from '#web/testing/app.tsx'
import { anId, aUser } from '#web/testing/records.ts'
import { aDraft, COMPLETE, openDraft } from '#web/testing/task-drafts.ts'

const input = (name: RegExp) => field(name) as HTMLInputElement

test('a half-filled form is saved to the account with what is filled in, and opened as that draft', async () => {
  const saved = aDraft({ task_title: 'Half a task', required_workers: 3 })
  server.serve(createTaskDraft, saved)
  server.serve(taskDraft, saved)
  server.serve(taskDrafts, [saved])
  const router = await openApp('/dashboard/add-task', { as: aUser('Buyer') })
  await fill(await screen.findByLabelText(/^task title/i), 'Half a task')
  await fill(field(/^required workers/i), '3')
  await user.click(button('Save draft'))
  await screen.findByText('Draft saved.')
  assert.deepEqual(server.received(createTaskDraft)[0]?.body, {
    task_title: 'Half a task',
    required_workers: 3,
    reservation_minutes: 60,
    template: false,
  })
  await until(() => assert.equal(router.state.location.search, `?draft=${saved._id}`))
  await screen.findByText('From your draft “Half a task”')
  await router.navigate('/dashboard/add-task')
  await screen.findByText('Describe the work, the number of workers and the pay')
  assert.equal(input(/^task title/i).value, '', 'The text is on the account and no longer in the empty form')
})

test('a draft that is saved after its form was left is not opened', async () => {
  server.serve(createTaskDraft, aDraft())
  server.serve(taskDrafts, [])
  const router = await openApp('/dashboard/add-task', { as: aUser('Buyer') })
  const held = server.hold(createTaskDraft)
  await fill(await screen.findByLabelText(/^task title/i), 'Half a task')
  await user.click(button('Save draft'))
  await until(() => assert.equal(server.received(createTaskDraft).length, 1))
  await router.navigate('/dashboard/task-drafts')
  await screen.findByRole('heading', { level: 1, name: 'Drafts and Templates' })
  held.release()
  await screen.findByText('Draft saved.')
  assert.equal(router.state.location.pathname, '/dashboard/task-drafts')
})

test('what is typed while a draft is saved is kept, and is not saved to the draft yet', async () => {
  const saved = aDraft({ task_title: 'Half a task' })
  server.serve(createTaskDraft, saved)
  server.serve(taskDraft, saved)
  server.serve(taskDrafts, [saved])
  const router = await openApp('/dashboard/add-task', { as: aUser('Buyer') })
  const held = server.hold(createTaskDraft)
  await user.type(await screen.findByLabelText(/^task title/i), 'Half a task')
  await user.click(button('Save draft'))
  await user.type(field(/^task title/i), ' and more')
  held.release()
  await screen.findByText('The form has changes from this browser that are not saved to the draft.')
  assert.equal(router.state.location.search, `?draft=${saved._id}`)
  assert.equal(input(/^task title/i).value, 'Half a task and more')

  server.serve(changeTaskDraft, saved)
  const change = server.hold(changeTaskDraft)
  await user.click(button('Save draft'))
  await user.type(field(/^task title/i), ' again')
  change.release()
  await screen.findByText('Draft saved.')
  await router.navigate('/dashboard/task-drafts')
  await user.click(await screen.findByRole('link', { name: 'Half a task' }))
  await screen.findByText('The form has changes from this browser that are not saved to the draft.')
  assert.equal(input(/^task title/i).value, 'Half a task and more again')
})

test('a draft is changed, and posting it names it', async () => {
  const draft = aDraft({ ...COMPLETE, name: 'For December' })
  const router = await openDraft(draft)
  screen.getByText('From your draft “For December”')
  server.serve(changeTaskDraft, draft)
  await fill(field(/^required workers/i), '6')
  await user.click(button('Save draft'))
  await screen.findByText('Draft saved.')
  const { params, body } = server.received(changeTaskDraft)[0] ?? {}
  assert.deepEqual([params?.id, body.required_workers], [draft._id, 6])
  server.serve(addTask, { acknowledged: true, insertedId: anId() })
  await user.click(button('Add Task'))
  await dialog('Task Added')
  assert.equal(server.received(addTask)[0]?.body.draftId, draft._id)
  assert.equal(router.state.location.pathname, '/dashboard/my-task')
})

test('a template stays: posting does not name it, and its date is asked for', async () => {
  const { completion_date: _, ...rest } = COMPLETE
  await openDraft(aDraft({ ...rest, template: true }))
  button('Save template')
  await user.click(button('Add Task'))
  await screen.findByText('Choose a completion date')
  await fill(field(/^completion date/i), 'December 20, 2026')
  await user.tab()
  server.serve(addTask, { acknowledged: true, insertedId: anId() })
  await user.click(button('Add Task'))
  await dialog('Task Added')
  assert.equal(server.received(addTask)[0]?.body.draftId, undefined)
})

test('unsaved changes of this browser are named, and discarded on request', async () => {
  const draft = aDraft()
  const router = await openDraft(draft)
  await fill(field(/^task title/i), 'Typed here')
  await router.navigate('/dashboard/task-drafts')
  await user.click(await screen.findByRole('link', { name: 'Label ten photos' }))
  await screen.findByText(/changes from this browser that are not saved to the draft/)
  assert.equal(input(/^task title/i).value, 'Typed here')
  await user.click(button('Discard them'))
  await until(() => assert.equal(input(/^task title/i).value, 'Label ten photos'))
  expectGone(screen.queryByText(/changes from this browser/))
})

test('a draft that was opened before is not opened as it was then, when it cannot be read again', async () => {
  const draft = aDraft()
  const router = await openDraft(draft)
  await router.navigate('/dashboard/task-drafts')
  server.refuse(taskDraft, 'internal', 'The draft is not available.')
  await user.click(await screen.findByRole('link', { name: 'Label ten photos' }))
  await screen.findByText('The draft is not available.')
  expectGone(screen.queryByLabelText(/^task title/i))
  server.serve(taskDraft, { ...draft, version: 2, task_title: 'Label twenty photos' })
  await user.click(button('Try again'))
  await until(() => assert.equal(input(/^task title/i).value, 'Label twenty photos'))
})

test('a draft that was deleted meanwhile says so and leads to the list', async () => {
  const draft = aDraft()
  server.refuse(taskDraft, 'not_found', 'This draft has already been posted or deleted.')
  await openApp(`/dashboard/add-task?draft=${draft._id}`, { as: aUser('Buyer') })
  await screen.findByText('This draft has already been posted or deleted.')
  screen.getByRole('link', { name: 'Drafts and templates' })
})

test('a value that cannot be saved is named', async () => {
  server.refuse(createTaskDraft, 'invalid_fields', 'Correct the fields.', {
    required_workers: 'Enter a whole number from 1 to 100,000',
  })
  await openApp('/dashboard/add-task', { as: aUser('Buyer') })
  await fill(await screen.findByLabelText(/^task title/i), 'A task')
  await user.click(button('Save as template'))
  await screen.findByText('Enter a whole number from 1 to 100,000')
})

test('drafts and templates are listed, renamed and deleted', async () => {
  const draft = aDraft({ required_workers: 4, payable_amount: 25, completion_date: '2026-12-18' })
  const template = aDraft({ name: 'Weekly survey', template: true })
  server.serve(taskDrafts, [draft, template])
  await openApp('/dashboard/task-drafts', { as: aUser('Buyer') })
  const drafts = within(await screen.findByRole('region', { name: 'Drafts' }))
  drafts.getByText(/4 workers · 25 coins each · due 18 Dec 2026/)
  within(screen.getByRole('region', { name: 'Templates' })).getByRole('link', { name: 'Weekly survey' })

  server.serve(renameTaskDraft, draft)
  await user.click(button('Rename Label ten photos'))
  const asked = within(await dialog('Rename draft'))
  await fill(asked.getByLabelText(/^name/i), 'For December')
  await user.click(asked.getByRole('button', { name: 'Rename' }))
  await until(() => assert.deepEqual(server.received(renameTaskDraft)[0]?.body, { name: 'For December' }))

  server.serve(deleteTaskDraft, undefined)
  server.serve(taskDrafts, [draft])
  await user.click(button('Delete Weekly survey'))
  await user.click(within(await dialog('Delete “Weekly survey”?')).getByRole('button', { name: 'Delete' }))
  await screen.findByText(/No templates\./)
  assert.equal(server.received(deleteTaskDraft)[0]?.params.id, template._id)
  await until(() => expectFocus(screen.getByRole('region', { name: 'Templates' })))
})

test('a draft is scheduled in local time with its cost, and the schedule is cancelled', async () => {
  const draft = aDraft(COMPLETE)
  server.serve(taskDrafts, [draft])
  await openApp('/dashboard/task-drafts', { as: aUser('Buyer', { coin: 500 }) })
  await user.click(await screen.findByRole('button', { name: 'Schedule Label ten photos' }))
  const asked = within(await dialog('Schedule posting'))
  asked.getByText('Your local time (UTC)')
  assert.match(asked.getByLabelText('Cost').textContent ?? '', /100 coins.*400 coins/)
  const time = asked.getByLabelText(/^post at/i)
  await user.click(asked.getByRole('button', { name: 'Schedule' }))
  await asked.findByText('Choose a time')
  await fill(time, '2026-12-01T09:30')
  const postAt = '2026-12-01T09:30:00.000Z'
  server.refuse(scheduleTaskDraft, 'deadline_passed', 'The completion date is before that day.')
  await user.click(asked.getByRole('button', { name: 'Schedule' }))
  await asked.findByText('The completion date is before that day.')
  server.serve(scheduleTaskDraft, { ...draft, postAt })
  server.serve(taskDrafts, [{ ...draft, postAt }])
  await user.click(asked.getByRole('button', { name: 'Schedule' }))
  await screen.findByText(/Will be posted 1 Dec 2026, 09:30/)
  assert.deepEqual(server.received(scheduleTaskDraft).at(-1)?.body, { postAt })

  server.serve(taskDrafts, [draft])
  await user.click(button('Cancel the schedule of Label ten photos'))
  await until(() => expectGone(screen.queryByText(/Will be posted/)))
  expectFocus(screen.getByRole('region', { name: 'Drafts' }))
  assert.deepEqual(server.received(scheduleTaskDraft).at(-1)?.body, { postAt: null })
})

test('a draft that was not posted at its time shows the reason', async () => {
  const failure = { code: 'insufficient_coins', message: 'Not available Coin. Purchase Coin' }
  server.serve(taskDrafts, [aDraft({ ...COMPLETE, failure })])
  await openApp('/dashboard/task-drafts', { as: aUser('Buyer') })
  await screen.findByText('Not posted: Not available Coin. Purchase Coin')
  expectGone(screen.queryByRole('button', { name: /^Cancel the schedule/ }))
})
