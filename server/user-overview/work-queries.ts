import type { AppealOutcome, Decision } from '#contract/user-overview.ts'
import { query } from '#server/database/database.ts'
import { type OtherRow, WORKS_MAX } from './queries.ts'

/** How many decisions, and how many appeals, are read by the user and about them each. */
const LATEST_EACH = 10

type OfWorkRow = OtherRow & { submission_id: string; task_id: string; task: string; by: boolean; at: string }
type DecisionRow = OfWorkRow & { decision: Decision; reason: string }

const DECIDED = `submissions.id, task_id, reason, coalesce(rejected_at, decided_at) as at,
  case when rejected_at is not null and status = 'approved' then 'rejection reversed' when rejected_at is not null then 'rejected'
       when decided_by = 'buyer' then 'approved' else 'approved automatically' end as decision`

/** Nobody decided work that was undecided when its worker was deleted. */
const IS_DECISION = `(rejected_at is not null or decided_by is distinct from 'worker_left')`

/** Returns the latest decisions of a user as a buyer, and about the latest work of a user as a worker. */
export const latestDecisions = query<DecisionRow, [user: string]>(
  'user_overview_decisions',
  `with own as (
     ${['approved', 'rejected', 'rejection_open', 'appealed', 'in_review']
       .map(
         (status) => `(select ${DECIDED}, buyer_id as other from submissions
             where worker_id = $1 and status = '${status}' and ${IS_DECISION}
             order by submissions.id desc limit ${LATEST_EACH})`,
       )
       .join(' union all ')}
   ), decided as (
     (select ${DECIDED}, worker_id as other, true as by from submissions
       where buyer_id = $1 and coalesce(rejected_at, decided_at) is not null and ${IS_DECISION}
       order by coalesce(rejected_at, decided_at) desc limit ${LATEST_EACH})
     union all
     (select own.*, false from own order by at desc limit ${LATEST_EACH})
   )
   select users.id, name, email, role, decided.id as submission_id, task_id, tasks.title as task, by, at, decision, decided.reason
     from decided join users on users.id = other join tasks on tasks.id = task_id
    order by at desc, decided.id`,
)

type AppealRow = OfWorkRow & { outcome: AppealOutcome; text: string }

/**
 * Returns the latest appeals of a user as a worker, and against the latest rejections by a user as a buyer. Rejections are found by the
 * index of decisions, whose condition is therefore repeated.
 */
export const latestAppeals = query<AppealRow, [user: string]>(
  'user_overview_appeals',
  `with found as (
     (select submission_id, text, created_at as at, true as by from appeals
       where worker_id = $1 order by created_at desc limit ${LATEST_EACH})
     union all
     (select submission_id, text, created_at, false
        from (select id from submissions
               where buyer_id = $1 and coalesce(rejected_at, decided_at) is not null and rejected_at is not null
               order by coalesce(rejected_at, decided_at) desc limit ${WORKS_MAX}) as rejections
        join appeals on appeals.submission_id = rejections.id
       order by created_at desc limit ${LATEST_EACH})
   )
   select users.id, users.name, users.email, users.role, submission_id, task_id, tasks.title as task, by, at, found.text,
          case submissions.status when 'approved' then 'won' when 'rejected' then 'lost' else 'open' end as outcome
     from found join submissions on submissions.id = submission_id join tasks on tasks.id = task_id
     join users on users.id = case when by then submissions.buyer_id else submissions.worker_id end
    order by at desc, submission_id`,
)
