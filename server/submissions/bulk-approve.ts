import type { SubmissionState } from '#contract/submission-states.ts'
import { type Db, query } from '#server/database/database.ts'
import { Refusal } from '#server/http/refusal.ts'

/** The result for one submission: whether it was approved now, or why it could not be. */
export type ApprovalResult = { id: string; modified: boolean; refusal: Refusal | null }

const approveSubmissionRows = query<
  { submission: string; modified: boolean; current_status: SubmissionState | null },
  [submissions: string[], buyer: string]
>('approve_submissions', 'select submission, modified, current_status from approve_submissions($1, $2)')

/**
 * Approves submissions of a buyer in one transaction, as `approveSubmission` approves one. A submission that cannot be
 * approved does not stop the others. Returns one result per submission. @throws Refusal `account_frozen`.
 */
export async function approveSubmissions(
  db: Db,
  submissionIds: readonly string[],
  buyerId: string,
): Promise<ApprovalResult[]> {
  const rows = await approveSubmissionRows(db, [...new Set(submissionIds)], buyerId)
  return rows.map(({ submission: id, modified, current_status: status }) => ({
    id,
    modified,
    refusal: refusalOf(status),
  }))
}

function refusalOf(status: SubmissionState | null): Refusal | null {
  if (status === null) return new Refusal('submission_not_found')
  return status === 'approved'
    ? null
    : new Refusal('already_decided.submission', { params: { status: 'rejected' } })
}
