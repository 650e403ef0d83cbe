import { REVIEWER_DAYS } from '#contract/product.ts'
import type { RejectionCategory } from '#contract/submission-states.ts'
import type { Config } from '#server/config.ts'
import { type Db, queryOne } from '#server/database/database.ts'
import { daysInterval } from '#server/database/interval.ts'

export type Rejection = {
  reason: string
  category?: RejectionCategory | undefined
  /** The requirement of the task that the work fails. */
  requirement?: string | undefined
}

const rejectSubmissionStatement = queryOne<
  { deleted: number },
  [
    submission: string,
    buyer: string,
    reason: string,
    category: RejectionCategory | null,
    requirement: string,
    appeal: string,
    review: string,
    recent: number,
    percent: number,
  ]
>('reject_submission', 'select reject_submission($1, $2, $3, $4, $5, $6, $7, $8, $9) as deleted')

/**
 * Rejects a submission. It is final when the appeal window ends without an appeal (docs/specification/submissions.md#rejection);
 * with APPEAL_DAYS=0 at once. Returns 1, also for repeated calls.
 * @throws Refusal `submission_not_found`; `already_decided` after an approval; `state_conflict` during a revision;
 * `deadline_passed` after the review period.
 */
export async function rejectSubmission(
  db: Db,
  config: Config,
  submissionId: string,
  buyerId: string,
  { reason, category, requirement }: Rejection,
): Promise<number> {
  const { deleted } = await rejectSubmissionStatement(
    db,
    submissionId,
    buyerId,
    reason,
    category ?? null,
    requirement ?? '',
    daysInterval(config.appealDays),
    daysInterval(REVIEWER_DAYS),
    config.massRejection.decisions,
    config.massRejection.percent,
  )
  return deleted
}

const readNeedsReviewer = queryOne<
  { needs_reviewer: boolean },
  [buyer: string, recent: number, percent: number]
>('rejection_needs_reviewer', 'select not may_reject_alone($1, $2, $3) as needs_reviewer')

/** Returns whether the next rejection of a buyer is reviewed before it counts (docs/specification/appeals.md#mass-rejection). */
export async function needsReviewer(
  db: Db,
  { appealDays, massRejection }: Config,
  buyerId: string,
): Promise<boolean> {
  if (appealDays === 0) return false
  return (await readNeedsReviewer(db, buyerId, massRejection.decisions, massRejection.percent)).needs_reviewer
}
