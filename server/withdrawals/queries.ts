import type { PaymentSystem } from '#contract/product.ts'
import type { Origin, WithdrawalStatus } from '#contract/withdrawals.ts'
import { PIPELINED, query } from '#server/database/database.ts'
import { afterCursor, beforeCursor } from '#server/database/keyset.ts'

export type WithdrawalRow = {
  id: string
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
export type WithdrawalWithProvenance = WithdrawalRow & { origin: Origin }

const COLUMNS = `withdrawals.id, users.name as worker_name, users.email as worker_email, withdrawals.coins,
  withdrawals.amount_cents, withdrawals.payment_system, withdrawals.account_number, withdrawals.status,
  withdrawals.reason, withdrawals.requested_on, withdrawals.created_at, withdrawals.decided_at`

type ListValues = [status: WithdrawalStatus, after: string | null, limit: number, words: string | null]

/** Lists withdrawals with one status and the provenance of their coins. `words` match the worker's name and email. */
const withProvenance = (name: string, cursor: string, order: 'asc' | 'desc') =>
  query<WithdrawalWithProvenance, ListValues>(
    name,
    `with requests as materialized (
       select ${COLUMNS} from withdrawals join users on users.id = withdrawals.worker_id
        where withdrawals.status = $1 and withdrawals.id ${cursor}
          and ($4::text is null or users.search @@ to_tsquery('simple', $4))
        order by withdrawals.id ${order} limit $3)
     select requests.*, coin_provenance(id) as origin from requests order by id ${order}`,
  )

export const withdrawalsOldestFirst = withProvenance(
  'withdrawals_oldest',
  `> ${afterCursor('$2', 'uuid')}`,
  'asc',
)
export const withdrawalsNewestFirst = withProvenance(
  'withdrawals_newest',
  `< ${beforeCursor('$2', 'uuid')}`,
  'desc',
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
