import type { AppealStatistics } from '#contract/appeals.ts'
import { LOST_APPEALS_MAX } from '#contract/product.ts'
import type { Config } from '#server/config.ts'
import { type Db, query, queryOne, WHOLE_TABLE } from '#server/database/database.ts'

const SINCE = `clock_time() - interval '90 days'`

type DisputedRow = { coins: number; rejection_open: number; appealed: number; in_review: number }
const readDisputed = queryOne<DisputedRow, []>(
  'appeal_statistics_disputed',
  `select coalesce(sum(reward), 0)::bigint as coins, count(*) filter (where status = 'rejection_open') as rejection_open,
          count(*) filter (where status = 'appealed') as appealed, count(*) filter (where status = 'in_review') as in_review
     from submissions where rejected_at is not null and status not in ('approved', 'rejected')`,
  WHOLE_TABLE,
)

type OutcomesRow = {
  decided: number
  overturned: number
  median_hours: number | null
  silence: number
  no_reviewer: number
}
/** Counts the outcomes of reviews. One that nobody decided in time has no decision; its submission has the time of its end. */
const readOutcomes = queryOne<OutcomesRow, []>(
  'appeal_statistics_outcomes',
  `select decisions.*,
          (select count(*) from appeals join submissions on submissions.id = appeals.submission_id
            where submissions.decided_by = 'silence' and submissions.decided_at > ${SINCE}) as silence,
          (select count(*) from reviews join submissions on submissions.id = reviews.submission_id
            where reviews.decided_at is null and submissions.decided_by = 'no_reviewer'
              and submissions.decided_at > ${SINCE}) as no_reviewer
     from (select count(*) as decided, count(*) filter (where decision = 'overturned') as overturned,
                  percentile_cont(0.5) within group (order by extract(epoch from decided_at - opened_at) / 3600) as median_hours
             from reviews where decided_at > ${SINCE}) as decisions`,
  WHOLE_TABLE,
)

type ReviewerRow = {
  id: string
  name: string
  open: number
  decided: number
  overturned: number
  median_hours: number | null
  missed: number
}
const readReviewers = query<ReviewerRow, []>(
  'appeal_statistics_reviewers',
  `with turns as (
     select reviewer_id, 'open' as outcome, null::numeric as hours
       from reviews join submissions on submissions.id = reviews.submission_id
      where reviews.decided_at is null and submissions.status = 'in_review'
     union all
     select reviewer_id, decision::text, extract(epoch from decided_at - assigned_at) / 3600
       from reviews where decided_at > ${SINCE}
     union all
     select reviewer_id, 'missed', null
       from reviews join submissions on submissions.id = reviews.submission_id
      where reviews.decided_at is null and submissions.decided_by = 'no_reviewer' and submissions.decided_at > ${SINCE}
        and had_review_for_a_day(reviews.assigned_at, submissions.due_at)
     union all
     select unnest(passed_over), 'missed', null from reviews where opened_at > ${SINCE})
   select users.id, users.name, count(*) filter (where outcome = 'open') as open,
          count(*) filter (where outcome in ('upheld', 'overturned')) as decided,
          count(*) filter (where outcome = 'overturned') as overturned,
          percentile_cont(0.5) within group (order by hours) as median_hours,
          count(*) filter (where outcome = 'missed') as missed
     from turns join users on users.id = turns.reviewer_id
    group by users.id order by decided desc, users.id`,
  WHOLE_TABLE,
)

type BuyerRow = {
  id: string
  name: string
  email: string
  decided: number
  rejected: number
  reviewed: number
  overturned: number
  needs_reviewer: boolean
}
/**
 * Reads all who need a reviewer first: large buyers have the most rejections, also when they reject little. Rejections that
 * reviewers overturned are no rejections in the record, and those of a buyer who needs a reviewer can be older than it.
 */
