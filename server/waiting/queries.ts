import { WAITING_MAX, type WaitingKind } from '#contract/waiting.ts'
import { PIPELINED, query } from '#server/database/database.ts'

export type WaitingRow = {
  kind: WaitingKind
  count: number
  coins: number | null
  cents: number | null
  oldest: string | null
  deadline: string | null
}

/** Rows of which the oldest WAITING_MAX are counted. Columns that are left out are null. */
type Part = {
  kind: WaitingKind
  rows: string
  coins?: string
  cents?: string
  oldest?: string
  deadline?: string
}

/** Returns the statement that counts the rows of each part; parts without rows are left out. */
const countParts = (parts: Part[]) =>
  parts
    .map(
      ({ kind, rows, coins = 'null', cents = 'null', oldest = 'null', deadline = 'null' }) =>
        `select '${kind}' as kind, count(*) as count, sum(coins)::bigint as coins, sum(cents)::bigint as cents,
                min(oldest) as oldest, min(deadline) as deadline
           from (select ${coins}::bigint as coins, ${cents}::bigint as cents, ${oldest}::timestamptz as oldest,
                        ${deadline}::timestamptz as deadline
                   ${rows} limit ${WAITING_MAX}) as part
         having count(*) > 0`,
    )
    .join('\n union all\n')

/** Returns SQL that selects the caller's work, as buyer or worker, in these states, oldest first. */
const workIn = (column: 'buyer_id' | 'worker_id', states: string) =>
  `from submissions where ${column} = $1 and status in (${states}) order by id`

/** What can wait for a user of any role. */
const OF_ANY_ROLE: Part[] = [
  {
    kind: 'freezes_without_response',
    oldest: 'frozen_at',
    rows: 'from freezes where user_id = $1 and ended_at is null and response is null order by number',
  },
  {
    kind: 'reviews',
    oldest: 'assigned_at',
    deadline: 'submissions.due_at',
    rows: `from reviews join submissions on submissions.id = reviews.submission_id
            where reviewer_id = $1 and reviews.decided_at is null and submissions.status = 'in_review'`,
  },
]

// A request that is in a batch, or whose payment was sent, waits there. The limit makes it a lookup for each request: as a join it would read
// the payouts of all that was ever paid.
const REQUESTS = `with requests as materialized (
  select coins, amount_cents, created_at, is_payout_stopped(withdrawals.id) as stopped
    from withdrawals left join lateral (
      select payouts.id from payouts join payout_batches on payout_batches.id = batch_id
       where withdrawal_id = withdrawals.id and payouts.state in ('queued', 'sent', 'unknown')
         and (payouts.state <> 'queued' or not single) limit 1) as in_payment on true
   where status = 'pending' and in_payment.id is null
   order by withdrawals.id limit ${WAITING_MAX})
`
/** The latest messages and batches among which those that wait are looked for. */
const LATEST = 200

const OF_ADMIN: Part[] = [
  {
    kind: 'payout_requests',
    coins: 'coins',
    cents: 'amount_cents',
    oldest: 'created_at',
    rows: 'from requests where not stopped',
  },
  {
    kind: 'stopped_payout_requests',
    coins: 'coins',
    cents: 'amount_cents',
    oldest: 'created_at',
    rows: 'from requests where stopped',
  },
  {
    kind: 'payout_batches',
    oldest: 'created_at',
    rows: `from (select state, created_at from payout_batches where not single order by id desc limit ${LATEST}) as latest
            where state in ('draft', 'checked')`,
  },
  {
    kind: 'payouts_to_confirm',
    coins: 'coins',
    cents: 'cents',
    oldest: 'sent_at',
    rows: `from payouts where state in ('sent', 'unknown') order by sent_at, id`,
  },
  {
    kind: 'payout_cases',
    oldest: 'opened_at',
    rows: 'from payout_cases where resolved_at is null order by opened_at, id',
  },
  {
    kind: 'disputes',
    cents: 'cents',
    oldest: 'opened_at',
    deadline: 'respond_by',
    rows: `from payment_disputes where needs_response(status)
              and not exists (select from dispute_evidence where dispute_id = payment_disputes.id and submitted_at is not null)`,
  },
  {
    kind: 'refunds',
    cents: 'cents',
    oldest: 'requested_at',
    rows: `from payment_refunds where state = 'waiting' and requested_by <> $1`,
  },
  {
    kind: 'unmatched_payments',
    cents: 'cents - refunded_cents',
    oldest: 'found_at',
    rows: `from unmatched_payments where state = 'open' and requested_by is distinct from $1`,
  },
  {
    kind: 'card_cases',
    cents: 'abs(provider_cents - our_cents)',
    oldest: 'opened_at',
    rows: 'from card_cases where resolved_at is null order by opened_at',
  },
  {
    kind: 'freeze_responses',
    oldest: 'responded_at',
    rows: 'from freezes where ended_at is null and responded_at is not null order by number',
  },
  {
    kind: 'setting_proposals',
    oldest: 'proposed_at',
    rows: `from setting_proposals where state = 'waiting' and proposed_by <> $1`,
  },
  {
    kind: 'unassigned_reviews',
    oldest: 'opened_at',
    deadline: 'submissions.due_at',
    rows: `from reviews join submissions on submissions.id = reviews.submission_id
            where reviewer_id is null and reviews.decided_at is null and submissions.status = 'in_review'`,
  },
  {
    kind: 'messages',
    oldest: 'created_at',
    rows: `from (select created_at, answered_at from contact_messages order by id desc limit ${LATEST}) as latest
            where answered_at is null`,
  },
]

