import type pg from 'pg'
import type { SubmissionState } from '#contract/submission-states.ts'
import type { Database } from '#server/database/database.ts'

export async function stateOf({ pool }: Database, submissionId: string): Promise<SubmissionState> {
  const { rows } = await pool.query('select status from submissions where id = $1', [submissionId])
  return rows[0].status
}

export async function slotsLeft({ pool }: Database, taskId: string): Promise<number> {
  const { rows } = await pool.query('select slots_left from tasks where id = $1', [taskId])
  return rows[0].slots_left
}

export const MAKE_DUE = `
  with missed as (
    update reviews set assigned_at = assigned_at - interval '5 days' where submission_id = $1 and decided_at is null)
  update submissions set due_at = clock_time() - interval '1 second' where id = $1`

/** Lets the deadline of a submission pass. A reviewer has had it for days. */
export async function makeDue(owner: pg.Pool, submissionId: string): Promise<void> {
  await owner.query(MAKE_DUE, [submissionId])
}
