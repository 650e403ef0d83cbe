import { type Db, PIPELINED, query, queryOne } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'
import type { CardMode } from './provider.ts'

export type PurchaseRow = {
  id: string
  user_id: string
  coins: number
  amount_cents: number
  mode: CardMode
  intent_id: string | null
  state: 'open' | 'credited' | 'closed' | 'refused'
  created_at: string
  /** How often the provider has taken money back or returned it, as far as is booked. */
  reversals: number
}

const PURCHASE = `purchases.id, purchases.user_id, purchases.coins, purchases.amount_cents, purchases.mode,
  purchases.intent_id, purchases.state, purchases.created_at,
  (select count(*) from payment_reversals where payment_id = purchases.id) as reversals`

/** The person's open purchase of this package, made if there is none: two calls at once get the same. */
export const findOrCreatePurchase = queryOne<
  { id: string },
  [id: string, userId: string, coins: number, cents: number, mode: CardMode]
>('begin_purchase', 'select find_or_create_purchase($1, $2, $3, $4, $5) as id')

export const purchaseById = query<PurchaseRow, [id: string]>(
  'purchase_by_id',
  `select ${PURCHASE} from purchases where id = $1`,
)

export const purchaseByIntent = query<PurchaseRow, [intentId: string]>(
  'purchase_by_intent',
  `select ${PURCHASE} from purchases where intent_id = $1`,
)

export const attachIntent = query<never, [id: string, intentId: string]>(
  'purchase_attach_intent',
  'update purchases set intent_id = $2, checked_at = clock_time() where id = $1 and intent_id is null',
)

export const closePurchase = query<never, [id: string]>(
  'purchase_close',
  `update purchases set state = 'closed', closed_at = clock_time() where id = $1 and state = 'open'`,
)

// A clock that was ahead and went back leaves times to come: those were not asked about lately either.
const notAskedFor = (interval: string) =>
  `(checked_at <= clock_time() - ${interval} or checked_at > clock_time())`

/** Open purchases that nobody has heard of for a while; taking them marks them as looked at. */
export const claimStalePurchases = query<PurchaseRow, [minutes: number, count: number]>(
  'purchases_take_forgotten',
  `update purchases set checked_at = clock_time()
    where id in (select id from purchases
                  where state = 'open' and ${notAskedFor(`$1 * interval '1 minute'`)}
                  order by checked_at limit $2 for update skip locked)
   returning ${PURCHASE}`,
)

/** Credited purchases of the last `days` that nobody has asked about for so long; taking them marks them as well. */
export const claimPurchasesToReconcile = query<PurchaseRow, [days: number, hours: number, count: number]>(
  'purchases_take_to_compare',
  `update purchases set checked_at = clock_time()
    where id in (select id from purchases
                  where state = 'credited' and checked_at > clock_time() - $1 * interval '1 day'
                    and created_at > clock_time() - $1 * interval '1 day'
                    and ${notAskedFor(`$2 * interval '1 hour'`)}
                  order by checked_at limit $3 for update skip locked)
   returning ${PURCHASE}`,
)

export type PaymentRow = {
  id: string
  number: number
  email: string
  name: string
  transaction_id: string
  mode: CardMode
  amount_cents: number
  coins: number
  status: 'paid' | 'refunded' | 'disputed'
  reversed_cents: number
  reversed_coins: number
  card_brand: string
  card_last4: string
  paid_at: string
  unclaimed: boolean
}

const PAYMENT = `payments.id, payments.number, users.email, users.name, payments.transaction_id, payments.mode,
  payments.amount_cents, payments.coins, payments.status, payments.reversed_cents, payments.reversed_coins,
  payments.card_brand, payments.card_last4, payments.paid_at, payments.coins = 0 as unclaimed
  from payments join users on users.id = payments.user_id`

/** A person's payments, newest first. */
export const paymentsOf = query<PaymentRow, [emailKey: string, after: number | null, count: number]>(
  'payments_of',
  `select ${PAYMENT} where users.email_key = $1 and payments.number < ${beforeCursor('$2', 'bigint')}
    order by payments.number desc limit $3`,
  PIPELINED,
)

/** One of a person's payments, by its transaction; an Admin names nobody and gets anybody's. */
export const paymentByTransaction = query<PaymentRow, [transactionId: string, userId: string | null]>(
  'payment_by_transaction',
  `select ${PAYMENT} where payments.transaction_id = $1 and ($2::uuid is null or payments.user_id = $2)`,
)

// One statement for each combination, each of which an index answers.
const STATUS = { any: '$2::payment_status is null', one: 'payments.status = $2' }
const BEFORE = `payments.number < ${beforeCursor('$3', 'bigint')}`

const newest = (status: keyof typeof STATUS) =>
  query<PaymentRow, [count: number, status: string | null, after: number | null]>(
    `payments_newest_of_${status}`,
    `select ${PAYMENT} where ${STATUS[status]} and ${BEFORE} order by payments.number desc limit $1`,
  )
// Words that find more than a thousand people tell nobody apart; the newest of them stand for all.
const found = (status: keyof typeof STATUS) =>
  query<
    PaymentRow,
    [count: number, status: string | null, after: number | null, words: string, transactionId: string]
  >(
    `payments_found_of_${status}`,
    `with people as (
       select id from users where search @@ to_tsquery('simple', $4) order by id desc limit 1000
     ), theirs as (
       select newest.id from people cross join lateral (
         select id from payments
          where user_id = people.id and ${STATUS[status]} and ${BEFORE} order by number desc limit $1
       ) as newest
       union
       select id from payments where transaction_id = $5 and ${STATUS[status]} and ${BEFORE}
     )
     select ${PAYMENT} where payments.id in (select id from theirs) order by payments.number desc limit $1`,
  )
const NEWEST = { any: newest('any'), one: newest('one') }
const FOUND = { any: found('any'), one: found('one') }

type Search = { words: string; transactionId: string }

/** Everybody's payments, newest first: all, or those of people whom `words` finds and of exactly this transaction. */
export function allPayments(
  db: Db,
  search: Search | null,
  status: string | null,
  after: number | null,
  count: number,
): Promise<PaymentRow[]> {
  const of = status === null ? 'any' : 'one'
  if (search === null) return NEWEST[of](db, count, status, after)
  return FOUND[of](db, count, status, after, search.words, search.transactionId)
}

export const balanceOfUser = queryOne<{ coins: number }, [userId: string]>(
  'balance_of_user',
  `select balance as coins from ledger_accounts where id = (select account_id from users where id = $1)`,
  PIPELINED,
)
