import { type Db, queryOne } from '#server/database/database.ts'

export type Approval = { matched: number; modified: number }

const approveSubmissionRow = queryOne<Approval, [submission: string, buyer: string]>(
  'approve_submission',
  'select matched, modified from approve_submission($1, $2)',
)

/**
 * Approves a submission and moves its reward from the task's escrow to the worker. Repeated and concurrent calls pay once.
 * @throws Refusal `submission_not_found`; `already_decided` after a rejection; `account_frozen` for a frozen buyer.
 */
export function approveSubmission(db: Db, submissionId: string, buyerId: string): Promise<Approval> {
  return approveSubmissionRow(db, submissionId, buyerId)
}
