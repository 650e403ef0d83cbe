import { Refusal } from '#server/http/refusal.ts'
import { isOld } from './begin.ts'
import { closePurchase, type PurchaseRow, takeForgotten } from './queries.ts'
import { type Cards, settle } from './settle.ts'

const FORGOTTEN_MINUTES = 10
const BATCH = 50

/**
 * Asks the provider about purchases that never came back, because the person's browser died and the webhook was lost:
 * credits what was paid, closes what was cancelled, cancels what nobody paid within a day. When the provider is down
 * the rest waits for the next round.
 */
export async function reconcilePurchases(services: Cards): Promise<void> {
  const unexpected: unknown[] = []
  for (;;) {
    const forgotten = await takeForgotten(services.database, FORGOTTEN_MINUTES, BATCH)
    for (const purchase of forgotten) {
      try {
        await reconcile(services, purchase)
      } catch (error) {
        if (!(error instanceof Refusal)) unexpected.push(error)
        else if (error.code === 'payment_not_found') await closePurchase(services.database, purchase.id)
        else if (error.code === 'payments_unavailable') return
      }
    }
    if (forgotten.length === BATCH) continue
    if (unexpected.length > 0) throw new AggregateError(unexpected, 'Purchases could not be reconciled')
    return
  }
}

async function reconcile(services: Cards, purchase: PurchaseRow): Promise<void> {
  if (purchase.intent_id === null) {
    if (isOld(purchase)) await closePurchase(services.database, purchase.id)
    return
  }
  const state = await settle(services, purchase)
  if (state !== 'waiting' || !isOld(purchase)) return
  await services.cards.cancel(purchase.intent_id)
  await settle(services, purchase)
}
