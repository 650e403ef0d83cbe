import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { myTask } from '#contract/tasks.ts'
import { openApp, server, user } from '#web/testing/app.tsx'
import { aTask, aUser } from '#web/testing/records.ts'

test('a buyer without tasks is offered to add one', async () => {
  server.serveList(myTask, [])
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  await screen.findByRole('heading', { name: 'No tasks found' })
  await user.click(screen.getAllByRole('link', { name: 'Add New Task' }).at(-1) as HTMLElement)
  await screen.findByRole('heading', { name: 'Create a New Task' })
})

test('a list that did not load is shown after a retry', async () => {
  server.refuse(myTask, 'internal', 'The list is not available.')
  await openApp('/dashboard/my-task', { as: aUser('Buyer') })
  const alert = await screen.findByRole('alert')
  assert.match(alert.textContent ?? '', /The list is not available/)
  server.serveList(myTask, [aTask({ task_title: 'Transcribe a note' })])
  await user.click(within(alert).getByRole('button'))
  await screen.findByText('Transcribe a note')
})
