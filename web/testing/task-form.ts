import { screen } from '@testing-library/react'
import { addTask, myTask } from '#contract/tasks.ts'
import type { User } from '#contract/users.ts'
import { button, field, fill, openApp, server, user } from '#web/testing/app.tsx'
import { anId, aUser } from '#web/testing/records.ts'

export const input = (name: RegExp) => field(name) as HTMLInputElement

/** Opens the form as a buyer with these coins, with a server that accepts the task. */
export async function openForm(coin = 500, change: Partial<User> = {}) {
  server.serve(addTask, { acknowledged: true, insertedId: anId() })
  server.serveList(myTask, [])
  const router = await openApp('/dashboard/add-task', { as: aUser('Buyer', { coin, ...change }) })
  await screen.findByRole('heading', { level: 1, name: 'Create a New Task' })
  return router
}

/** Fills in everything that is required. */
export async function fillIn({ workers = '10', pay = '25' } = {}) {
  await fill(field(/^task title/i), 'Transcribe a note')
  await fill(field(/^task details/i), 'Listen and write down every word.')
  await fill(field(/^required workers/i), workers)
  await fill(field(/^payable amount/i), pay)
  await fill(field(/^completion date/i), 'December 18, 2026')
  await user.tab()
  await fill(field(/^submission info/i), 'A link to the text')
}
export const send = () => user.click(button('Add Task'))
