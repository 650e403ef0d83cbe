import { type Db, query, queryOne } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'
import { PAYMENT, type PaymentRow } from './queries.ts'

export type Filter = {
  /** Words of names and emails, and a transaction id; null without a search. */
  terms: { words: string; transactionId: string } | null
  status: PaymentRow['status'] | null
  from: string | null
  to: string | null
}

type FilterValues = [status: string | null, from: string | null, to: string | null]
type SearchValues = [words: string, transactionId: string]

const DAYS = `payments.paid_at >= coalesce($2::date::timestamp at time zone 'UTC', '-infinity')
  and payments.paid_at < coalesce(($3::date + 1)::timestamp at time zone 'UTC', 'infinity')`
const STATUS = { any: '$1::payment_status is null', one: 'payments.status = $1' }
type StatusKey = keyof typeof STATUS
const filterOf = (status: StatusKey) => `${STATUS[status]} and ${DAYS}`
// The same days without the index of times: without knowing them, PostgreSQL would read all payments of the days for each user.
const filterOfUser = (status: StatusKey) =>
  `${STATUS[status]} and (payments.paid_at at time zone 'UTC')::date between coalesce($2::date, '-infinity') and coalesce($3::date, 'infinity')`
// A search that matches more than a thousand users is not selective; only the newest of them are considered.
const matchingUsers = (words: string) =>
  `select id from users where search @@ to_tsquery('simple', ${words}) order by id desc limit 1000`

// One statement for each combination of filters, each with an index.
const newest = (status: StatusKey) =>
  query<PaymentRow, [...FilterValues, count: number, after: number | null]>(
    `payments_newest_of_${status}`,
    `select ${PAYMENT} where ${filterOf(status)} and payments.number < ${beforeCursor('$5', 'bigint')}
      order by payments.number desc limit $4`,
  )
const search = (status: StatusKey) =>
  query<PaymentRow, [...FilterValues, count: number, after: number | null, ...SearchValues]>(
    `payments_search_of_${status}`,
    `with matching_users as (${matchingUsers('$6')}), matching_payments as (
       select newest.id from matching_users cross join lateral (
         select id from payments
          where user_id = matching_users.id and ${filterOfUser(status)} and payments.number < ${beforeCursor('$5', 'bigint')}
          order by number desc limit $4
       ) as newest
       union
       select id from payments
        where transaction_id = $7 and ${filterOf(status)} and payments.number < ${beforeCursor('$5', 'bigint')}
     )
     select ${PAYMENT} where payments.id in (select id from matching_payments) order by payments.number desc limit $4`,
  )
const NEWEST = { any: newest('any'), one: newest('one') }
const SEARCH = { any: search('any'), one: search('one') }

/** Returns payments of all users, newest first. A search matches users by words and payments by their transaction id. */
export function allPayments(
  db: Db,
  filter: Filter,
  after: number | null,
  count: number,
): Promise<PaymentRow[]> {
  const { terms, status } = filter
  const values: FilterValues = [status, filter.from, filter.to]
  const key = status === null ? 'any' : 'one'
  if (terms === null) return NEWEST[key](db, ...values, count, after)
  return SEARCH[key](db, ...values, count, after, terms.words, terms.transactionId)
}

type Totals = { payments: number; cents: number; returned: number; coins: number }
const SUMS = `count(*) as payments, coalesce(sum(amount_cents), 0)::bigint as cents,
  coalesce(sum(reversed_cents), 0)::bigint as returned, coalesce(sum(coins), 0)::bigint as coins`

const totals = (status: StatusKey) =>
  queryOne<Totals, FilterValues>(
    `payments_totals_of_${status}`,
    `select ${SUMS} from payments where ${filterOf(status)}`,
  )
const totalsOfSearch = (status: StatusKey) =>
  queryOne<Totals, [...FilterValues, ...SearchValues]>(
    `payments_search_totals_of_${status}`,
    `select ${SUMS} from payments where ${filterOf(status)} and payments.id in (
       select id from payments where user_id in (${matchingUsers('$4')})
       union all select id from payments where transaction_id = $5)`,
  )
const TOTALS = { any: totals('any'), one: totals('one') }
const TOTALS_OF_SEARCH = { any: totalsOfSearch('any'), one: totalsOfSearch('one') }

/** Returns the sums of the payments that a filter finds. */
export function totalsOfPayments(db: Db, { terms, status, from, to }: Filter): Promise<Totals> {
  const key = status === null ? 'any' : 'one'
  if (terms === null) return TOTALS[key](db, status, from, to)
  return TOTALS_OF_SEARCH[key](db, status, from, to, terms.words, terms.transactionId)
}
