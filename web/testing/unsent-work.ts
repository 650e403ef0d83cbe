import assert from 'node:assert/strict'
import { beforeEach } from 'node:test'
import { cleanup, screen } from '@testing-library/react'
import { submitWork } from '#contract/submissions.ts'
import { type TaskDetails, taskDetails } from '#contract/tasks.ts'
import { resetToken } from '#web/lib/id-token.ts'
import { queryClient } from '#web/lib/queries.ts'
import { button, field, fill, openApp, server, setOnline, user } from '#web/testing/app.tsx'
import { anId, aTaskDetails, aUser } from '#web/testing/records.ts'

export const TEXT = 'The bazaar opens at nine'

/** A worker, and a task of each test on which they submit work without a network. Call it inside `describe`. */
export function unsentWork() {
  let task: TaskDetails
  const worker = aUser('Worker')

  beforeEach(() => {
    task = aTaskDetails({ worker: 4 })
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

  const stored = () => Object.keys(localStorage).filter((key) => key.startsWith('unsent '))

  return {
    worker,
    get task() {
      return task
    },
    changeTask(change: Partial<TaskDetails>) {
      task = { ...task, ...change }
    },
    open,
    reopen,
    submitOffline,
    stored,
  }
}
