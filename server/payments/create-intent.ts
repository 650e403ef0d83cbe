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

/** After this an unpaid intent is cancelled: the provider forgets idempotency keys after a day. */
export const INTENT_HOURS_MAX = 23
const TRIES_MAX = 4

/**
 * Begins buying the package of this price, in dollars, and answers what the browser pays with. The purchase is written
 * down before the provider is asked, so that a crash, a second click or a reload finds the same purchase and the same
 * intent. Refuses a price of no package, a package whose last payment is still under way, and one that turns out to
 * be paid already: those coins are credited first, so that nobody pays twice for having been cut off. Refuses
 * `too_many_requests` for who begins very often.
 */
export async function createIntent(context: Cards, viewer: Viewer, price: number): Promise<string> {
  const { database, cards } = context
  const offer = packageOf(price)
  if (offer === undefined) {
    throw new Refusal('invalid_fields.package', { field: 'price' })
  }
  await limitIntents(database, viewer.id, 'begin')
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    const cents = offer.price * 100
    const { id } = await findOrCreatePurchase(database, newId(), viewer.id, offer.coins, cents, cards.mode)
    const [purchase] = await purchaseById(database, id)
    if (purchase === undefined) throw new Error(`Purchase ${id} is gone`)
    const intent = await intentOf(context, purchase)
    if (intent !== null) return intent.clientSecret
  }
  throw new Refusal('unavailable.payment')
}

/** The intent that this open purchase can be paid with, or null when the purchase had to be closed. */
async function intentOf(context: Cards, purchase: PurchaseRow): Promise<Intent | null> {
  const { database, cards } = context
  const old = isOld(purchase)
  if (purchase.intent_id === null) {
    if (old) return close(context, purchase)
    const intent = await cards.create({
      purchaseId: purchase.id,
      userId: purchase.user_id,
      coins: purchase.coins,
      amountCents: purchase.amount_cents,
    })
    await attachIntent(database, purchase.id, intent.id)
    return intent
  }

  const known = await ofProvider(context, purchase.intent_id)
  if (known === null) return close(context, purchase)
  const intent = known.state === 'waiting' && old ? await cards.cancel(known.id) : known
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

async function ofProvider({ cards }: Cards, intentId: string): Promise<Intent | null> {
  try {
    return await cards.retrieve(intentId)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'payment_not_found') return null
    throw error
  }
}

export function isOld({ created_at }: PurchaseRow): boolean {
  return Date.now() - Date.parse(created_at) > INTENT_HOURS_MAX * 3_600_000
}
