import { REVIEWER_DAYS } from '#contract/product.ts'
import type { RejectionCategory, SubmissionState } from '#contract/submission-states.ts'
import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { daysInterval } from '#server/database/interval.ts'
import type { Rejection } from './reject.ts'

/**
 * Whether a submission was rejected now, and its state: null when it does not exist or is another buyer's, `pending` when its review
 * period has ended.
 */
export type RejectionResult = {
  submission: string
  modified: boolean
  current_status: SubmissionState | null
}

const rejectSubmissionRows = query<
  RejectionResult,
  [
    submissions: string[],
    reasons: string[],
    categories: (RejectionCategory | null)[],
    requirements: string[],
    buyer: string,
    appeal: string,
    review: string,
    recent: number,
    percent: number,
  ]
>(
  'reject_submissions',
  'select submission, modified, current_status from reject_submissions($1, $2, $3, $4, $5, $6, $7, $8, $9)',
)

/** Rejects pending submissions of a buyer in one transaction, as `rejectSubmission` rejects one. Others stay as they are. */
export function rejectSubmissions(
  db: Db,
  { appealDays, massRejection }: Config,
  rejections: readonly ({ id: string } & Rejection)[],
  buyerId: string,
): Promise<RejectionResult[]> {
  return rejectSubmissionRows(
    db,
    rejections.map(({ id }) => id),
    rejections.map(({ reason }) => reason),
    rejections.map(({ category }) => category ?? null),
    rejections.map(({ requirement }) => requirement ?? ''),
    buyerId,
    daysInterval(appealDays),
    daysInterval(REVIEWER_DAYS),
    massRejection.decisions,
    massRejection.percent,
  )
}
