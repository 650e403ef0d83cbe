import type { Config } from '#server/config.ts'
import { type Database, query, queryOne } from '#server/database/database.ts'
import { daysInterval } from '#server/database/interval.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'

const dueSubmissions = query<{ id: string }, [limit: number]>(
  'submissions_due',
  `select id from submissions
    where status not in ('approved', 'rejected') and status in ('pending', 'revision_requested', 'rejection_open')
      and due_at <= clock_time() order by due_at limit $1`,
)
const settleDueSubmission = queryOne<{ settled: boolean }, [submission: string, review: string]>(
  'settle_due_submission',
  'select settle_due_submission($1, $2) as settled',
)

/**
 * Applies due deadlines of submissions, except those of appeals. Returns the number of submissions
 * (docs/specification/submissions.md#states).
 */
export function settleDueSubmissions(database: Database, config: Config): Promise<number> {
  return processDueRows(
    database,
    dueSubmissions,
    async (id) => (await settleDueSubmission(database, id, daysInterval(config.reviewDays))).settled,
  )
}
