import type { FastifyRequest } from 'fastify'
import type { TestBatch } from '#contract/audience.ts'
import type { Locale } from '#contract/locales.ts'
import type { ListedReservation, Reservation } from '#contract/reservations.ts'
import type { ListedTask, Task, TaskDetails, TaskProgress } from '#contract/tasks.ts'
import type { RouteContext } from '#server/context.ts'
import { canSeeEmails } from '#server/users/email-visibility.ts'
import { maskEmail } from '#server/users/mask-email.ts'
import { presentIneligibility } from './access.ts'
import type { ProgressRow } from './my-tasks.ts'
import type { TaskDetailsRow, TaskRow } from './queries.ts'
import type { ListedReservationRow, ReservationRow } from './reserve.ts'

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
    buyerId: row.buyer_id,
    worker: row.slots_left,
    amount: row.reward,
    total: row.slots * row.reward,
    // Every slot is approved, or the task is closed and settled (docs/specification/coins.md).
    isCompleted: row.escrowed === 0,
    isClosed: row.closed,
    review_hours: row.review_hours ?? reviewDays * 24,
    reservation_minutes: row.reservation_minutes,
    category: row.category,
    isBatch: row.is_batch,
    buyerRecord: row.buyer_record,
    workSeconds: row.work_seconds,
    createdAt: row.created_at,
  }
}

/** Returns the tasks of a public list, with masked emails of their buyers for a caller who cannot see emails. */
export async function presentTaskList(
  rows: readonly TaskRow[],
  context: RouteContext,
  request: FastifyRequest,
): Promise<ListedTask[]> {
  const tasks = rows.map((row) => presentListedTask(row, context.config))
  if (await canSeeEmails(context, request)) return tasks
  return tasks.map((task) => ({ ...task, buyer: maskEmail(task.buyer) }))
}

/** Adds the buyer's name in the second spelling that the wire has in lists. */
function presentListedTask(row: TaskRow, defaults: Defaults): ListedTask {
  return { ...presentTask(row, defaults), Buyer_name: row.buyer_name }
}

/**
 * Returns a task with the viewer's own submission and reservation. Its texts are those that the slot was reserved for. `tests` are the
 * batches in which the viewer can earn the qualifications that they lack.
 */
export function presentTaskDetails(
  row: TaskDetailsRow,
  defaults: Defaults,
  locale: Locale,
  tests?: TestBatch[],
): TaskDetails {
  return {
    ...presentListedTask(row, defaults),
    task_title: row.reserved_title ?? row.title,
    task_detail: row.reserved_detail ?? row.detail,
    submission_info: row.reserved_submission_info ?? row.submission_info,
    taskVersion: row.reservation_version ?? row.version,
    restorable_slots: row.restorable_slots,
    submission: presentOwnSubmission(row),
    rejection: row.rejection && { ...row.rejection, dueAt: new Date(row.rejection.dueAt).toISOString() },
    reservation: presentOwnReservation(row),
    audience: row.audience,
    ineligibility: row.refusal && { ...presentIneligibility(row.refusal, locale), ...(tests && { tests }) },
  }
}

function presentOwnSubmission(row: TaskDetailsRow): TaskDetails['submission'] {
  const { submission_id, submission_state, submission_text, submission_created_at, submission_due_at } = row
  if (submission_id === null || submission_state === null || submission_created_at === null) return null
  const isDecided = submission_state === 'approved'
  return {
    _id: submission_id,
    taskVersion: row.submission_task_version ?? row.version,
    status: isDecided ? 'approved' : 'pending',
    state: submission_state,
    submissoin_data: submission_text ?? '',
    createdAt: submission_created_at,
    dueAt: isDecided ? null : submission_due_at,
    reviewBy: submission_state === 'pending' ? submission_due_at : null,
  }
}

function presentOwnReservation(row: TaskDetailsRow): TaskDetails['reservation'] {
  const { id, reservation_id, reservation_version, reservation_expires_at } = row
  if (reservation_id === null || reservation_version === null || reservation_expires_at === null) return null
  return {
    _id: reservation_id,
    taskId: id,
    taskVersion: reservation_version,
    expiresAt: reservation_expires_at,
  }
}

export function presentProgress(row: ProgressRow): TaskProgress {
  return {
    taskId: row.task_id,
    reserved: row.reserved,
    pending: row.pending,
    reviewBy: row.review_by,
    unsettled: row.unsettled,
    approved: row.approved,
    rejected: row.rejected,
    escrow: row.escrowed,
    held: row.held,
  }
}

export function presentReservation(row: ReservationRow): Reservation {
  return {
    _id: row.id,
    taskId: row.task_id,
    taskVersion: row.task_version,
    expiresAt: row.expires_at,
  }
}

export function presentListedReservation(row: ListedReservationRow): ListedReservation {
  return {
    ...presentReservation(row),
    item: row.item_number,
    task_title: row.title,
    payable_amount: row.reward,
    task_image_url: row.image_url,
  }
}
