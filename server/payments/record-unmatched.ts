import { type Db, query } from '#server/database/database.ts'
import { sqlFunction } from '#server/database/sql-function.ts'
import { Refusal } from '#server/http/refusal.ts'
import { disputesWithEffects } from './disputes.ts'
import type { CardMode, CardProvider, Intent } from './provider.ts'

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
  /** JSON. */
  disputes: string
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
  'disputes',
])

const update = sqlFunction<
  { intent: string; seen_revision: number; cents: number; refunded_cents: number; disputes: string },
  boolean
>('update_unmatched_payment', ['intent', 'seen_revision', 'cents', 'refunded_cents', 'disputes'])

/** Returns what is recorded of an unmatched payment; no row for another intent. */
export const unmatchedByIntent = query<
  { cents: number; refunded_cents: number; revision: number },
  [intentId: string]
>(
  'unmatched_payment_by_intent',
  'select cents, refunded_cents, revision from unmatched_payments where intent_id = $1',
)

const ATTEMPTS_MAX = 8

/**
 * Retrieves the intent of an unmatched payment and updates what was refunded and disputed of it. If another change was recorded since the row was
 * read, the response may be from before it, and the intent is retrieved again. Returns false for an intent that is not listed.
 * @throws Refusal `payments_unavailable`, `unavailable` after `ATTEMPTS_MAX` changes.
 */
export async function updateUnmatched(
  { database, cards }: { database: Db; cards: CardProvider },
  intentId: string,
): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const [seen] = await unmatchedByIntent(database, intentId)
    if (seen === undefined) return false
    const intent = await cards.retrieve(intentId)
    const isUpdated = await update(database, {
      intent: intentId,
      seen_revision: seen.revision,
      cents: intent.receivedCents,
      refunded_cents: intent.refundedCents,
      disputes: disputesWithEffects(intent.disputes),
    })
    if (isUpdated) return true
  }
  throw new Refusal('unavailable.payment')
}

/** Lists a paid intent that credits nothing for the Admins. One that is listed already stays as it is (`updateUnmatched`). */
export async function recordUnmatched(
  db: Db,
  mode: CardMode,
  cause: UnmatchedCause,
  intent: Intent,
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
    disputes: disputesWithEffects(intent.disputes),
  })
}
