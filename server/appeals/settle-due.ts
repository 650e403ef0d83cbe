import { SECOND_REVIEWER_DAYS } from '#contract/product.ts'
import { type Database, query, queryOne } from '#server/database/database.ts'
import { daysInterval } from '#server/database/interval.ts'
import { processDueRows } from '#server/database/process-due-rows.ts'

/** The condition of the index of rejections that are not final. */
const DISPUTED = `rejected_at is not null and status not in ('approved', 'rejected')`

const dueAppeals = query<{ id: string }, [limit: number]>(
  'appeals_due',
  `select id from submissions
    where ${DISPUTED} and status in ('appealed', 'in_review')
      and due_at <= clock_time() order by due_at limit $1`,
)
const settleDueAppeal = queryOne<{ settled: boolean }, [submission: string, second: string]>(
  'settle_due_appeal',
  'select settle_due_appeal($1, $2) as settled',
)

/** Applies due deadlines of appeals and reviews. Returns their number (docs/specification/appeals.md). */
export function settleDueAppeals(database: Database): Promise<number> {
  return processDueRows(
    database,
    dueAppeals,
    async (id) => (await settleDueAppeal(database, id, daysInterval(SECOND_REVIEWER_DAYS))).settled,
  )
}

const unassignedReviews = query<{ id: string }, [limit: number]>(
  'reviews_unassigned',
  `select id from submissions
    where ${DISPUTED} and status = 'in_review'
      and not exists (select from users
                       where users.id = (select reviewer_id from reviews
                                          where reviews.submission_id = submissions.id and reviews.decided_at is null)
                         and users.deleted_at is null and (users.role = 'Admin' or users.is_reviewer)
                         and not exists (select from submissions as others
                                          where others.task_id = submissions.task_id and others.worker_id = users.id))
    order by due_at limit $1`,
)
const assignMissingReviewer = queryOne<{ assigned: boolean }, [submission: string]>(
  'assign_missing_reviewer',
  'select assign_missing_reviewer($1) as assigned',
)

/**
 * Assigns submissions in review that have no reviewer, or one who lost the permission or has work on the task now. Returns
 * their number.
 */
export function assignReviews(database: Database): Promise<number> {
  return processDueRows(
    database,
    unassignedReviews,
    async (id) => (await assignMissingReviewer(database, id)).assigned,
  )
}

const reviewsToRemind = query<{ id: string }, [limit: number]>(
  'reviews_to_remind',
  `select id from submissions
    where ${DISPUTED} and status = 'in_review' and reminded_at is null
      and due_at between clock_time() + interval '1 microsecond' and clock_time() + interval '1 day'
      and reminder_is_due(submissions)
    order by due_at limit $1`,
)
const remindReviewer = queryOne<{ reminded: boolean }, [submission: string]>(
  'remind_reviewer',
  'select remind_reviewer($1) as reminded',
)

/** Reminds reviewers of reviews that are due soon, once each. Returns the number of reviews. */
export function sendReviewerReminders(database: Database): Promise<number> {
  return processDueRows(
    database,
    reviewsToRemind,
    async (id) => (await remindReviewer(database, id)).reminded,
  )
}
