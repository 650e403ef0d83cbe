import { type Database, query } from '#server/database/database.ts'
import { sqlFunction } from '#server/database/sql-function.ts'
import { Refusal } from '#server/http/refusal.ts'
import { disputesWithEffects } from './disputes.ts'
import type { CardProvider, Intent } from './provider.ts'
import { closePurchase, type PurchaseRow, purchaseById } from './queries.ts'
import { recordUnmatched, updateUnmatched } from './record-unmatched.ts'

export type Cards = { database: Database; cards: CardProvider }

/** The state of a purchase: `waiting` for the user, `processing` at the provider, or final. */
export type Settlement = 'waiting' | 'processing' | 'credited' | 'closed' | 'refused'

type SettlePurchase = {
  purchase: string
  revision_seen: number
  brand: string
  last4: string
  fingerprint: string
  refunded_cents: number
  /** A JSON array of disputes with their effects. */
  disputes: string
}

/**
 * Books the provider's record of a paid purchase: its coins, once, its refunds and its disputes. Returns `stale` when
 * another change was booked after `revision_seen` was read.
 */
export const settlePurchase = sqlFunction<SettlePurchase, 'credited' | 'stale'>('settle_purchase', [
  'purchase',
  'revision_seen',
  'brand',
  'last4',
  'fingerprint',
  'refunded_cents',
  'disputes',
])
const rejectPurchase = query<never, [id: string]>('reject_purchase', 'select reject_purchase($1)')

const ATTEMPTS_MAX = 8

/**
 * Retrieves a purchase's intent from the provider and books its state: credits the coins once, takes back what was
 * refunded or disputed, closes a cancelled purchase. Idempotent: the client, webhooks and reconciliation all call it. The
 * request runs outside any transaction. If another change was booked since `purchase` was read, both are read again. Of a refused
 * purchase the unmatched payment is updated.
 */
export async function settle(context: Cards, purchase: PurchaseRow): Promise<Settlement> {
  const { database, cards } = context
  if (purchase.intent_id === null) return 'waiting'
  if (purchase.state === 'refused' && (await updateUnmatched(context, purchase.intent_id))) return 'refused'
  let current: PurchaseRow | undefined = purchase
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if (current === undefined) throw new Error(`Purchase ${purchase.id} does not exist`)
    const intent = await cards.retrieve(purchase.intent_id)
    const outcome = await book(database, current, intent)
    if (outcome !== 'stale') return outcome
    ;[current] = await purchaseById(database, purchase.id)
  }
  throw new Refusal('unavailable.payment')
}

async function book(
  database: Database,
  purchase: PurchaseRow,
  intent: Intent,
): Promise<Settlement | 'stale'> {
  if (intent.state === 'cancelled') {
    await closePurchase(database, purchase.id)
    return 'closed'
  }
  if (intent.state !== 'succeeded') return intent.state
  // A credited purchase was compared with its order then. A refused one is credited by an Admin only.
  if (purchase.state === 'refused' || (purchase.state !== 'credited' && !matchesOrder(purchase, intent))) {
    await database.transaction(async (tx) => {
      await recordUnmatched(tx, purchase.mode, 'order_differs', intent)
      await rejectPurchase(tx, purchase.id)
    })
    return 'refused'
  }
  const { card, refundedCents, disputes } = intent
  return settlePurchase(database, {
    purchase: purchase.id,
    revision_seen: purchase.revision,
    brand: card?.brand ?? '',
    last4: card?.last4 ?? '',
    fingerprint: card?.fingerprint ?? '',
    refunded_cents: refundedCents,
    disputes: disputesWithEffects(disputes),
  })
}

/** Returns whether the provider's intent matches the purchase: amount, currency, user, package and mode. */
export function matchesOrder(purchase: PurchaseRow, intent: Intent): boolean {
  return (
    intent.id === purchase.intent_id &&
    intent.purchaseId === purchase.id &&
    intent.userId === purchase.user_id &&
    intent.coins === purchase.coins &&
    intent.amountCents === purchase.amount_cents &&
    intent.receivedCents >= purchase.amount_cents &&
    intent.currency === 'usd' &&
    intent.live === (purchase.mode === 'live')
  )
}
