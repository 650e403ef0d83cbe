import type { Role } from '#contract/endpoint.ts'
import type { Decider, RejectionCategory, SubmissionState } from '#contract/submission-states.ts'
import type { TaskCategory } from '#contract/task-categories.ts'
import { PIPELINED, query } from '#server/database/database.ts'
import { afterCursor, beforeCursor } from '#server/database/keyset.ts'
import { type ColumnType, queryPackedRows } from '#server/database/row-packing.ts'

export type SubmissionRow = {
  id: string
  task_id: string
  task_version: number
  item_number: number | null
  task_title: string
  image_url: string
  task_category: TaskCategory
  slots_left: number
  reward: number
  worker_name: string
  worker_email: string
  buyer_name: string
  buyer_email: string
  text: string
  state: SubmissionState
  reason: string
  category: RejectionCategory | null
  requirement: string
  revision_request: string | null
  slot_reopened: boolean
  worker_approved: number | null
  worker_rejected: number | null
  work_seconds: number | null
  created_at: string
  rejected_at: string | null
  decided_at: string | null
  decided_by: Decider | null
  due_at: string
}

const COLUMNS = `submissions.id, submissions.task_id, submissions.task_version, submissions.item_number, tasks.title as task_title, tasks.image_url,
  tasks.category as task_category, tasks.slots_left,
  submissions.reward, workers.name as worker_name, workers.email as worker_email,
  buyers.name as buyer_name, buyers.email as buyer_email, submissions.text, submissions.status as state, submissions.reason,
  submissions.category, submissions.requirement, revisions.request as revision_request, submissions.slot_reopened,
  worker_records.approved as worker_approved, worker_records.rejected as worker_rejected,
  extract(epoch from submissions.created_at - submissions.reserved_at)::int as work_seconds,
  submissions.created_at, submissions.rejected_at, submissions.decided_at, submissions.decided_by, submissions.due_at`

/**
 * Returns the joins of a list of one user's submissions. `worker` or `buyer` is the user's parameter, whose row is then read once
 * and not for each submission.
 */
const joinsOf = ({ worker = 'submissions.worker_id', buyer = 'submissions.buyer_id' }) => `
  join tasks on tasks.id = submissions.task_id join users as workers on workers.id = ${worker}
  join users as buyers on buyers.id = ${buyer}
  left join submission_revisions as revisions on revisions.submission_id = submissions.id
  left join worker_records on worker_records.worker_id = ${worker}`
const OF_WORKER = joinsOf({ worker: '$1' })
const OF_BUYER = joinsOf({ buyer: '$1' })

const KINDS = {
  id: 'id',
  task_id: 'id',
  task_version: 'number',
  item_number: 'number',
  task_title: 'text',
  image_url: 'text',
  task_category: 'text',
  slots_left: 'number',
  reward: 'number',
  worker_name: 'text',
  worker_email: 'text',
  buyer_name: 'text',
  buyer_email: 'text',
  text: 'text',
  state: 'text',
  reason: 'text',
  category: 'id',
  requirement: 'text',
  revision_request: 'id',
  slot_reopened: 'flag',
  worker_approved: 'number',
  worker_rejected: 'number',
  work_seconds: 'number',
  created_at: 'time',
  rejected_at: 'time',
  decided_at: 'time',
  decided_by: 'id',
  due_at: 'time',
} satisfies Record<keyof SubmissionRow, ColumnType>

/**
 * Selects the ids of a page in several states. One index scan per state, because an index in order of (user, status, id)
 * has no order over several states.
 */
const pageInStates = (
  user: 'buyer_id' | 'worker_id',
  comparison: string,
  order: string,
  limit: string,
  skip?: string,
) => `
  select page.id from unnest($2::submission_status[]) as state
   cross join lateral (
     select id from submissions where ${user} = $1 and status = state and id ${comparison}
      order by id ${order} limit ${skip === undefined ? limit : `${skip}::bigint + ${limit}::bigint`}) as page
   order by page.id ${order} limit ${limit} ${skip === undefined ? '' : `offset ${skip}`}`

