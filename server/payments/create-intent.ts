import { v7 as newId } from 'uuid'
import { packageOf } from '#contract/product.ts'
import type { Viewer } from '#server/http/caller.ts'
import { Refusal } from '#server/http/refusal.ts'
import { limitIntents } from './intent-rate-limit.ts'
import type { Intent } from './provider.ts'
import {
  attachIntent,
  closePurchase,
  findOrCreatePurchase,
  type PurchaseRow,
  purchaseById,
} from './queries.ts'
import { type Cards, settle } from './settle.ts'

/** An unpaid intent is cancelled after this long, because the provider keeps idempotency keys for a day. */
export const INTENT_HOURS_MAX = 23
const ATTEMPTS_MAX = 4

/**
 * Creates the intent for the package of this price in dollars and returns its client secret. The purchase is stored before
 * the request to the provider, so that a crash, a second click or a reload finds the same purchase and intent.
 * @throws Refusal `invalid_fields` for a price without a package; `state_conflict` while the last payment for the package
 * is processing, or when it turns out to be paid, in which case its coins are credited first; `too_many_requests`.
 */
export async function createIntent(context: Cards, viewer: Viewer, price: number): Promise<string> {
  const { database, cards } = context
  const offer = packageOf(price)
  if (offer === undefined) {
    throw new Refusal('invalid_fields.package', { field: 'price' })
  }
  await limitIntents(database, viewer.id, 'begin')
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const cents = offer.price * 100
    const { id } = await findOrCreatePurchase(database, newId(), viewer.id, offer.coins, cents, cards.mode)
    const [purchase] = await purchaseById(database, id)
    if (purchase === undefined) throw new Error(`Purchase ${id} does not exist`)
    const intent = await payableIntentOf(context, purchase)
    if (intent !== null) return intent.clientSecret
  }
  throw new Refusal('unavailable.payment')
}

/** Returns the intent to pay this open purchase with, or null when the purchase was closed. */
async function payableIntentOf(context: Cards, purchase: PurchaseRow): Promise<Intent | null> {
  const { database, cards } = context
  const expired = isExpired(purchase)
  if (purchase.intent_id === null) {
    if (expired) return close(context, purchase)
    const intent = await cards.create({
      purchaseId: purchase.id,
      userId: purchase.user_id,
      coins: purchase.coins,
      amountCents: purchase.amount_cents,
    })
    await attachIntent(database, purchase.id, intent.id)
    return intent
  }

  const existing = await retrieveIntent(context, purchase.intent_id)
  if (existing === null) return close(context, purchase)
  const intent = existing.state === 'waiting' && expired ? await cards.cancel(existing.id) : existing
  if (intent.state === 'waiting') return intent
  if (intent.state === 'processing') {
    throw new Refusal('state_conflict.payment_processing')
  }
  if ((await settle(context, purchase)) === 'credited') {
    throw new Refusal('state_conflict.payment_credited', { params: { coins: purchase.coins } })
  }
  return null
}

async function close({ database }: Cards, purchase: PurchaseRow): Promise<null> {
  await closePurchase(database, purchase.id)
  return null
}

async function retrieveIntent({ cards }: Cards, intentId: string): Promise<Intent | null> {
  try {
    return await cards.retrieve(intentId)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'payment_not_found') return null
    throw error
  }
}

export function isExpired({ created_at }: PurchaseRow): boolean {
  return Date.now() - Date.parse(created_at) > INTENT_HOURS_MAX * 3_600_000
}
