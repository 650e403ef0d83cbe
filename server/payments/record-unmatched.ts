import { type Db, query } from '#server/database/database.ts'
import { sqlFunction } from '#server/database/sql-function.ts'
import type { CardMode, PaidIntent } from './provider.ts'

/** Why a paid intent credits nothing: its purchase is not in this database, or was for something else. */
export type UnmatchedCause = 'no_purchase' | 'order_differs'

type Recorded = {
  intent: string
  cause: UnmatchedCause
  mode: CardMode
  purchase: string | null
  user: string | null
  cents: number
  refunded_cents: number
  currency: string
  brand: string
  last4: string
  fingerprint: string
  paid_at: string
  /** JSON. */
  tax: string | null
}
const record = sqlFunction<Recorded>('record_unmatched_payment', [
  'intent',
  'cause',
  'mode',
  'purchase',
  'user',
  'cents',
  'refunded_cents',
  'currency',
  'brand',
  'last4',
  'fingerprint',
  'paid_at',
  'tax',
])

const byIntent = query<{ id: string }, [intentId: string]>(
  'unmatched_payment_by_intent',
  'select id from unmatched_payments where intent_id = $1',
)

/** Returns whether a paid intent is listed as unmatched. */
export async function isUnmatched(db: Db, intentId: string): Promise<boolean> {
  return (await byIntent(db, intentId)).length > 0
}

/** Lists a paid intent that credits nothing for the Admins, or updates what was refunded of it. */
export async function recordUnmatched(
  db: Db,
  mode: CardMode,
  cause: UnmatchedCause,
  intent: PaidIntent,
): Promise<void> {
  await record(db, {
    intent: intent.id,
    cause,
    mode,
    purchase: intent.purchaseId,
    user: intent.userId,
    cents: intent.receivedCents,
    refunded_cents: intent.refundedCents,
    currency: intent.currency,
    brand: intent.card?.brand ?? '',
    last4: intent.card?.last4 ?? '',
    fingerprint: intent.card?.fingerprint ?? '',
    paid_at: intent.createdAt,
    tax: intent.tax && JSON.stringify(intent.tax),
  })
}
