import type { TaskCategory } from '#contract/task-categories.ts'
import { PIPELINED, query, queryOne, WHOLE_TABLE } from '#server/database/database.ts'

type WorkerRow = {
  all_tasks: number
  pending: number
  earned: number
  withdrawn: number
  withdrawn_cents: number
}

/** Returns the totals of a worker, from an index-only scan of their submissions. */
export const workerTotals = queryOne<WorkerRow, [worker: string]>(
  'stats_worker',
  `select count(*) as all_tasks, count(*) filter (where status in ('pending', 'revision_requested')) as pending,
          (coalesce(sum(reward) filter (where status = 'approved'), 0)
            + (select coalesce(sum(coins), 0) from bonuses where worker_id = $1))::bigint as earned,
          (select coalesce(sum(coins), 0)::bigint from withdrawals where worker_id = $1 and status = 'approved') as withdrawn,
          (select coalesce(sum(amount_cents), 0)::bigint from withdrawals where worker_id = $1 and status = 'approved') as withdrawn_cents
     from submissions where worker_id = $1`,
  PIPELINED,
)

type BuyerRow = {
  paid: number
  submissions: number
  pending_reviews: number
  undecided_coins: number
  tasks: number
  open_slots: number
  escrow: number
  wallet: number
}

/**
 * Returns the totals of a buyer, the escrow by its parts (docs/specification/coins.md#escrow). A closed task has no slots left,
 * so only open ones are read for those. Slots that are reserved and slots of rejections that are not final are open too: they
 * are without pending or approved work (docs/specification/statistics.md). The `limit 1` makes PostgreSQL begin with the
 * buyer's reservations, also while there are few.
 */
export const buyerTotals = queryOne<BuyerRow, [buyer: string]>(
  'stats_buyer',
  `select paid, submissions, pending_reviews, tasks, slots_left + reserved_slots + rejections as open_slots,
          (slot_coins + reserved_coins + undecided_coins)::bigint as escrow, users.wallet
     from users
     cross join lateral (
       select (coalesce(sum(reward) filter (where status = 'approved'), 0)
                + (select coalesce(sum(coins), 0) from bonuses where buyer_id = users.id))::bigint as paid,
              count(*) as submissions, count(*) filter (where status = 'pending') as pending_reviews,
              coalesce(sum(reward) filter (where status not in ('approved', 'rejected')), 0) as undecided_coins,
              (select count(*) from submissions join tasks on tasks.id = submissions.task_id
                where submissions.buyer_id = users.id and submissions.status in ('rejection_open', 'appealed', 'in_review')
                  and not submissions.slot_reopened and tasks.closed_at is null) as rejections
         from submissions where buyer_id = users.id) as work
     cross join lateral (
       select count(*) filter (where closed_at is null) as reserved_slots, coalesce(sum(reward), 0) as reserved_coins
         from (select task_id from reservations where buyer_id = users.id and ended_at is null) as live
        cross join lateral (select closed_at, reward from tasks where id = live.task_id limit 1) as task) as reserved
     cross join lateral (
       select (select count(*) from tasks where buyer_id = users.id) as tasks,
              coalesce(sum(slots_left), 0)::bigint as slots_left,
              coalesce(sum(slots_left * reward), 0) as slot_coins
         from tasks where buyer_id = users.id and closed_at is null) as posted
    where users.id = $1`,
  PIPELINED,
)

type MarketplaceRow = {
  workers: number
  buyers: number
  received_cents: number
  gross_cents: number
  unmatched_cents: number
  fee_cents: number
  tax_cents: number
  user_coins: number
  escrow: number
  hold: number
  debts: number
  starting: number
  bought: number
  swept: number
  paid_out: number
  paid_out_cents: number
  requested_cents: number
  fresh: number
}

/** Returns the totals of the marketplace in one snapshot. `fresh` is the number of transfers read for it. */
export const marketplaceTotals = queryOne<MarketplaceRow, []>(
  'stats_marketplace',
  `select books.*,
          (select count(*) from users where role = 'Worker' and deleted_at is null) as workers,
          (select count(*) from users where role = 'Buyer' and deleted_at is null) as buyers,
          withdrawn.paid_out_cents, withdrawn.requested_cents, card.received_cents, card.gross_cents, card.unmatched_cents,
          (select (coalesce(sum(fee_cents), 0) - coalesce(sum(cents) filter (where category = 'fee'), 0))::bigint
             from card_transactions where currency = 'usd') as fee_cents,
          (select coalesce(sum((tax ->> 'cents')::bigint * case kind when 'refund' then -1 else 1 end), 0)::bigint
             from receipts where tax is not null) as tax_cents
     from ledger_books() as books
     cross join (
       select coalesce(sum(amount_cents) filter (where status = 'approved'), 0)::bigint as paid_out_cents,
              coalesce(sum(amount_cents) filter (where status = 'pending'), 0)::bigint as requested_cents
         from withdrawals
     ) as withdrawn
     cross join (
       select coalesce(sum(net), 0)::bigint as received_cents, coalesce(sum(gross), 0)::bigint as gross_cents,
              coalesce(sum(net) filter (where is_unmatched), 0)::bigint as unmatched_cents
         from (select amount_cents - reversed_cents as net, amount_cents as gross, coins = 0 as is_unmatched from payments
               union all
               select cents - refunded_cents - disputed_cents, cents, true from unmatched_payments
                where state <> 'credited' and currency = 'usd') as received
     ) as card`,
  WHOLE_TABLE,
)

