import { Refusal } from '#server/http/refusal.ts'
import { isExpired } from './create-intent.ts'
import { claimPurchasesToReconcile, claimStalePurchases, closePurchase, type PurchaseRow } from './queries.ts'
import { verifyRefunds } from './refunds.ts'
import { type Cards, settle } from './settle.ts'

const STALE_MINUTES = 10
const BATCH = 50

/** Most banks accept disputes for about four months, some for longer. */
const COMPARED_DAYS = 180
const COMPARED_HOURS = 24
const COMPARED_MAX = 500

/**
 * Checks stale purchases with the provider, whose browser never reported back and whose webhook was lost: credits paid
 * ones, closes cancelled ones and cancels those unpaid for `INTENT_HOURS_MAX`. Stops when the provider is unavailable.
 */
export async function reconcilePurchases(context: Cards): Promise<void> {
  const claim = () => claimStalePurchases(context.database, STALE_MINUTES, BATCH)
  await processClaimed(context, claim, (purchase) => reconcile(context, purchase))
}

/**
 * Compares credited purchases with the provider, least recently checked first, each at most once a day, and books refunds,
 * refunds that failed afterwards and disputes whose webhooks were lost.
 */
export async function comparePayments(context: Cards): Promise<void> {
  const claim = () => claimPurchasesToReconcile(context.database, COMPARED_DAYS, COMPARED_HOURS, BATCH)
  await processClaimed(context, claim, (purchase) => compare(context, purchase), COMPARED_MAX)
}

async function compare(context: Cards, purchase: PurchaseRow): Promise<void> {
  await settle(context, purchase)
  await verifyRefunds(context, purchase.id)
}

async function processClaimed(
  { database }: Cards,
  claim: () => Promise<PurchaseRow[]>,
  work: (purchase: PurchaseRow) => Promise<unknown>,
  max = Number.POSITIVE_INFINITY,
): Promise<void> {
  const unexpected: unknown[] = []
  let isAvailable = true
  for (let processed = 0, isLast = false; processed < max && isAvailable && !isLast; ) {
    const claimed = await claim()
    processed += claimed.length
    isLast = claimed.length < BATCH
    for (const purchase of claimed) {
      try {
        await work(purchase)
      } catch (error) {
        if (!(error instanceof Refusal)) unexpected.push(error)
        else if (error.code === 'payment_not_found') await closePurchase(database, purchase.id)
        else if (error.code === 'payments_unavailable') isAvailable = false
      }
      if (!isAvailable) break
    }
  }
  if (unexpected.length > 0) throw new AggregateError(unexpected, 'Purchases could not be reconciled')
}

async function reconcile(context: Cards, purchase: PurchaseRow): Promise<void> {
  if (purchase.intent_id === null) {
    if (isExpired(purchase)) await closePurchase(context.database, purchase.id)
    return
  }
  const state = await settle(context, purchase)
  if (state !== 'waiting' || !isExpired(purchase)) return
  await context.cards.cancel(purchase.intent_id)
  await settle(context, purchase)
}
