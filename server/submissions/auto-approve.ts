import { type Database, query, queryOne } from '#server/database/database.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'

const dueSubmissions = query<{ id: string }, [limit: number]>(
  'submissions_due',
  `select id from submissions where status = 'pending' and review_by <= clock_time() order by review_by limit $1`,
)
const approveDueSubmission = queryOne<{ approved: boolean }, [submission: string]>(
  'approve_due_submission',
  'select approve_due_submission($1) as approved',
)

/** Approves all submissions whose review period has ended and returns their number (docs/specification/submissions.md). */
export function approveDueSubmissions(database: Database): Promise<number> {
  return processDueRows(
    database,
    dueSubmissions,
    async (id) => (await approveDueSubmission(database, id)).approved,
  )
}
