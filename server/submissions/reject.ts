import { type Db, queryOne } from '#server/database/database.ts'

const rejectSubmissionRow = queryOne<
  { deleted: number },
  [submission: string, buyer: string, reason: string]
>('reject_submission', 'select reject_submission($1, $2, $3) as deleted')

/**
 * Rejects a submission: frees its slot, or refunds its coins to the buyer when the task is closed. Returns 1, also for
 * repeated calls. @throws Refusal `submission_not_found`; `already_decided` after an approval.
 */
export async function rejectSubmission(
  db: Db,
  submissionId: string,
  buyerId: string,
  reason: string,
): Promise<number> {
  const { deleted } = await rejectSubmissionRow(db, submissionId, buyerId, reason)
  return deleted
}