/** Returns the difference between balances and transfers in one snapshot. Scans every account. */
export const booksDifference = queryOne<{ difference: number; accounts: number }, []>(
  'stats_books_difference',
  'select difference, accounts from books_difference()',
  WHOLE_TABLE,
)

/** The totals of a day. `transfers` is the number of rows counted for it. */
export type DayRow = { day: string; coins: number; cents: number; gross_cents: number; transfers: number }

/** The last $2 days up to `today`. A series of times would lack days that begin without a midnight in the session's time zone. */
const DAYS = `(select today.day - ago as day from today, generate_series(0, $2::int - 1) as ago) as days`

const byDay = (rows: string) => `
  with today as (select (clock_time() at time zone $1)::date as day),
  start as (select (day - $2::int + 1)::timestamp at time zone $1 as time from today),
  ${rows}
  select days.day,
         coalesce((select sum(coins) from totals where totals.day = days.day), 0)::bigint as coins,
         coalesce((select sum(cents) from totals where totals.day = days.day), 0)::bigint as cents,
         coalesce((select sum(gross_cents) from totals where totals.day = days.day), 0)::bigint as gross_cents,
         coalesce((select sum(transfers) from totals where totals.day = days.day), 0)::bigint as transfers
    from ${DAYS} order by days.day`

const approvedWorkByDay = (userColumn: string) =>
  byDay(`totals as (
    select (decided_at at time zone $1)::date as day, sum(reward) as coins, 0 as cents, 0 as gross_cents, count(*) as transfers
      from submissions
     where ${userColumn} = $3 and status = 'approved' and decided_at >= (select time from start) group by 1
    union all
    select (created_at at time zone $1)::date, sum(coins), 0, 0, count(*) from bonuses
     where ${userColumn} = $3 and created_at >= (select time from start) group by 1)`)

/** Coins earned or paid per day by one user: the last `days` days in this time zone, today last. */
type UserValues = [zone: string, days: number, user: string]
export const earnedByDay = query<DayRow, UserValues>('stats_earned_by_day', approvedWorkByDay('worker_id'))
export const paidByDay = query<DayRow, UserValues>('stats_paid_by_day', approvedWorkByDay('buyer_id'))

/** Returns coins paid to all workers and cents received by card, per day. Refunds count on the day of their payment. */
export const marketplaceByDay = query<DayRow, [zone: string, days: number]>(
  'stats_marketplace_by_day',
  byDay(`totals as (
    select (created_at at time zone $1)::date as day, sum(amount) as coins, 0 as cents, 0 as gross_cents, count(*) as transfers
      from ledger_transfers
     where kind in ('submission_paid', 'bonus_paid') and created_at >= (select time from start) group by 1
    union all
    select (paid_at at time zone $1)::date, 0, sum(amount_cents - reversed_cents), sum(amount_cents), count(*) from payments
     where paid_at >= (select time from start) group by 1
    union all
    select (paid_at at time zone $1)::date, 0, sum(cents - refunded_cents - disputed_cents), sum(cents), count(*) from unmatched_payments
     where state <> 'credited' and currency = 'usd' and paid_at >= (select time from start) group by 1)`),
  WHOLE_TABLE,
)

/** Returns SQL for what a user earned or paid since the Sunday `weeks` - 1 weeks ago: work when it was approved, and bonuses. */
const moved = (userColumn: string) => `
  with today as (select (clock_time() at time zone $1)::date as day),
  first as (select date_trunc('week', day + 1)::date - 1 - 7 * ($2::int - 1) as day from today),
  start as (select day::timestamp at time zone $1 as time from first),
  moved as materialized (
    select decided_at as time, reward as coins, 1 as pieces, task_id from submissions
     where ${userColumn} = $3 and status = 'approved' and decided_at >= (select time from start)
    union all
    select created_at, coins, 0, (select task_id from submissions where submissions.id = submission_id) from bonuses
     where ${userColumn} = $3 and created_at >= (select time from start))`