const OF_BUYER: Part[] = [
  {
    kind: 'appeals_without_response',
    coins: 'reward',
    oldest: 'state_since',
    deadline: 'due_at',
    rows: workIn('buyer_id', "'appealed'"),
  },
  {
    kind: 'submissions_to_review',
    coins: 'reward',
    oldest: 'created_at',
    deadline: 'due_at',
    rows: workIn('buyer_id', "'pending'"),
  },
  {
    kind: 'tasks_ending',
    coins: 'slots_left * reward',
    deadline: 'closes_at',
    // The calendar day has an index; it may differ from the time by a day.
    rows: `from tasks where buyer_id = $1 and deleted_at is null and closed_at is null and slots_left > 0
              and completion_date between (clock_time() - interval '2 days')::date and (clock_time() + interval '3 days')::date
              and closes_at between clock_time() and clock_time() + interval '2 days'`,
  },
]

const OF_WORKER: Part[] = [
  {
    kind: 'reservations',
    coins: '(select reward from tasks where id = task_id)',
    deadline: 'expires_at',
    rows: 'from reservations where worker_id = $1 and ended_at is null and expires_at > clock_time() order by expires_at',
  },
  {
    kind: 'revisions_requested',
    coins: 'reward',
    oldest: 'state_since',
    deadline: 'due_at',
    rows: workIn('worker_id', "'revision_requested'"),
  },
  {
    kind: 'rejections_to_appeal',
    coins: 'reward',
    oldest: 'rejected_at',
    deadline: 'due_at',
    rows: workIn('worker_id', "'rejection_open'"),
  },
  {
    kind: 'pending_work',
    coins: 'reward',
    oldest: 'created_at',
    deadline: 'due_at',
    rows: workIn('worker_id', "'pending'"),
  },
  {
    kind: 'disputed_work',
    coins: 'reward',
    oldest: 'rejected_at',
    deadline: 'due_at',
    rows: workIn('worker_id', "'appealed', 'in_review'"),
  },
  {
    kind: 'pending_withdrawals',
    coins: 'coins',
    cents: 'amount_cents',
    oldest: 'created_at',
    rows: `from (select * from withdrawals where worker_id = $1 order by id desc limit ${LATEST}) as latest
            where status = 'pending'`,
  },
]

/** Returns what waits for a user in this role, by the index of each table. */
export const WAITING_FOR = {
  Admin: query<WaitingRow, [user: string]>(
    'waiting_for_admin',
    REQUESTS + countParts([...OF_ANY_ROLE, ...OF_ADMIN]),
    PIPELINED,
  ),
  Buyer: query<WaitingRow, [user: string]>(
    'waiting_for_buyer',
    countParts([...OF_ANY_ROLE, ...OF_BUYER]),
    PIPELINED,
  ),
  Worker: query<WaitingRow, [user: string]>(
    'waiting_for_worker',
    countParts([...OF_ANY_ROLE, ...OF_WORKER]),
    PIPELINED,
  ),
}
