import type { TaskAudience } from '#contract/audience.ts'
import type { BuyerRecord } from '#contract/records.ts'
import type { StoredRefusal } from '#contract/refusals.en.ts'
import type { SubmissionState } from '#contract/submission-states.ts'
import type { TaskCategory } from '#contract/task-categories.ts'
import type { TaskDetails } from '#contract/tasks.ts'
import { PIPELINED, query } from '#server/database/database.ts'
import type { ColumnType } from '#server/database/row-packing.ts'

export type TaskRow = {
  id: string
  title: string
  detail: string
  slots: number
  slots_left: number
  reward: number
  completion_date: string
  submission_info: string
  image_url: string
  buyer_email: string
  buyer_name: string
  buyer_id: string
  escrowed: number
  closed: boolean
  review_hours: number | null
  reservation_minutes: number
  category: TaskCategory
  is_batch: boolean
  buyer_record: BuyerRecord | null
  work_seconds: number | null
  hourly_pay: number
  created_at: string
}

export const COLUMNS = `tasks.id, tasks.title, tasks.detail, tasks.slots, tasks.slots_left, tasks.reward, tasks.completion_date,
  tasks.submission_info, tasks.image_url, users.email as buyer_email, users.name as buyer_name, tasks.buyer_id,
  accounts.balance as escrowed, tasks.closed_at is not null as closed, tasks.review_hours, tasks.reservation_minutes, tasks.category,
  tasks.batch_id is not null as is_batch,
  (select record from buyer_records where buyer_records.buyer_id = tasks.buyer_id) as buyer_record,
  (select median_seconds from task_records where task_records.task_id = tasks.id) as work_seconds, tasks.hourly_pay,
  tasks.created_at`
export const KINDS = {
  id: 'id',
  title: 'text',
  detail: 'text',
  slots: 'number',
  slots_left: 'number',
  reward: 'number',
  completion_date: 'day',
  submission_info: 'text',
  image_url: 'text',
  buyer_email: 'text',
  buyer_name: 'text',
  buyer_id: 'id',
  escrowed: 'number',
  closed: 'flag',
  review_hours: 'number',
  reservation_minutes: 'number',
  category: 'text',
  is_batch: 'flag',
  buyer_record: 'json',
  work_seconds: 'number',
  hourly_pay: 'number',
  created_at: 'time',
} satisfies Record<keyof TaskRow, ColumnType>
export const JOINS = `join users on users.id = tasks.buyer_id join ledger_accounts as accounts on accounts.id = tasks.escrow_id`

export type TaskDetailsRow = TaskRow & {
  version: number
  restorable_slots: number
  submission_id: string | null
  submission_task_version: number | null
  submission_state: SubmissionState | null
  submission_text: string | null
  submission_created_at: string | null
  submission_due_at: string | null
  rejection: TaskDetails['rejection']
  reservation_id: string | null
  reservation_version: number | null
  reservation_expires_at: string | null
  reserved_title: string | null
  reserved_detail: string | null
  reserved_submission_info: string | null
  audience: TaskAudience | null
  refusal: StoredRefusal | null
}

/**
 * Returns a task with the viewer's own submission that was never rejected and their live reservation, at most one of each;
 * `rejection` is their latest work whose rejection is not final. A deleted task is returned only to a worker with a reservation or
 * pending work, also of items; a private one to its buyer, to Admins, and to workers who find it (`finds_private_task`).
 * `reserved_` texts are those of the reservation's version, if the task was edited since. `refusal` is why the viewer, a worker,
 * may not take a slot.
 */
export const taskById = query<TaskDetailsRow, [id: string, viewer: string]>(
  'task_by_id',
  `select ${COLUMNS}, tasks.version,
          case when tasks.closed_at is not null and tasks.buyer_id = $2
               then tasks.slots - held_slots(tasks.id) else 0 end as restorable_slots,
          own.id as submission_id, own.task_version as submission_task_version, own.status as submission_state,
          own.text as submission_text, own.created_at as submission_created_at, own.due_at as submission_due_at,
          reserved.id as reservation_id, reserved.task_version as reservation_version,
          reserved.expires_at as reservation_expires_at, reserved_text.title as reserved_title,
          reserved_text.detail as reserved_detail, reserved_text.submission_info as reserved_submission_info,
          case when tasks.has_requirements or tasks.listed_from > '-infinity' then task_audience(tasks) end as audience,
          (select jsonb_build_object('_id', id, 'state', status, 'dueAt', due_at) from submissions
            where task_id = tasks.id and worker_id = $2 and status in ('rejection_open', 'appealed', 'in_review')
            order by id desc limit 1) as rejection,
          case when viewer.role = 'Worker' then coalesce(requirement_refusal(tasks, $2), hold_refusal(tasks)) end as refusal
     from tasks ${JOINS} left join users as viewer on viewer.id = $2
     left join submissions as own on own.task_id = tasks.id and own.worker_id = $2 and own.item_number is null
          and own.rejected_at is null and own.status <> 'rejected'
     left join reservations as reserved on reserved.task_id = tasks.id and reserved.worker_id = $2
          and reserved.item_number is null and reserved.ended_at is null and reserved.expires_at > clock_time()
     left join task_versions as reserved_text
       on reserved_text.task_id = tasks.id and reserved_text.version = reserved.task_version
    where tasks.id = $1
      and (tasks.deleted_at is null or own.status <> 'approved' or reserved.id is not null
           or exists (select from reservations where task_id = tasks.id and worker_id = $2 and item_number is not null
                         and ended_at is null and expires_at > clock_time())
           or exists (select from submissions where task_id = tasks.id and worker_id = $2 and item_number is not null
                         and rejected_at is null and status not in ('approved', 'rejected')))
      and (tasks.listed_from < 'infinity' or tasks.buyer_id = $2 or viewer.role = 'Admin' or finds_private_task(tasks.id, $2))`,
  PIPELINED,
)

export type TaskTextRow = {
  worker_id: string
  buyer_id: string
  task_version: number
  current: boolean
  title: string
  detail: string
  /** The row of the file that the work is about; null for a plain task. */
  input: Record<string, string> | null
  submission_info: string
}

/** Returns the version of the task's texts that a submission was made for, and whose submission it is. */
export const taskTextOfSubmission = query<TaskTextRow, [submission: string]>(
  'task_text_of_submission',
  `select submissions.worker_id, submissions.buyer_id, submissions.task_version,
          submissions.task_version = tasks.version as current, coalesce(earlier.title, tasks.title) as title,
          coalesce(earlier.detail, tasks.detail) as detail,
          (select ordered_fields(input, (select columns from batches where id = batch_id)) from batch_items
            where batch_items.batch_id = tasks.batch_id and number = submissions.item_number limit 1) as input,
          coalesce(earlier.submission_info, tasks.submission_info) as submission_info
     from submissions join tasks on tasks.id = submissions.task_id
     left join task_versions as earlier
       on earlier.task_id = submissions.task_id and earlier.version = submissions.task_version
    where submissions.id = $1`,
  PIPELINED,
)
