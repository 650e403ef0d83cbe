import { REVISION_DAYS } from '#contract/product.ts'
import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { daysInterval } from '#server/database/interval.ts'

type Values = [submission: string, user: string, text: string, period: string]

const requestRevisionStatement = query<never, Values>(
  'request_revision',
  'select request_revision($1, $2, $3, $4)',
)
const reviseSubmissionStatement = query<never, Values>(
  'revise_submission',
  'select revise_submission($1, $2, $3, $4)',
)

/**
 * Asks the worker to revise pending work, once per submission. The worker has REVISION_DAYS; then the work as it is goes
 * back to review. @throws Refusal `submission_not_found`; `state_conflict` for decided work and a second request;
 * `deadline_passed` after the review period.
 */
export async function requestRevision(
  db: Db,
  submissionId: string,
  buyerId: string,
  text: string,
): Promise<void> {
  await requestRevisionStatement(db, submissionId, buyerId, text, daysInterval(REVISION_DAYS))
}

/**
 * Submits revised work, which the buyer reviews as if it were new.
 * @throws Refusal `submission_not_found`; `state_conflict` when no revision is requested, and for an item, which is revised in
 * its form.
 */
export async function reviseSubmission(
  db: Db,
  config: Config,
  submissionId: string,
  workerId: string,
  text: string,
): Promise<void> {
  await reviseSubmissionStatement(db, submissionId, workerId, text, daysInterval(config.reviewDays))
}
