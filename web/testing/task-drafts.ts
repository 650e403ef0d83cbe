import { screen } from '@testing-library/react'
import { type TaskDraft, taskDraft, taskDrafts } from '#contract/task-drafts.ts'
import { myTask } from '#contract/tasks.ts'
import { openApp, server } from '#web/testing/app.tsx'
import { anId, aUser } from '#web/testing/records.ts'

export function aDraft(change: Partial<TaskDraft> = {}): TaskDraft {
  return {
    _id: anId(),
    name: '',
    template: false,
    version: 1,
    createdAt: '2026-01-10T09:00:00.000Z',
    changedAt: '2026-01-10T09:00:00.000Z',
    postAt: null,
    failure: null,
    task_title: 'Label ten photos',
    ...change,
  }
}

/** The fields that a draft needs to be posted. */
export const COMPLETE = {
  task_detail: 'Look at each photo.',
  submission_info: 'Ten lines',
  required_workers: 4,
  payable_amount: 25,
  completion_date: '2026-12-18',
}

/** Opens the form of a Buyer's draft or template. */
export async function openDraft(draft: TaskDraft) {
  server.serve(taskDraft, draft)
  server.serve(taskDrafts, [draft])
  server.serveList(myTask, [])
  const buyer = aUser('Buyer')
  const router = await openApp(`/dashboard/add-task?draft=${draft._id}`, { as: buyer })
  await screen.findByLabelText(/^task title/i)
  return router
}