const readBuyers = query<BuyerRow, [hasAppeals: boolean, recent: number, percent: number]>(
  'appeal_statistics_buyers',
  `with reviewed as (
     select submissions.buyer_id, count(*) as reviewed, count(*) filter (where reviews.decision = 'overturned') as overturned
       from reviews join submissions on submissions.id = reviews.submission_id
      where reviews.decided_at > ${SINCE} group by submissions.buyer_id),
   rejecting as (
     select users.id, name, email, (record->>'decided')::int as decided, (record->>'rejected')::int as rejected,
            coalesce(reviewed, 0) as reviewed, coalesce(overturned, 0) as overturned,
            $1 and not may_reject_alone(users.id, $2, $3) as needs_reviewer
       from buyer_records join users on users.id = buyer_records.buyer_id
       left join reviewed on reviewed.buyer_id = users.id
      where deleted_at is null
        and ((record->>'rejected')::int > 0 or users.id in (select buyer_id from submissions where rejected_at is not null))),
   ranked as (
     select *, row_number() over (partition by needs_reviewer order by rejected + overturned desc, id) as place
       from rejecting where rejected + overturned > 0 or needs_reviewer)
   select id, name, email, decided, rejected, reviewed, overturned, needs_reviewer
     from ranked where place <= 20 or needs_reviewer order by needs_reviewer desc, place`,
  WHOLE_TABLE,
)

type WorkerRow = { id: string; name: string; email: string; decided: number; lost: number; open: number }
/** Counts lost appeals of workers as open_appeal does (server/appeals/appeal.sql). */
const readWorkers = query<WorkerRow, [lostMax: number]>(
  'appeal_statistics_workers',
  `with latest as (
     select appeals.worker_id, submissions.status,
            row_number() over (partition by appeals.worker_id order by appeals.created_at desc) as place
       from appeals join submissions on submissions.id = appeals.submission_id
      where submissions.status in ('approved', 'rejected')),
   losers as (
     select worker_id, count(*) as decided, count(*) filter (where status = 'rejected') as lost
       from latest where place <= 10 group by worker_id having count(*) filter (where status = 'rejected') >= $1)
   select users.id, users.name, users.email, losers.decided, losers.lost,
          (select count(*) from appeals join submissions on submissions.id = appeals.submission_id
            where appeals.worker_id = users.id and submissions.status in ('appealed', 'in_review')) as open
     from losers join users on users.id = losers.worker_id
    where users.deleted_at is null order by losers.lost desc, users.id limit 100`,
  WHOLE_TABLE,
)

/** Returns how disputes end, over the last 90 days (docs/specification/appeals.md#statistics). */
export async function readAppealStatistics(
  db: Db,
  { appealDays, massRejection }: Config,
): Promise<AppealStatistics> {
  const disputed = await readDisputed(db)
  const outcomes = await readOutcomes(db)
  const reviewers = await readReviewers(db)
  const buyers = await readBuyers(db, appealDays > 0, massRejection.decisions, massRejection.percent)
  const workers = await readWorkers(db, LOST_APPEALS_MAX)
  return {
    disputed: {
      coins: disputed.coins,
      rejectionOpen: disputed.rejection_open,
      appealed: disputed.appealed,
      inReview: disputed.in_review,
    },
    reviews: {
      decided: outcomes.decided,
      overturned: outcomes.overturned,
      medianHours: outcomes.median_hours,
    },
    paidBySilence: outcomes.silence,
    paidByMissedReviews: outcomes.no_reviewer,
    reviewers: reviewers.map(({ id, median_hours, ...counts }) => ({
      _id: id,
      medianHours: median_hours,
      ...counts,
    })),
    buyers: buyers.map(({ id, needs_reviewer, ...counts }) => ({
      _id: id,
      needsReviewer: needs_reviewer,
      ...counts,
    })),
    workers: workers.map(({ id, ...counts }) => ({ _id: id, ...counts })),
  }
}
