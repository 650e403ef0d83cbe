import type { PayoutBatchState, PayoutState } from '#contract/payout-states.ts'
import type { PaymentSystem } from '#contract/product.ts'
import { MANY_ROWS, query, queryOne } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'
import type { BankDetails } from '#server/destinations/bank-details.ts'

type Admin = { _id: string; name: string } | null

export type PayoutBatchRow = {
  id: string
  state: PayoutBatchState
  payment_system: PaymentSystem | null
  provider: string | null
  created_by: Admin
  created_at: string
  checked_by: Admin
  checked_at: string | null
  released_by: Admin
  released_at: string | null
  exported_at: string | null
  reconciled_at: string | null
  cancelled_at: string | null
  file_sha256: string | null
  counts: Partial<Record<PayoutState, number>>
  coins: number
  cents: number
}

const admin = (column: string) =>
  `(select jsonb_build_object('_id', id, 'name', name) from users where id = batches.${column}) as ${column}`

const BATCH = `batches.id, batches.state, batches.payment_system, batches.provider, batches.created_at, batches.checked_at,
  batches.released_at, batches.exported_at, batches.reconciled_at, batches.cancelled_at, batches.file_sha256,
  ${admin('created_by')}, ${admin('checked_by')}, ${admin('released_by')}, totals.counts, totals.coins, totals.cents`
const TOTALS = `cross join lateral (
    select coalesce(jsonb_object_agg(state, payouts), '{}') as counts,
           coalesce(sum(coins) filter (where state <> 'removed'), 0)::bigint as coins,
           coalesce(sum(cents) filter (where state <> 'removed'), 0)::bigint as cents
      from (select state, count(*) as payouts, sum(coins) as coins, sum(cents) as cents
              from payouts where batch_id = batches.id group by state) as states) as totals`

export type PayoutBatchFilterParams = [state: PayoutBatchState | null, from: string | null, to: string | null]

const FILTER = `not batches.single and ($1::payout_batch_state is null or batches.state = $1)
  and batches.created_at >= coalesce($2::date::timestamp at time zone 'UTC', '-infinity')
  and batches.created_at < coalesce(($3::date + 1)::timestamp at time zone 'UTC', 'infinity')`

export const payoutBatchesNewestFirst = query<
  PayoutBatchRow,
  [...PayoutBatchFilterParams, before: string | null, limit: number]
>(
  'payout_batches_newest',
  `select ${BATCH} from payout_batches as batches ${TOTALS}
    where ${FILTER} and batches.id < ${beforeCursor('$4', 'uuid')} order by batches.id desc limit $5`,
)

type Sums = { batches: number; payouts: number; coins: number; cents: number }
export const totalsOfPayoutBatches = queryOne<Sums, PayoutBatchFilterParams>(
  'payout_batches_totals',
  `select count(distinct batches.id) as batches, count(payouts.id) as payouts,
          coalesce(sum(payouts.coins), 0)::bigint as coins, coalesce(sum(payouts.cents), 0)::bigint as cents
     from payout_batches as batches
     left join payouts on payouts.batch_id = batches.id and payouts.state <> 'removed'
    where ${FILTER}`,
)

export const payoutBatchById = query<
  PayoutBatchRow & { needs_second_admin: boolean; rate: string | null },
  [id: string]
>(
  'payout_batch',
  `select ${BATCH}, batches.state in ('draft', 'checked') and payout_batch_needs_second_admin(batches.id) as needs_second_admin,
          (select trim_scale(rate)::text from exchange_rates where id = batches.exchange_rate_id) as rate
     from payout_batches as batches ${TOTALS} where batches.id = $1 and not batches.single`,
)

export type PayoutRow = BankDetails & {
  id: string
  batch_id: string
  withdrawal_id: string
  attempt: number
  reference: string
  state: PayoutState
  worker_id: string
  worker_name: string
  worker_email: string
  payment_system: PaymentSystem
  account_number: string
  coins: number
  cents: number
  poisha: number | null
  fee_poisha: number | null
  transaction_id: string
  failure: string
  retryable: boolean
  stopped: boolean
  sent_at: string | null
  settled_at: string | null
}

