import type { Config } from '#server/config.ts'
import { type Db, query } from '#server/database/database.ts'
import { daysInterval } from '#server/database/interval.ts'

type Decision = {
  /** The submissions, for example all of one case. */
  submissions: readonly string[]
  decision: 'upheld' | 'overturned'
  reason: string
}

const decideReviewRows = query<
  never,
  [
    submissions: readonly string[],
    reviewer: string,
    decision: Decision['decision'],
    reason: string,
    appeal: string,
  ]
>('decide_reviews', 'select decide_reviews($1, $2, $3, $4, $5)')

/**
 * Decides the reviews of these submissions with one reason, all or none (docs/specification/appeals.md).
 * @throws Refusal `submission_not_found`; `already_decided`; `not_yours` for another reviewer, or one on a side.
 */
export async function decideReviews(
  db: Db,
  config: Config,
  reviewerId: string,
  { submissions, decision, reason }: Decision,
): Promise<void> {
  await decideReviewRows(db, submissions, reviewerId, decision, reason, daysInterval(config.appealDays))
}
