import { PIPELINED, query, queryOne } from '#server/database/database.ts'
import { beforeCursor } from '#server/database/keyset.ts'
import type { CardMode, PaidTax } from './provider.ts'

export type PurchaseRow = {
  id: string
  user_id: string
  coins: number
  /** What the buyer pays, with the tax. */
  amount_cents: number
  /** The tax that was added to the price. */
  tax: PaidTax | null
  mode: CardMode
  intent_id: string | null
  /** The number of attempts to create the intent. */
  attempt: number
  /** When the requests of that attempt began. */
  attempt_started_at: string
  state: 'open' | 'credited' | 'closed' | 'refused'
  created_at: string
  /** Grows with each booked change of its refunds and disputes. */
  revision: number
}

const PURCHASE = `purchases.id, purchases.user_id, purchases.coins, purchases.amount_cents, purchases.tax, purchases.mode,
  purchases.intent_id, purchases.attempt,
  coalesce(purchases.attempt_started_at, purchases.created_at) as attempt_started_at, purchases.state, purchases.created_at,
  purchase_revision(purchases.id) as revision`

/** Returns the user's open purchase of this package, or creates one. Concurrent calls return the same purchase. */
export const findOrCreatePurchase = queryOne<
  { id: string },
  [id: string, userId: string, coins: number, cents: number, mode: CardMode, tax: PaidTax | null]
>('find_or_create_purchase', 'select find_or_create_purchase($1, $2, $3, $4, $5, $6) as id')

export const purchaseById = query<PurchaseRow, [id: string]>(
  'purchase_by_id',
  `select ${PURCHASE} from purchases where id = $1`,
)

export const purchaseByIntent = query<PurchaseRow, [intentId: string]>(
  'purchase_by_intent',
  `select ${PURCHASE} from purchases where intent_id = $1`,
)

type CardLimitRefusal = 'state_conflict.card_limit' | 'state_conflict.card_buyers'
/** Returns the refusal of a buyer who, or whose card, has reached a limit of the setting `card_limits`, and records it. */
export const cardLimitRefusal = queryOne<
  { refusal: CardLimitRefusal | null },
  [userId: string, cents: number]
>('card_limit_refusal', 'select card_limit_refusal($1, $2) as refusal')
export const purgeLimitHits = query<never, [days: number]>(
  'card_limit_hits_purge',
  `delete from card_limit_hits where day < (clock_time() - $1 * interval '1 day')::date`,
)
/** Counts a declined card of a buyer, once per event. Returns whether the buyer has reached the limit of declined cards. */
export const recordDecline = queryOne<{ reached: boolean }, [eventId: string, userId: string]>(
  'record_card_decline',
  'select record_card_decline($1, $2) as reached',
)
export const purgeDeclines = query<never, [days: number]>(
  'card_declines_purge',
  `delete from card_declines where declined_at < clock_time() - $1 * interval '1 day'`,
)

export const openPurchasesOfUser = query<PurchaseRow, [userId: string]>(
  'purchases_open_of_user',
  `select ${PURCHASE} from purchases where user_id = $1 and state = 'open' order by amount_cents, coins`,
)

/** Stores the browser that a purchase was made with, the first one. */
export const storePurchaseClient = query<never, [id: string, ip: string, userAgent: string]>(
  'purchase_store_client',
  `update purchases set ip = $2, user_agent = $3 where id = $1 and ip = ''`,
)
/** Removes the browsers of purchases that can hardly be disputed any more. */
export const purgePurchaseClients = query<never, [days: number]>(
  'purchase_clients_purge',
  `update purchases set ip = '', user_agent = '' where ip <> '' and created_at < clock_time() - $1 * interval '1 day'`,
)

/** Stores the purchase of a client's idempotency key. */
export const storePurchaseKey = query<never, [userId: string, key: string, purchaseId: string]>(
  'purchase_key_store',
  `insert into purchase_keys (user_id, key, purchase_id) values ($1, $2, $3)
   on conflict (user_id, key) do update set purchase_id = excluded.purchase_id
    where purchase_keys.purchase_id <> excluded.purchase_id`,
)
/** Returns the purchase of a client's idempotency key, unless it was closed. */
export const purchaseByKey = query<PurchaseRow, [userId: string, key: string]>(
  'purchase_by_key',
  `select ${PURCHASE} from purchases
     join purchase_keys on purchase_keys.purchase_id = purchases.id
    where purchase_keys.user_id = $1 and purchase_keys.key = $2 and purchases.state <> 'closed'`,
)
export const deletePurchaseKeys = query<never, [days: number]>(
  'purchase_keys_purge',
  `delete from purchase_keys where created_at < clock_time() - $1 * interval '1 day'`,
)

