import type { Decider, RejectionCategory, SubmissionState } from '#contract/submission-states.ts'
import type { TaskCategory } from '#contract/task-categories.ts'
import { PIPELINED, query } from '#server/database/database.ts'
import { afterCursor } from '#server/database/keyset.ts'

export type CaseRow = {
  id: string
  worker_id: string
  buyer_id: string
  state: SubmissionState
  due_at: string
  reward: number
  task_id: string
  title: string
  detail: string
  /** The row of the file that the work is about; null for a plain task. */
  input: Record<string, string> | null
  item_number: number | null
  submission_info: string
  image_url: string
  task_category: TaskCategory
  task_closed: boolean
  text: string
  text_before: string | null
  revision_request: string | null
  revision_requested_at: string | null
  revised_at: string | null
  category: RejectionCategory | null
  requirement: string
  reason: string
  slot_reopened: boolean
  worker_name: string
  worker_deleted: boolean
  buyer_name: string
  created_at: string
  rejected_at: string | null
  decided_at: string | null
  decided_by: Decider | null
  appeal_text: string | null
  appeal_pictures: string[] | null
  appealed_at: string | null
  defence: string | null
  defended_at: string | null
  /** When and by whom a rejection became final that was reversed later. */
  final_at: string | null
  final_by: Decider | null
  /** The reviews, bonuses and transfers of added slots, oldest first. */
  reviews: CaseReview[]
  bonuses: { coins: number; message: string; at: string }[]
  slot_transfers: { kind: 'slot_reopened' | 'slot_refunded'; coins: number; at: string }[]
}
export type CaseReview = {
  reviewer: string | null
  round: number
  decision: 'upheld' | 'overturned' | null
  reason: string
  decidedAt: string | null
  secondRoundAt: string | null
}

/** Returns a submission with the task's text of the version that it was made for. */
export const caseById = query<CaseRow, [submission: string]>(
  'case_by_id',
  `select submissions.id, submissions.worker_id, submissions.buyer_id, submissions.status as state, submissions.due_at,
          submissions.reward, tasks.id as task_id, coalesce(earlier.title, tasks.title) as title, coalesce(earlier.detail, tasks.detail) as detail,
          (select ordered_fields(input, (select columns from batches where id = batch_id)) from batch_items
            where batch_items.batch_id = tasks.batch_id and number = submissions.item_number limit 1) as input, submissions.item_number,
          coalesce(earlier.submission_info, tasks.submission_info) as submission_info, tasks.image_url, tasks.category as task_category,
          tasks.closed_at is not null as task_closed, submissions.text, revisions.text_before,
          revisions.request as revision_request, revisions.requested_at as revision_requested_at, revisions.revised_at,
          submissions.category, submissions.requirement, submissions.reason, submissions.slot_reopened,
          workers.name as worker_name, workers.deleted_at is not null as worker_deleted, buyers.name as buyer_name, submissions.created_at, submissions.rejected_at,
          submissions.decided_at, submissions.decided_by, appeals.text as appeal_text, appeals.pictures as appeal_pictures,
          appeals.created_at as appealed_at, appeals.defence, appeals.defended_at,
          coalesce((select jsonb_agg(jsonb_build_object('reviewer', reviewer_id, 'round', round, 'decision', decision, 'reason', reviews.reason,
                     'decidedAt', iso_time(reviews.decided_at), 'secondRoundAt', iso_time(second_round_at)) order by reviews.id)
             from reviews where reviews.submission_id = submissions.id), '[]') as reviews,
          reversals.final_at, reversals.final_by,
          coalesce((select jsonb_agg(jsonb_build_object('coins', coins, 'message', message, 'at', iso_time(bonuses.created_at)) order by bonuses.id)
             from bonuses where bonuses.submission_id = submissions.id), '[]') as bonuses,
          coalesce((select jsonb_agg(jsonb_build_object('kind', moved.kind, 'coins', amount, 'at', iso_time(moved.created_at)) order by moved.id)
             from transfer_keys join ledger_transfers as moved on moved.id = transfer_id
            where transfer_keys.kind in ('slot_reopened', 'slot_refunded') and transfer_keys.ref = submissions.id), '[]') as slot_transfers
     from submissions join tasks on tasks.id = submissions.task_id
     join users as workers on workers.id = submissions.worker_id join users as buyers on buyers.id = submissions.buyer_id
     left join submission_revisions as revisions on revisions.submission_id = submissions.id
     left join task_versions as earlier on earlier.task_id = tasks.id and earlier.version = submissions.task_version
     left join appeals on appeals.submission_id = submissions.id
     left join reversals on reversals.submission_id = submissions.id
    where submissions.id = $1`,
  PIPELINED,
)

export type ReviewRow = {
  id: string
  /** The first submission of the case. */
  case_id: string
  case_size: number
  title: string
  category: RejectionCategory | null
  reason: string
  requirement: string
  text: string
  reward: number
  unconfirmed: boolean
  round: number
  opened_at: string
  due_at: string
}

/** Returns the open reviews of a reviewer, earliest deadline first; with `caseOf` those of the case of this submission. */
export const openReviewsOf = query<
  ReviewRow,
  [reviewer: string, caseOf: string | null, due: string | null, id: string | null, limit: number]
>(
  'reviews_open_of',
  `with open_reviews as (
     select submissions.id, submissions.task_id, submissions.category, submissions.reason, submissions.requirement, submissions.text,
            submissions.reward, reviews.unconfirmed, reviews.round, reviews.opened_at, submissions.due_at,
            first_value(submissions.id) over (same_case order by submissions.id) as case_id, count(*) over same_case as case_size
       from reviews join submissions on submissions.id = reviews.submission_id
      where reviews.reviewer_id = $1 and reviews.decided_at is null and submissions.status = 'in_review'
     window same_case as (partition by submissions.task_id, submissions.category, submissions.reason, reviews.unconfirmed))
   select open_reviews.id, tasks.title, open_reviews.category, reason, requirement, case_id, case_size, text, open_reviews.reward,
          unconfirmed, round, opened_at, due_at
     from open_reviews join tasks on tasks.id = open_reviews.task_id
    where ($2::uuid is null or case_id = (select case_id from open_reviews as one where one.id = $2))
      and (date_trunc('milliseconds', due_at), open_reviews.id) > (${afterCursor('$3', 'timestamptz')}, ${afterCursor('$4', 'uuid')})
    order by date_trunc('milliseconds', due_at), open_reviews.id limit $5`,
  PIPELINED,
)
