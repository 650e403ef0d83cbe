import { queryOne } from '#server/database/database.ts'

export type Approval = { matched: number; modified: number }

/**
 * Approves a submission and moves its reward from the task's escrow to the worker. Repeated and concurrent calls pay once.
 * @throws Refusal `submission_not_found`; `already_decided` after a rejection; `account_frozen` for a frozen buyer.
 */
export const approveSubmission = queryOne<Approval, [submission: string, buyer: string]>(
  'approve_submission',
  'select matched, modified from approve_submission($1, $2)',
)