/** Stores the intent of a purchase. Returns nothing when the purchase has another. */
export const attachIntent = query<{ id: string }, [id: string, intentId: string]>(
  'purchase_attach_intent',
  `update purchases set intent_id = $2, checked_at = clock_time()
    where id = $1 and (intent_id is null or intent_id = $2) returning id`,
)

/**
 * Starts an attempt to create the intent, with this customer, and returns the current one: that of a concurrent or earlier
 * call if it started this attempt or a later one. `restart`: its requests begin now, because earlier ones created nothing.
 */
export const startAttempt = queryOne<
  { attempt: number; customer_id: string | null; attempt_started_at: string },
  [id: string, attempt: number, customerId: string | null, restart: boolean]
>(
  'purchase_start_attempt',
  `update purchases set attempt = greatest(attempt, $2),
          customer_id = case when attempt < $2 then $3 else customer_id end,
          attempt_started_at = case when attempt < $2 or $4 then clock_time() else coalesce(attempt_started_at, created_at) end
    where id = $1 returning attempt, customer_id, attempt_started_at`,
)

export const closePurchase = query<never, [id: string]>(
  'purchase_close',
  `update purchases set state = 'closed', closed_at = clock_time() where id = $1 and state = 'open'`,
)

// A time in the future means that the clock has been set back since, so the purchase counts as unchecked.
const uncheckedFor = (interval: string) =>
  `(checked_at <= clock_time() - ${interval} or checked_at > clock_time())`

/** Claims open purchases that were not checked for some minutes, and marks them as checked. */
export const claimStalePurchases = query<PurchaseRow, [minutes: number, count: number]>(
  'purchases_claim_stale',
  `update purchases set checked_at = clock_time()
    where id in (select id from purchases
                  where state = 'open' and ${uncheckedFor(`$1 * interval '1 minute'`)}
                  order by checked_at limit $2 for update skip locked)
   returning ${PURCHASE}`,
)

/** Claims credited purchases of the last `days` that were not checked for `hours`, and marks them as checked. */
export const claimPurchasesToReconcile = query<PurchaseRow, [days: number, hours: number, count: number]>(
  'purchases_claim_to_reconcile',
  `update purchases set checked_at = clock_time()
    where id in (select id from purchases
                  where state = 'credited' and checked_at > clock_time() - $1 * interval '1 day'
                    and created_at > clock_time() - $1 * interval '1 day'
                    and ${uncheckedFor(`$2 * interval '1 hour'`)}
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
  user_id: string
  unclaimed: boolean
}

export const PAYMENT = `payments.id, payments.number, users.email, users.name, payments.transaction_id, payments.mode,
  payments.amount_cents, payments.coins, payments.status, payments.reversed_cents, payments.reversed_coins,
  payments.card_brand, payments.card_last4, payments.paid_at, payments.user_id, payments.coins = 0 as unclaimed
  from payments join users on users.id = payments.user_id`

/** Returns a user's payments, newest first. */
export const paymentsOfUser = query<PaymentRow, [emailKey: string, after: number | null, count: number]>(
  'payments_of_user',
  `select ${PAYMENT} where users.email_key = $1 and payments.number < ${beforeCursor('$2', 'bigint')}
    order by payments.number desc limit $3`,
  PIPELINED,
)

/** Returns the payment of a transaction if it belongs to this user; null stands for any user. */
export const paymentByTransaction = query<PaymentRow, [transactionId: string, userId: string | null]>(
  'payment_by_transaction',
  `select ${PAYMENT} where payments.transaction_id = $1 and ($2::uuid is null or payments.user_id = $2)`,
)

export const balanceOfUser = queryOne<{ coins: number; debt: number }, [userId: string]>(
  'balance_of_user',
  `select balance as coins, debt from ledger_accounts where id = (select account_id from users where id = $1)`,
  PIPELINED,
)

/** Returns the coins of a purchase that repaid a debt, which the transaction of the credit booked after it. */
export const repaymentOfPurchase = query<{ coins: number }, [purchaseId: string]>(
  'repayment_of_purchase',
  `select repaid.amount as coins
     from transfer_keys as keys
     join ledger_transfers as bought on bought.id = keys.transfer_id
     join ledger_transfers as repaid on repaid.debit = bought.credit and repaid.id > bought.id
                                    and repaid.kind = 'debt_paid' and repaid.created_at = bought.created_at
    where keys.kind = 'coins_bought' and keys.ref = $1
    order by repaid.id limit 1`,
)
