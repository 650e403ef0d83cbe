import type { Role } from '#contract/endpoint.ts'
import type { SubmissionStatus } from '#contract/submissions.ts'
import { PIPELINED, query, queryOne } from '#server/database/database.ts'
import { afterCursor, beforeCursor } from '#server/database/keyset.ts'
import { type ColumnType, queryPackedRows } from '#server/database/row-packing.ts'

export type SubmissionRow = {
  id: string
  task_id: string
  task_version: number
  task_title: string
  image_url: string
  slots_left: number
  reward: number
  worker_name: string
  worker_email: string
  buyer_name: string
  buyer_email: string
  text: string
  status: SubmissionStatus
  reason: string
  created_at: string
  decided_at: string | null
  review_by: string
}

const COLUMNS = `submissions.id, submissions.task_id, submissions.task_version, tasks.title as task_title, tasks.image_url, tasks.slots_left,
  submissions.reward, workers.name as worker_name, workers.email as worker_email,
  buyers.name as buyer_name, buyers.email as buyer_email, submissions.text, submissions.status, submissions.reason,
  submissions.created_at, submissions.decided_at, submissions.review_by`
const JOINS = `join tasks on tasks.id = submissions.task_id join users as workers on workers.id = submissions.worker_id
  join users as buyers on buyers.id = submissions.buyer_id`

const KINDS = {
  id: 'id',
  task_id: 'id',
  task_version: 'number',
  task_title: 'text',
  image_url: 'text',
  slots_left: 'number',
  reward: 'number',
  worker_name: 'text',
  worker_email: 'text',
  buyer_name: 'text',
  buyer_email: 'text',
  text: 'text',
  status: 'text',
  reason: 'text',
  created_at: 'time',
  decided_at: 'time',
  review_by: 'time',
} satisfies Record<keyof SubmissionRow, ColumnType>

type ListValues = [user: string, status: SubmissionStatus, after: string | null, limit: number]

/** Returns pending submissions to a buyer's tasks, oldest first. */
export const pendingOfBuyer = queryPackedRows<SubmissionRow, ListValues>(
  'submissions_pending_of_buyer',
  `select ${COLUMNS} from submissions ${JOINS}
    where submissions.buyer_id = $1 and submissions.status = $2 and submissions.id > ${afterCursor('$3', 'uuid')}
    order by submissions.id limit $4`,
  KINDS,
  PIPELINED,
)

/** Returns decided submissions to a buyer's tasks, newest first. */
export const decidedOfBuyer = queryPackedRows<SubmissionRow, ListValues>(
  'submissions_decided_of_buyer',
  `select ${COLUMNS} from submissions ${JOINS}
    where submissions.buyer_id = $1 and submissions.status = $2 and submissions.id < ${beforeCursor('$3', 'uuid')}
    order by submissions.id desc limit $4`,
  KINDS,
  PIPELINED,
)

/** Returns a worker's submissions with one status, newest first. */
export const ofWorkerByStatus = queryPackedRows<SubmissionRow, ListValues>(
  'submissions_of_worker_by_status',
  `select ${COLUMNS} from submissions ${JOINS}
    where submissions.worker_id = $1 and submissions.status = $2 and submissions.id < ${beforeCursor('$3', 'uuid')}
    order by submissions.id desc limit $4`,
  KINDS,
  PIPELINED,
)

/** Returns a worker's pending and approved submissions, newest first. `skip` serves the wire's page numbers. */
export const liveOfWorker = queryPackedRows<
  SubmissionRow,
  [worker: string, after: string | null, skip: number, limit: number]
>(
  'submissions_live_of_worker',
  `select ${COLUMNS} from submissions ${JOINS}
    where submissions.id in (
      select id from submissions where worker_id = $1 and status <> 'rejected' and id < ${beforeCursor('$2', 'uuid')}
       order by id desc offset $3 limit $4)
    order by submissions.id desc`,
  KINDS,
  PIPELINED,
)

/** Returns a worker's submissions with one status, newest first. `skip` serves the wire's page numbers. */
export const statusOfWorker = queryPackedRows<
  SubmissionRow,
  [worker: string, status: SubmissionStatus, after: string | null, skip: number, limit: number]
>(
  'submissions_status_of_worker',
  `select ${COLUMNS} from submissions ${JOINS}
    where submissions.id in (
      select id from submissions where worker_id = $1 and status = $2 and id < ${beforeCursor('$3', 'uuid')}
       order by id desc offset $4 limit $5)
    order by submissions.id desc`,
  KINDS,
  PIPELINED,
)

export const countOfWorker = queryOne<
  { live: number; pending: number; approved: number; rejected: number },
  [worker: string]
>(
  'submissions_count_of_worker',
  `select count(*) filter (where status <> 'rejected') as live, count(*) filter (where status = 'pending') as pending,
          count(*) filter (where status = 'approved') as approved, count(*) filter (where status = 'rejected') as rejected
     from submissions where worker_id = $1`,
  PIPELINED,
)

export const userByEmailKey = query<{ id: string; role: Role }, [emailKey: string]>(
  'submissions_user',
  'select id, role from users where email_key = $1',
  PIPELINED,
)
