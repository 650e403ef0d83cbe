import type { PaymentSystem } from '#contract/product.ts'
import type { Risk } from '#contract/risk.ts'
import type { Origin, RequestPayout, UnavailableCoins, WithdrawalStatus } from '#contract/withdrawals.ts'
import { PIPELINED, query, queryOne } from '#server/database/database.ts'
import { afterCursor, beforeCursor } from '#server/database/keyset.ts'

export type WithdrawalRow = {
  id: string
  worker_id: string
  worker_name: string
  worker_email: string
  coins: number
  amount_cents: number
  payment_system: PaymentSystem
  account_number: string
  status: WithdrawalStatus
  reason: string
  requested_on: string
  created_at: string
  decided_at: string | null
}
export type WithdrawalRequestRow = WithdrawalRow & {
  origin: Origin
  payout: RequestPayout | null
  needs_second_admin: boolean
  payable_at: string | null
  risk: Risk | null
}

const COLUMNS = `withdrawals.id, withdrawals.worker_id, users.name as worker_name, users.email as worker_email, withdrawals.coins,
  withdrawals.amount_cents, withdrawals.payment_system, withdrawals.account_number, withdrawals.status,
  withdrawals.reason, withdrawals.requested_on, withdrawals.created_at, withdrawals.decided_at`

/** The latest payout of a request, as JSON. */
const PAYOUT = `select jsonb_build_object('_id', payouts.id, 'batchId', batch_id, 'single', single, 'state', payouts.state,
         'reference', reference, 'transactionId', transaction_id, 'failure', failure,
         'claimedBy', (select jsonb_build_object('_id', id, 'name', name) from users where id = claimed_by),
         'checkedBy', (select jsonb_build_object('_id', id, 'name', name) from users where id = checked_by),
         'claimedAt', iso_time(claimed_at)) as body
    from payouts join payout_batches on payout_batches.id = batch_id
   where withdrawal_id = requests.id and payouts.state <> 'removed' order by attempt desc limit 1`

type ListValues = [status: WithdrawalStatus, after: string | null, limit: number, words: string | null]

/** Lists withdrawals with one status for Admins. `words` match the worker's name and email. */
const requests = (name: string, cursor: string, order: 'asc' | 'desc') =>
  query<WithdrawalRequestRow, ListValues>(
    name,
    `with requests as materialized (
       select ${COLUMNS}, case when withdrawals.status = 'pending' and payable_at > clock_time() then payable_at end as payable_at
         from withdrawals join users on users.id = withdrawals.worker_id
        where withdrawals.status = $1 and withdrawals.id ${cursor}
          and ($4::text is null or users.search @@ to_tsquery('simple', $4))
        order by withdrawals.id ${order} limit $3)
     select requests.*, coin_provenance(requests.id) as origin, payout.body as payout,
            requests.status = 'pending' and needs_second_admin(requests.id) as needs_second_admin, risk_of(requests.id) as risk
       from requests left join lateral (${PAYOUT}) as payout on true order by requests.id ${order}`,
  )

export const withdrawalsOldestFirst = requests('withdrawals_oldest', `> ${afterCursor('$2', 'uuid')}`, 'asc')
export const withdrawalsNewestFirst = requests(
  'withdrawals_newest',
  `< ${beforeCursor('$2', 'uuid')}`,
  'desc',
)

type Part = { cause: UnavailableCoins['cause']; coins: number; from: string | null; until: string | null }
export type WithdrawableRow = {
  balance: number
  cents_per_coin: number
  first_payout_cents: number | null
  later: Part[]
}

/** Returns what a worker cannot withdraw yet to an account that is not verified, by cause. */
export const readWithdrawable = queryOne<WithdrawableRow, [worker: string, holdingDays: number]>(
  'withdrawable',
  `select accounts.balance, (operator_setting('withdrawal_rate') ->> 'centsPerCoin')::int as cents_per_coin,
          first_payout_cents_left(users.id) as first_payout_cents,
          (select coalesce(jsonb_agg(to_jsonb(parts) order by cause), '[]')
             from (select cause, sum(coins)::bigint as coins, min(until) as from, max(until) as until
                     from unavailable_coins(users.id, $2::float8 * interval '1 day', false) group by cause) as parts) as later
     from users join ledger_accounts as accounts on accounts.id = users.account_id where users.id = $1`,
)

export const withdrawalsOfUser = query<
  WithdrawalRow,
  [emailKey: string, after: string | null, limit: number]
>(
  'withdrawals_of_user',
  `select ${COLUMNS} from withdrawals join users on users.id = withdrawals.worker_id
    where withdrawals.worker_id = (select id from users where email_key = $1)
      and withdrawals.id < ${beforeCursor('$2', 'uuid')}
    order by withdrawals.id desc limit $3`,
  PIPELINED,
)

export type FileRow = WithdrawalRow & {
  decided_by: string | null
  score: number | null
  payout_state: string | null
  reference: string | null
  transaction_id: string | null
}

export type FileFilter = [status: WithdrawalStatus, words: string | null]
const FILE_FILTER = `withdrawals.status = $1 and ($2::text is null or users.search @@ to_tsquery('simple', $2))`

/** Returns how many withdrawal requests a filter of the file finds. */
export const countOfFile = queryOne<{ requests: number }, FileFilter>(
  'withdrawals_file_count',
  `select count(*) as requests from withdrawals join users on users.id = withdrawals.worker_id where ${FILE_FILTER}`,
)

/** Lists the requests of a filter for the file, with who decided, the risk score and the latest payout. */
const rowsOfFile = (name: string, cursor: string, order: 'asc' | 'desc') =>
  query<FileRow, [...FileFilter, last: string | null, limit: number]>(
    name,
    `with requests as materialized (
       select ${COLUMNS}, withdrawals.decided_by as decider_id from withdrawals join users on users.id = withdrawals.worker_id
        where ${FILE_FILTER} and withdrawals.id ${cursor} order by withdrawals.id ${order} limit $4)
     select requests.*, (select name from users where id = decider_id) as decided_by,
            (select score from risk_assessments where withdrawal_id = requests.id) as score,
            latest.state as payout_state, latest.reference, latest.transaction_id
       from requests left join lateral (
         select state, reference, transaction_id from payouts
          where withdrawal_id = requests.id and state <> 'removed' order by attempt desc limit 1) as latest on true
      order by requests.id ${order}`,
  )
export const fileOldestFirst = rowsOfFile('withdrawals_file_oldest', `> ${afterCursor('$3', 'uuid')}`, 'asc')
export const fileNewestFirst = rowsOfFile(
  'withdrawals_file_newest',
  `< ${beforeCursor('$3', 'uuid')}`,
  'desc',
)