/** Returns the coins of each week, oldest first. */
const byWeek = (userColumn: string) => `${moved(userColumn)}
  select (first.day + 7 * week)::date as from_day,
         coalesce((select sum(coins) from moved
                    where (moved.time at time zone $1)::date between first.day + 7 * week and first.day + 7 * week + 6), 0)::bigint as coins
    from first, generate_series(0, $2::int - 1) as week order by week`

/** Returns the coins of each category of tasks, most coins first. */
const byCategory = (userColumn: string) => `${moved(userColumn)}
  select category, sum(coins)::bigint as coins, sum(pieces)::int as pieces from moved join tasks on tasks.id = task_id
   group by category order by sum(coins) desc, category`

/** Returns the tasks with the most coins in these weeks. */
const byTask = (userColumn: string) => `${moved(userColumn)},
  sums as (select task_id, sum(coins)::bigint as coins, sum(pieces)::int as pieces from moved group by task_id
            order by sum(coins) desc, task_id limit $4)
  select tasks.id, title, users.name as buyer, coins, pieces, tasks.deleted_at is not null as deleted
    from sums join tasks on tasks.id = task_id join users on users.id = tasks.buyer_id order by coins desc, tasks.id`

export type WeekRow = { from_day: string; coins: number }
export type CategoryRow = { category: TaskCategory; coins: number; pieces: number }
export type TaskRow = {
  id: string
  title: string
  buyer: string
  coins: number
  pieces: number
  deleted: boolean
}
type WeekValues = [zone: string, weeks: number, user: string]
type TaskValues = [...WeekValues, limit: number]
export const earnedByWeek = query<WeekRow, WeekValues>('stats_earned_by_week', byWeek('worker_id'))
export const paidByWeek = query<WeekRow, WeekValues>('stats_paid_by_week', byWeek('buyer_id'))
export const earnedByCategory = query<CategoryRow, WeekValues>(
  'stats_earned_by_category',
  byCategory('worker_id'),
)
export const paidByCategory = query<CategoryRow, WeekValues>('stats_paid_by_category', byCategory('buyer_id'))
export const earnedByTask = query<TaskRow, TaskValues>('stats_earned_by_task', byTask('worker_id'))
export const paidByTask = query<TaskRow, TaskValues>('stats_paid_by_task', byTask('buyer_id'))

/** `transfers` is the number of rows counted for the day. */
export type FlowRow = { day: string; coins_in: number; coins_out: number; held: number; transfers: number }

/** Returns the coins in and out of users, escrows and holds per day, and those held at its end: now, less what came after. */
export const coinFlowByDay = query<FlowRow, [zone: string, days: number]>(
  'stats_coin_flow_by_day',
  `with today as (select (clock_time() at time zone $1)::date as day),
   moved as (
     select (created_at at time zone $1)::date as day, count(*) as transfers,
            coalesce(sum(amount) filter (where kind in ('sign_up_bonus', 'coins_bought')), 0) as coins_in,
            coalesce(sum(amount) filter (where kind not in ('sign_up_bonus', 'coins_bought')), 0) as coins_out
       from ledger_transfers
      where created_at >= (select (day - $2::int + 1)::timestamp at time zone $1 from today)
        and kind in ('sign_up_bonus', 'coins_bought', 'card_reversed', 'debt_paid', 'task_fee', 'withdrawal_paid', 'swept_to_platform')
      group by 1),
   held as (select user_coins + escrow + hold as coins from ledger_books())
   select days.day, coalesce(coins_in, 0)::bigint as coins_in, coalesce(coins_out, 0)::bigint as coins_out,
          ((select coins from held)
            - coalesce(sum(coalesce(coins_in, 0) - coalesce(coins_out, 0))
                         over (order by days.day desc rows between unbounded preceding and 1 preceding), 0))::bigint as held,
          coalesce(transfers, 0)::bigint as transfers
     from ${DAYS} left join moved on moved.day = days.day
    order by days.day`,
  WHOLE_TABLE,
)

type FirstStepsRow = {
  seller: boolean
  exchange_rate: boolean
  second_admin: boolean
  payout_rules: boolean
  backup_at: string | null
}

/** Returns which first steps of a new marketplace are done, apart from the settings of the server. */
export const firstStepsDone = queryOne<FirstStepsRow, []>(
  'admin_first_steps',
  `select coalesce((select value ->> 'legalName' <> '' from operator_settings where name = 'seller'), false) as seller,
          coalesce((select expires_at > clock_time() from exchange_rates order by entered_at desc, id desc limit 1),
                   false) as exchange_rate,
          (select count(*) > 1 from (select from users where role = 'Admin' and deleted_at is null limit 2) as admins)
            as second_admin,
          exists (select from operator_setting_changes where name = 'payout_rules' and changed_by is not null) as payout_rules,
          (select finished_at from last_backup) as backup_at`,
)
