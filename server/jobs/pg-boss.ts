import type { Database, Db, Statement } from '#server/database/database.ts'

/**
 * The version of pg-boss's schema that these statements are written for. Its API returns counts only as of its last
 * monitoring run, and neither failed jobs of all queues nor a retry of one job by its id.
 */
export const PG_BOSS_SCHEMA_VERSION = 43

/** Emails that the mail server rejected permanently: nobody has to retry them. */
const IS_UNDELIVERABLE = `(state = 'failed' and coalesce(output ? 'undeliverable', false))`

const QUEUES: Statement = {
  name: 'jobs_queues',
  sql: `select queue.name, counts.waiting, counts.active, counts.failed, counts.last_done_at
          from jobs.queue as queue cross join lateral (
            select count(*) filter (where state in ('created', 'retry')) as waiting,
                   count(*) filter (where state = 'active') as active,
                   count(*) filter (where state = 'failed' and not ${IS_UNDELIVERABLE}) as failed,
                   max(completed_on) filter (where state = 'completed') as last_done_at
              from jobs.job where job.name = queue.name) as counts
         where queue.name not like '\\_\\_%' order by queue.name`,
}
type QueueRow = {
  name: string
  waiting: number
  active: number
  failed: number
  last_done_at: string | null
}

const STATES: Statement = {
  name: 'jobs_states',
  sql: `select name, case when ${IS_UNDELIVERABLE} then 'undeliverable' else state::text end as state,
               count(*) as jobs
          from jobs.job where state in ('created', 'retry', 'active', 'failed') group by 1, 2`,
}
/** The `undeliverable` emails are not among the `failed`. */
export type StatesRow = {
  name: string
  state: 'created' | 'retry' | 'active' | 'failed' | 'undeliverable'
  jobs: number
}

// A failed attempt moves start_after into the future, while the job has waited since it was created.
const OLDEST_DUE: Statement = {
  name: 'jobs_oldest_due',
  sql: `select queue, state, coalesce(extract(epoch from now() - oldest), 0)::float8 as seconds
          from unnest($1::text[]) as queue cross join lateral (
            select 'created' as state, min(start_after) as oldest
              from jobs.job where job.name = queue and job.state = 'created' and start_after <= now()
            union all
            select 'retry', min(created_on) from jobs.job where job.name = queue and job.state = 'retry') as waiting`,
}
export type OldestDueRow = { queue: string; state: 'created' | 'retry'; seconds: number }

// Of undeliverable emails there may be many: they come last.
const FAILED_JOBS: Statement = {
  name: 'jobs_failed',
  sql: `select id, name, state, data, output, retry_count, start_after, coalesce(completed_on, started_on, created_on) as at
          from jobs.job where state in ('failed', 'retry')
         order by ${IS_UNDELIVERABLE}, state desc, at desc limit 100`,
}
export type FailedJobRow = {
  id: string
  name: string
  state: 'failed' | 'retry'
  data: Record<string, unknown> | null
  output: { message?: unknown } | null
  retry_count: number
  start_after: string
  at: string
}

const FAILED_COUNT: Statement = {
  name: 'jobs_failed_count',
  sql: `select count(*) as count, min(at) as oldest
          from (select coalesce(completed_on, started_on, created_on) as at from jobs.job
                 where state = 'failed' and not ${IS_UNDELIVERABLE} limit $1) as failed`,
}

const RETRY: Statement = {
  name: 'jobs_retry',
  sql: `update jobs.job set state = 'retry', completed_on = null, start_after = now(),
               retry_limit = case when state = 'failed' then retry_limit + 1 else retry_limit end
         where id = $1 and state in ('failed', 'retry') returning id`,
}

const ADD_SENT: Statement = {
  name: 'jobs_add_sent',
  sql: `update jobs.job set data = jsonb_set(data, '{sent}', coalesce(data->'sent', '[]') || to_jsonb($3::text))
         where name = $1 and id = $2 and state = 'active'`,
}

// A retry of a mail is at most four hours away, every other job is nearer.
const RESET_FUTURE: Statement = {
  name: 'jobs_reset_future',
  sql: `update jobs.job set singleton_on = null, start_after = least(start_after, now())
         where (state in ('completed', 'failed') and singleton_on is not null
                and completed_on > now() + interval '1 minute')
            or (state in ('created', 'retry') and start_after > now() + interval '5 hours')
         returning id`,
}

/** Every statement on pg-boss's tables, for the test that prepares them. */
export const PG_BOSS_STATEMENTS = [
  QUEUES,
  STATES,
  OLDEST_DUE,
  FAILED_JOBS,
  FAILED_COUNT,
  RETRY,
  ADD_SENT,
  RESET_FUTURE,
]

/** Returns the queues with the number of their jobs by state. */
export const readQueues = (db: Db) => db.run<QueueRow>(QUEUES, [])

/** Returns the number of unfinished jobs by queue and state. */
export const readJobStates = (db: Db) => db.run<StatesRow>(STATES, [])

/** Returns for each of these queues how long the oldest job that is due, and the oldest that is retried, waits; 0 where none does. */
export const readOldestDue = (db: Db, queues: readonly string[]) => db.run<OldestDueRow>(OLDEST_DUE, [queues])

/** Returns the latest jobs that failed or wait for a retry, at most 100. */
export const readFailedJobs = (db: Db) => db.run<FailedJobRow>(FAILED_JOBS, [])

/** Returns the number of jobs that failed, at most `max`, and the time of the oldest. */
export async function countFailedJobs(
  db: Db,
  max: number,
): Promise<{ count: number; oldest: string | null }> {
  const [row] = await db.run<{ count: number; oldest: string | null }>(FAILED_COUNT, [max])
  return row ?? { count: 0, oldest: null }
}

/** Retries a failed job now, also one that waits for a later retry. Returns how many jobs: 0 or 1. */
export async function retryJob(db: Db, id: string): Promise<number> {
  return (await db.run(RETRY, [id])).length
}

/** Adds an email to those that a running job has sent, so that a retry of the job does not send it again. */
export async function addSentEmail(db: Db, queue: string, jobId: string, emailId: string): Promise<void> {
  await db.run(ADD_SENT, [queue, jobId, emailId])
}

/**
 * Removes the effects of a database clock that was ahead: jobs completed in the future hold their time slots, so these
 * are freed, and jobs delayed until then become due. Returns how many jobs.
 */
export async function resetFutureJobs(database: Database): Promise<number> {
  return (await database.run(RESET_FUTURE, [])).length
}
