import { type Db, queryOne } from '#server/database/database.ts'

export type Approval = { matched: number; modified: number }

const approveSubmissionRow = queryOne<Approval, [submission: string, buyer: string]>(
  'approve_submission',
  'select matched, modified from approve_submission($1, $2)',
)

/**
 * The buyer accepts the work: the reward leaves the task's escrow for the worker, once, however often and however
 * concurrently this is called. Refuses `submission_not_found`, and `already_decided` after a rejection.
 */
export function approveSubmission(db: Db, submissionId: string, buyerId: string): Promise<Approval> {
  return approveSubmissionRow(db, submissionId, buyerId)
}
