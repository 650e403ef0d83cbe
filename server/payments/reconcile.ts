import { Refusal } from '#server/http/refusal.ts'
import { isOld } from './create-intent.ts'
import { claimPurchasesToReconcile, claimStalePurchases, closePurchase, type PurchaseRow } from './queries.ts'
import { type Cards, settle } from './settle.ts'

const FORGOTTEN_MINUTES = 10
const BATCH = 50

/** Banks let people dispute a payment for about four months, and some for longer. */
const COMPARED_DAYS = 180
const COMPARED_HOURS = 24
const COMPARED_MAX = 500

/**
 * Asks the provider about purchases that never came back, because the person's browser died and the webhook was lost:
 * credits what was paid, closes what was cancelled, cancels what nobody paid within a day. When the provider is down
 * the rest waits for the next round.
 */
export async function reconcilePurchases(context: Cards): Promise<void> {
  const take = () => claimStalePurchases(context.database, FORGOTTEN_MINUTES, BATCH)
  await eachOf(context, take, (purchase) => reconcile(context, purchase))
}

/**
 * Compares paid purchases with what the provider says now, those first that nobody asked about for longest, each at
 * most once a day: a refund or a dispute whose webhook never came is booked then.
 */
export async function comparePayments(context: Cards): Promise<void> {
  const take = () => claimPurchasesToReconcile(context.database, COMPARED_DAYS, COMPARED_HOURS, BATCH)
  await eachOf(context, take, (purchase) => settle(context, purchase), COMPARED_MAX)
}

async function eachOf(
  { database }: Cards,
  take: () => Promise<PurchaseRow[]>,
  work: (purchase: PurchaseRow) => Promise<unknown>,
  max = Number.POSITIVE_INFINITY,
): Promise<void> {
  const unexpected: unknown[] = []
  for (let seen = 0; seen < max; ) {
    const taken = await take()
    for (const purchase of taken) {
      try {
        await work(purchase)
      } catch (error) {
        if (!(error instanceof Refusal)) unexpected.push(error)
        else if (error.code === 'payment_not_found') await closePurchase(database, purchase.id)
        else if (error.code === 'payments_unavailable') return
      }
    }
    seen += taken.length
    if (taken.length < BATCH) break
  }
  if (unexpected.length > 0) throw new AggregateError(unexpected, 'Purchases could not be reconciled')
}

async function reconcile(context: Cards, purchase: PurchaseRow): Promise<void> {
  if (purchase.intent_id === null) {
    if (isOld(purchase)) await closePurchase(context.database, purchase.id)
    return
  }
  const state = await settle(context, purchase)
  if (state !== 'waiting' || !isOld(purchase)) return
  await context.cards.cancel(purchase.intent_id)
  await settle(context, purchase)
}
