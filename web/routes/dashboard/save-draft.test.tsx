import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen } from '@testing-library/react'
import { changeTaskDraft, createTaskDraft, type TaskDraft, taskDraft } from '#contract/task-drafts.ts'
import { button, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { Refused } from '#web/testing/fake-server.ts'
import { aDraft, COMPLETE, openDraft } from '#web/testing/task-drafts.ts'

const input = (name: RegExp) => field(name) as HTMLInputElement

test('a saved change names the version that it was typed on, also after another visit', async () => {
  const draft = aDraft()
  const router = await openDraft(draft)
  server.serve(changeTaskDraft, { ...draft, version: 2 })
  const titles = ['Typed', 'Typed again']
  for (const title of titles) {
    await fill(field(/^task title/i), title)
    await user.click(button('Save draft'))
    await until(() => assert.equal((button('Save draft') as HTMLButtonElement).disabled, false))
  }
  await fill(field(/^task title/i), 'Typed later')
  await router.navigate('/dashboard/task-drafts')
  // Another device saves it meanwhile.
  server.serve(taskDraft, { ...draft, version: 3 })
  server.refuse(changeTaskDraft, 'state_conflict', 'This draft has changed in the meantime.')
  await user.click(await screen.findByRole('link', { name: 'Label ten photos' }))
  await screen.findByText(/changes from this browser that are not saved to the draft/)
  await user.click(button('Save draft'))
  await screen.findByText('This draft has changed in the meantime.')
  await user.click(button('Discard them'))
  await until(() => assert.equal(input(/^task title/i).value, 'Label ten photos'))
  server.serve(changeTaskDraft, { ...draft, version: 4 })
  await user.click(button('Save draft'))
  await until(() => assert.equal(server.received(changeTaskDraft).length, 4))
  assert.deepEqual(
    server.received(changeTaskDraft).map(({ body }) => body.version),
    [1, 2, 2, 3],
  )
})

/** Types and saves a change whose response is lost. The server has made it all the same. */
async function loseChange() {
  server.serve(changeTaskDraft, () => {
    throw new TypeError('fetch failed')
  })
  await fill(field(/^task title/i), 'Typed')
  await user.click(button('Save draft'))
  await screen.findByText(/^No connection/)
}

/** Saves the next change, and expects the lost one before it. */
async function expectSentAgain(draft: TaskDraft) {
  server.serve(changeTaskDraft, ({ body }) => ({ ...draft, version: body.version + 1 }))
  await fill(field(/^task title/i), 'Typed again')
  await user.click(button('Save draft'))
  await screen.findByText('Draft saved.')
  assert.deepEqual(
    server.received(changeTaskDraft).map(({ body }) => [body.task_title, body.version]),
    [
      ['Typed', 1],
      ['Typed', 1],
      ['Typed again', 2],
    ],
  )
}

test('a change whose response was lost is sent again first, so that the next one is no conflict with it', async () => {
  const draft = aDraft()
  await openDraft(draft)
  await loseChange()
  await expectSentAgain(draft)
})

/** Opens the draft's form after a reload. */
async function reopen(draft: TaskDraft) {
  server.serve(taskDraft, draft)
  await openApp(`/dashboard/add-task?draft=${draft._id}`)
  await screen.findByText(/changes from this browser that are not saved to the draft/)
}

test('a change whose response was lost is sent again first also after a reload, when the next one was lost too', async () => {
  const draft = aDraft()
  await openDraft(draft)
  server.serve(changeTaskDraft, ({ body }) => {
    if (server.received(changeTaskDraft).length !== 2) throw new TypeError('fetch failed')
    return { ...draft, version: body.version + 1 }
  })
  await fill(field(/^task title/i), 'Typed')
  await user.click(button('Save draft'))
  await screen.findByText(/^No connection/)
  await reopen({ ...draft, version: 2, task_title: 'Typed' })
  await fill(field(/^task title/i), 'Typed again')
  await user.click(button('Save draft'))
  await screen.findByText(/^No connection/)
  server.serve(changeTaskDraft, ({ body }) => ({ ...draft, version: body.version + 1 }))
  await reopen({ ...draft, version: 3, task_title: 'Typed again' })
  await fill(field(/^task title/i), 'Typed a third time')
  await user.click(button('Save draft'))
  await screen.findByText('Draft saved.')
  assert.deepEqual(
    server.received(changeTaskDraft).map(({ body }) => [body.task_title, body.version]),
    [
      ['Typed', 1],
      ['Typed', 1],
      ['Typed again', 2],
      ['Typed again', 2],
      ['Typed a third time', 3],
    ],
  )
})

test('a change that is refused when it is sent again does not stop the next one', async () => {
  const draft = aDraft({ ...COMPLETE, postAt: '2026-12-01T09:30:00.000Z' })
  await openDraft(draft)
  server.serve(changeTaskDraft, ({ body }) => {
    if (server.received(changeTaskDraft).length === 1) throw new TypeError('fetch failed')
    if (body.task_detail === undefined)
      throw new Refused('invalid_fields', 'Fill in every required field before the task is scheduled.')
    return { ...draft, version: body.version + 1 }
  })
  await fill(field(/^task details/i), '')
  await user.click(button('Save draft'))
  await screen.findByText(/^No connection/)
  await fill(field(/^task details/i), 'Look twice.')
  await user.click(button('Save draft'))
  await screen.findByText('Draft saved.')
  assert.deepEqual(
    server.received(changeTaskDraft).map(({ body }) => [body.task_detail, body.version]),
    [
      [undefined, 1],
      [undefined, 1],
      ['Look twice.', 1],
    ],
  )
})

test('a template that cannot be added leaves a change without a response to be sent again', async () => {
  const draft = aDraft()
  await openDraft(draft)
  await loseChange()
  server.refuse(createTaskDraft, 'state_conflict', 'You have 100 drafts and templates. Delete one first.')
  await user.click(button('Save as template'))
  await screen.findByText('You have 100 drafts and templates. Delete one first.')
  await expectSentAgain(draft)
})

for (const template of [false, true]) {
  const kind = template ? 'template' : 'draft'
  test(`a ${kind} that another device changed is saved as a new one, in which the form continues`, async () => {
    const [opened, added] = [aDraft({ template }), aDraft({ template, task_title: 'Typed here' })]
    const router = await openDraft(opened)
    server.refuse(changeTaskDraft, 'state_conflict', 'This draft has changed in the meantime.')
    server.serve(createTaskDraft, added)
    await fill(field(/^task title/i), 'Typed here')
    await user.click(button(`Save ${kind}`))
    await screen.findByText('This draft has changed in the meantime.')
    server.serve(taskDraft, ({ params }) => (params.id === added._id ? added : opened))
    await user.click(button(`Save as a new ${kind}`))
    await screen.findByText(`From your ${kind} “Typed here”`)
    assert.equal(router.state.location.search, `?draft=${added._id}`)
    const { task_title, template: isTemplate } = server.received(createTaskDraft)[0]?.body ?? {}
    assert.deepEqual([task_title, isTemplate], ['Typed here', template])
    button(`Save ${kind}`)
  })
}
