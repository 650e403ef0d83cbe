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
  overturned: number
  may_reject_alone: boolean
}
/** Reads those who need a reviewer first: large buyers have the most rejections, also when they reject little. */
const readBuyers = query<BuyerRow, [recent: number, percent: number]>(
  'appeal_statistics_buyers',
  `with most as (
     select users.id, name, email, (record->>'decided')::int as decided, (record->>'rejected')::int as rejected,
            may_reject_alone(buyer_id, $1, $2) as may_reject_alone
       from buyer_records join users on users.id = buyer_id
      where (record->>'rejected')::int > 0 and deleted_at is null
      order by may_reject_alone, rejected desc, buyer_id limit 20),
   overturned as (
     select submissions.buyer_id, count(*) as count
       from reviews join submissions on submissions.id = reviews.submission_id
      where reviews.decided_at > ${SINCE} and reviews.decision = 'overturned' group by submissions.buyer_id)
   select most.*, coalesce(overturned.count, 0) as overturned
     from most left join overturned on overturned.buyer_id = most.id order by may_reject_alone, rejected desc, id`,
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
  const buyers = await readBuyers(db, massRejection.decisions, massRejection.percent)
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
    buyers: buyers.map(({ id, may_reject_alone, ...counts }) => ({
      _id: id,
      needsReviewer: appealDays > 0 && !may_reject_alone,
      ...counts,
    })),
    workers: workers.map(({ id, ...counts }) => ({ _id: id, ...counts })),
  }
}