/** Returns the payouts of a payout batch in the order of their requests. */
export const payoutsOfBatch = query<PayoutRow, [batch: string]>(
  'payouts_of_batch',
  `select payouts.id, batch_id, withdrawal_id, attempt, reference, payouts.state, worker.id as worker_id, worker.name as worker_name, worker.email as worker_email,
          payouts.payment_system, payouts.account_number, holder_name, bank_name, branch, routing_number, payouts.coins, cents,
          poisha, fee_poisha, transaction_id, failure, sent_at, settled_at,
          payouts.state = 'failed' and worker.is_pending and not exists (
            select from payouts as later where later.withdrawal_id = payouts.withdrawal_id and later.attempt > payouts.attempt
               and later.state <> 'removed') as retryable,
          case when payouts.state in ('queued', 'sent') then is_payout_stopped(withdrawal_id) else false end as stopped
     from payouts cross join lateral (
            select users.id, users.name, users.email, withdrawals.status = 'pending' as is_pending
              from withdrawals join users on users.id = withdrawals.worker_id where withdrawals.id = withdrawal_id limit 1) as worker
    where batch_id = $1 order by withdrawal_id`,
  MANY_ROWS,
)

type Destination = { payment_system: PaymentSystem; bank_name: string }
export const destinationOf = query<Destination, [payout: string]>(
  'payout_destination',
  'select payment_system, bank_name from payouts where id = $1',
)

/** A change by an Admin; `modified` is 0 for a repetition. */
export type Modified = { modified: number }
export const change = (name: string, parameters: string) =>
  `select ${name}(${parameters}) as modified` as const

export const createPayoutBatch = queryOne<
  Modified,
  [id: string, withdrawals: string[], admin: string, provider: string | null]
>('create_payout_batch', change('create_payout_batch', '$1, $2::uuid[], $3, $4'), MANY_ROWS)
export const checkPayoutBatch = queryOne<Modified, [batch: string, admin: string]>(
  'check_payout_batch',
  change('check_payout_batch', '$1, $2'),
)
export const setProvider = queryOne<Modified, [batch: string, admin: string, provider: string | null]>(
  'set_payout_provider',
  change('set_payout_provider', '$1, $2, $3'),
)
export const cancelPayoutBatch = queryOne<Modified, [batch: string, admin: string]>(
  'cancel_payout_batch',
  change('cancel_payout_batch', '$1, $2'),
)
export const confirmPayoutBatch = queryOne<
  Modified,
  [batch: string, admin: string, transactionId: string, payouts: string[] | null]
>('confirm_payout_batch', change('confirm_payout_batch', '$1, $2, $3, $4'), MANY_ROWS)
export const removePayout = queryOne<Modified, [payout: string, admin: string]>(
  'remove_payout',
  change('remove_payout', '$1, $2'),
)
export const confirmPayout = queryOne<Modified, [payout: string, admin: string, transactionId: string]>(
  'confirm_payout',
  change('confirm_payout', `$1, 'admin', $2, $3`),
)
export const failPayout = queryOne<
  Modified,
  [payout: string, admin: string, reason: string, returnCoins: boolean]
>('fail_payout', change('fail_payout', `$1, 'admin', $2, $3, $4`))
export const markPayoutUnknown = queryOne<Modified, [payout: string, admin: string, reason: string]>(
  'mark_payout_unknown',
  change('mark_payout_unknown', `$1, 'admin', $2, $3`),
)
export const retryPayout = queryOne<Modified, [payout: string, admin: string, accountNumber: string]>(
  'retry_payout',
  change('retry_payout', '$1, $2, $3'),
)
export const claimPayout = queryOne<
  Modified & { awaits_second: boolean },
  [withdrawal: string, admin: string, reason: string]
>('claim_payout', 'select modified, awaits_second from claim_payout($1, $2, $3)')
export const releaseClaim = queryOne<Modified, [withdrawal: string, admin: string]>(
  'release_payout_claim',
  change('release_payout_claim', '$1, $2'),
)
