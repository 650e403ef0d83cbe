import type { Statement } from '#server/database/database.ts'

// The tables of pg-boss come with the runner and not with our migrations, so these stand outside the list of
// statements that are checked against the migrated schema.

export const QUEUES: Statement = {
  name: 'jobs_queues',
  sql: `select queue.name, counts.waiting, counts.active, counts.failed, counts.last_done_at
          from jobs.queue as queue cross join lateral (
            select count(*) filter (where state in ('created', 'retry')) as waiting,
                   count(*) filter (where state = 'active') as active,
                   count(*) filter (where state = 'failed') as failed,
                   max(completed_on) filter (where state = 'completed') as last_done_at
              from jobs.job where job.name = queue.name) as counts
         where queue.name not like '\\_\\_%' order by queue.name`,
}
export type QueueRow = {
  name: string
  waiting: number
  active: number
  failed: number
  last_done_at: string | null
}

export const STATES: Statement = {
  name: 'jobs_states',
  sql: `select name, state::text, count(*) as jobs from jobs.job
         where state in ('created', 'retry', 'active', 'failed') group by 1, 2`,
}
export type StatesRow = { name: string; state: 'created' | 'retry' | 'active' | 'failed'; jobs: number }

export const FAILED_JOBS: Statement = {
  name: 'jobs_troubled',
  sql: `select id, name, state, data, output, retry_count, start_after, coalesce(completed_on, started_on, created_on) as at
          from jobs.job where state in ('failed', 'retry') order by state desc, at desc limit 100`,
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

/** What pg-boss's own retry does, and at once where a retry is waiting already. */
export const RETRY: Statement = {
  name: 'jobs_retry',
  sql: `update jobs.job set state = 'retry', completed_on = null, start_after = now(),
               retry_limit = case when state = 'failed' then retry_limit + 1 else retry_limit end
         where id = $1 and state in ('failed', 'retry') returning id`,
}

export const OUTBOX: Statement = { name: 'jobs_outbox', sql: 'select count(*) as waiting from outbox' }
