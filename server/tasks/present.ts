import type { ListedTask, Task, TaskDetails } from '#contract/tasks.ts'
import type { TaskDetailsRow, TaskRow } from './queries.ts'

type Defaults = { reviewDays: number }

/** Returns a task. `reviewDays` is the review period of tasks without one of their own. */
export function presentTask(row: TaskRow, { reviewDays }: Defaults): Task {
  return {
    _id: row.id,
    task_title: row.title,
    task_detail: row.detail,
    required_workers: row.slots,
    payable_amount: row.reward,
    completion_date: row.completion_date,
    submission_info: row.submission_info,
    task_image_url: row.image_url,
    buyer: row.buyer_email,
    buyer_name: row.buyer_name,
    worker: row.slots_left,
    amount: row.reward,
    total: row.slots * row.reward,
    // Every slot is approved, or the task is closed and settled (docs/specification/coins.md).
    isCompleted: row.escrowed === 0,
    isClosed: row.closed,
    review_hours: row.review_hours ?? reviewDays * 24,
    reservation_minutes: row.reservation_minutes,
    createdAt: row.created_at,
  }
}

/** Adds the buyer's name in the second spelling that the wire has in lists. */
export function presentListedTask(row: TaskRow, defaults: Defaults): ListedTask {
  return { ...presentTask(row, defaults), Buyer_name: row.buyer_name }
}

/** Returns a task with the viewer's own submission. */
export function presentTaskDetails(row: TaskDetailsRow, defaults: Defaults): TaskDetails {
  return {
    ...presentListedTask(row, defaults),
    taskVersion: row.version,
    submission: presentOwnSubmission(row),
  }
}

function presentOwnSubmission(row: TaskDetailsRow): TaskDetails['submission'] {
  const { submission_id, submission_status, submission_text, submission_created_at, submission_review_by } =
    row
  if (submission_id === null || submission_status === null || submission_created_at === null) return null
  return {
    _id: submission_id,
    taskVersion: row.submission_task_version ?? row.version,
    status: submission_status,
    submissoin_data: submission_text ?? '',
    createdAt: submission_created_at,
    reviewBy: submission_status === 'pending' ? submission_review_by : null,
  }
}
