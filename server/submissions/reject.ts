import { type Db, queryOne } from '#server/database/database.ts'

const rejectSubmissionRow = queryOne<
  { deleted: number },
  [submission: string, buyer: string, reason: string]
>('reject_submission', 'select reject_submission($1, $2, $3) as deleted')

/**
 * The buyer declines the work: the slot is free again, or its coins come back when the task is closed. Answers 1,
 * however often it is asked. Refuses `submission_not_found`, and `already_decided` after an approval.
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