type ListValues = [user: string, states: readonly SubmissionState[], after: string | null, limit: number]

/** Returns submissions to a buyer's tasks in these states, oldest first. */
export const oldestOfBuyer = queryPackedRows<SubmissionRow, ListValues>(
  'submissions_oldest_of_buyer',
  `select ${COLUMNS} from (${pageInStates('buyer_id', `> ${afterCursor('$3', 'uuid')}`, 'asc', '$4')}) as page
     join submissions on submissions.id = page.id ${OF_BUYER}
    order by submissions.id`,
  KINDS,
  PIPELINED,
)

/** Returns submissions to a buyer's tasks in these states, newest first. */
export const newestOfBuyer = queryPackedRows<SubmissionRow, ListValues>(
  'submissions_newest_of_buyer',
  `select ${COLUMNS} from (${pageInStates('buyer_id', `< ${beforeCursor('$3', 'uuid')}`, 'desc', '$4')}) as page
     join submissions on submissions.id = page.id ${OF_BUYER}
    order by submissions.id desc`,
  KINDS,
  PIPELINED,
)

/** Returns a worker's submissions in these states, newest first. `skip` serves the wire's page numbers. */
export const ofWorkerInStates = queryPackedRows<
  SubmissionRow,
  [worker: string, states: readonly SubmissionState[], after: string | null, skip: number, limit: number]
>(
  'submissions_of_worker_in_states',
  `select ${COLUMNS} from (${pageInStates('worker_id', `< ${beforeCursor('$3', 'uuid')}`, 'desc', '$5', '$4')}) as page
     join submissions on submissions.id = page.id ${OF_WORKER}
    order by submissions.id desc`,
  KINDS,
  PIPELINED,
)

// A worker's own submissions are few of all: their index finds them, and their tasks are searched one by one.
const MATCHING = `with own as materialized (
  select submissions.id, submissions.status from submissions join tasks on tasks.id = submissions.task_id
   where submissions.worker_id = $1 and tasks.search @@ $2::tsquery)`

/** Returns a worker's submissions in these states to tasks with these words, newest first. */
export const ofWorkerMatching = queryPackedRows<
  SubmissionRow,
  [
    worker: string,
    words: string,
    states: readonly SubmissionState[],
    after: string | null,
    skip: number,
    limit: number,
  ]
>(
  'submissions_of_worker_matching',
  `${MATCHING}
   select ${COLUMNS} from (
      select id from own where status = any ($3::submission_status[]) and id < ${beforeCursor('$4', 'uuid')}
       order by id desc offset $5 limit $6) as page
     join submissions on submissions.id = page.id ${OF_WORKER}
    order by submissions.id desc`,
  KINDS,
  PIPELINED,
)

/** Returns how many submissions a worker has in each state to tasks with these words. */
export const countOfWorkerMatching = query<
  { state: SubmissionState; count: number },
  [worker: string, words: string]
>(
  'submissions_count_of_worker_matching',
  `${MATCHING} select status as state, count(*) from own group by status`,
  PIPELINED,
)

/** Returns how many submissions a worker has in each state that occurs. */
export const countOfWorker = query<{ state: SubmissionState; count: number }, [worker: string]>(
  'submissions_count_of_worker',
  'select status as state, count(*) from submissions where worker_id = $1 group by status',
  PIPELINED,
)

/** Returns the state of the worker's submission to each of these tasks: the one that was never rejected, else the latest. */
export const statesOfWorker = query<
  { task_id: string; state: SubmissionState },
  [worker: string, tasks: readonly string[]]
>(
  'submissions_states_of_worker',
  `select asked.id as task_id, latest.status as state from unnest($2::uuid[]) as asked(id)
    cross join lateral (
      select status from submissions where task_id = asked.id and worker_id = $1 and item_number is null
       order by rejected_at is not null, id desc limit 1) as latest`,
  PIPELINED,
)

export const roleByEmailKey = query<{ id: string; role: Role }, [emailKey: string]>(
  'submissions_user',
  'select id, role from users where email_key = $1',
  PIPELINED,
)
