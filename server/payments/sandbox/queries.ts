import { query } from '#server/database/database.ts'
import type { DisputeEvidence, PaidTax } from '../provider.ts'
import type { CardError, SandboxCard } from './test-cards.ts'

export type IntentRow = {
  id: string
  client_secret: string
  amount_cents: number
  metadata: { purchase_id: string; user_id: string; coins: number; tax?: PaidTax }
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
  card: string
  card_brand: string
  card_last4: string
  last_error: CardError | null
  refunded_cents: number
  disputed_cents: number
  dispute_status: string | null
  /** Null without a dispute, and for one of the version before. */
  disputed_at: string | null
  created_at: string
  customer_id: string | null
  /** The card that the buyer chose to save, once the payment succeeds. */
  card_to_save: SandboxCard | null
}

const COLUMNS = `id, client_secret, amount_cents, metadata, status, card, card_brand, card_last4, last_error,
  refunded_cents, disputed_cents, dispute_status, disputed_at, created_at, customer_id, card_to_save`

export const addIntent = query<
  never,
  [
    id: string,
    secret: string,
    key: string,
    cents: number,
    metadata: IntentRow['metadata'],
    customerId: string | null,
  ]
>(
  'sandbox_add_intent',
  `insert into sandbox_intents (id, client_secret, idempotency_key, amount_cents, metadata, customer_id)
   values ($1, $2, $3, $4, $5, $6) on conflict (idempotency_key) do nothing`,
)
export const intentByKey = query<IntentRow, [key: string]>(
  'sandbox_intent_by_key',
  `select ${COLUMNS} from sandbox_intents where idempotency_key = $1`,
)
export const intentByPurchase = query<IntentRow, [purchaseId: string]>(
  'sandbox_intent_by_purchase',
  `select ${COLUMNS} from sandbox_intents where metadata ->> 'purchase_id' = $1 order by created_at limit 1`,
)
export const paidIntents = query<IntentRow, [since: string, after: string, count: number]>(
  'sandbox_paid_intents',
  `select ${COLUMNS} from sandbox_intents where status = 'succeeded' and created_at >= $1 and id > $2 order by id limit $3`,
)
export const intentById = query<IntentRow, [id: string]>(
  'sandbox_intent_by_id',
  `select ${COLUMNS} from sandbox_intents where id = $1`,
)
export const intentBySecret = query<IntentRow, [secret: string]>(
  'sandbox_intent_by_secret',
  `select ${COLUMNS} from sandbox_intents where client_secret = $1`,
)

/**
 * Records an attempt to pay, and saves the card when it succeeds. Only an intent that waits for payment is updated. A deleted
 * customer saves nothing.
 */
export const recordAttempt = query<
  IntentRow,
  [
    id: string,
    status: string,
    card: string,
    brand: string,
    last4: string,
    error: CardError | null,
    save: { id: string; card: SandboxCard } | null,
  ]
>(
  'sandbox_record_attempt',
  `with attempt as (
     update sandbox_intents set status = $2, card = $3, card_brand = $4, card_last4 = $5, last_error = $6,
            card_to_save = $7::jsonb -> 'card'
      where id = $1 and status in ('requires_payment_method', 'requires_action') returning ${COLUMNS}
   ), customer as (
     select id from sandbox_customers
      where id = (select customer_id from attempt where status = 'succeeded') for key share
   ), saved as (
     insert into sandbox_cards (id, customer_id, card)
     select $7::jsonb ->> 'id', customer.id, $7::jsonb -> 'card' from customer where $7::jsonb is not null
     on conflict (customer_id, card) do nothing
   )
   select * from attempt`,
)
export const cancelIntent = query<IntentRow, [id: string]>(
  'sandbox_cancel',
  `update sandbox_intents set status = 'canceled'
    where id = $1 and status in ('requires_payment_method', 'requires_action') returning ${COLUMNS}`,
)
export const reverseIntent = query<
  IntentRow,
  [id: string, refundedCents: number, disputedCents: number, disputeStatus: string | null]
>(
  'sandbox_reverse',
  `update sandbox_intents set refunded_cents = $2, disputed_cents = $3, dispute_status = $4,
          disputed_at = case when $3::bigint > 0 then coalesce(disputed_at, clock_time()) end
    where id = $1 and status = 'succeeded' returning ${COLUMNS}`,
)

/** Refunds a paid intent, in whole (null) or in part, once per key. Returns nothing for a known key or without money left. */
export const addRefund = query<
  { cents: number },
  [key: string, intentId: string, refundId: string, cents: number | null]
>(
  'sandbox_add_refund',
  `with intent as (
     select id, least(coalesce($4::bigint, amount_cents), amount_cents - refunded_cents) as cents
       from sandbox_intents where id = $2 and status = 'succeeded' for no key update
   ), added as (
     insert into sandbox_refunds (key, intent_id, refund_id, cents)
     select $1, id, $3, cents from intent where cents > 0 on conflict (key) do nothing returning cents
   )
   update sandbox_intents set refunded_cents = refunded_cents + added.cents from added where sandbox_intents.id = $2
   returning added.cents`,
)
export const refundsOfIntent = query<{ key: string; refund_id: string; cents: number }, [intentId: string]>(
  'sandbox_refunds_of_intent',
  'select key, refund_id, cents from sandbox_refunds where intent_id = $1',
)

export const addCustomer = query<never, [id: string]>(
  'sandbox_add_customer',
  'insert into sandbox_customers (id) values ($1) on conflict (id) do nothing',
)
export const customerById = query<{ id: string }, [id: string]>(
  'sandbox_customer_by_id',
  'select id from sandbox_customers where id = $1',
)
/** Deletes a customer and, by the foreign key, their cards. */
export const removeCustomer = query<never, [id: string]>(
  'sandbox_remove_customer',
  'delete from sandbox_customers where id = $1',
)
export const cardsOfCustomer = query<{ id: string; card: SandboxCard }, [customerId: string]>(
  'sandbox_cards_of_customer',
  'select id, card from sandbox_cards where customer_id = $1 order by created_at desc',
)
export const removeCard = query<{ id: string }, [customerId: string, cardId: string]>(
  'sandbox_remove_card',
  'delete from sandbox_cards where customer_id = $1 and id = $2 returning id',
)

export const addFile = query<never, [id: string, type: string, bytes: number]>(
  'sandbox_add_file',
  'insert into sandbox_files (id, type, bytes) values ($1, $2, $3)',
)
export const filesById = query<{ id: string }, [ids: string[]]>(
  'sandbox_files_by_id',
  'select id from sandbox_files where id = any ($1)',
)
/** Stores what the bank was sent. */
export const storeEvidence = query<
  never,
  [intentId: string, evidence: DisputeEvidence['evidence'] & Pick<DisputeEvidence, 'files'>]
>('sandbox_store_evidence', 'update sandbox_intents set evidence = $2 where id = $1')
