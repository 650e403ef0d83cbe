import { v7 as newId } from 'uuid'
import type { Package } from '#contract/product.ts'
import type { Tx } from '#server/database/database.ts'
import { attachIntent, findOrCreatePurchase } from '#server/payments/queries.ts'
import { settlePurchase } from '#server/payments/settle.ts'
import { addIntent, recordAttempt } from './queries.ts'

/** Buys a package with a test card at the transaction's clock time, for the demo data. */
export async function addDemoPurchase(tx: Tx, userId: string, { coins, price }: Package): Promise<void> {
  const purchaseId = newId()
  const intentId = `pi_${purchaseId.replaceAll('-', '')}`
  const cents = price * 100
  const metadata = { purchase_id: purchaseId, user_id: userId, coins }
  await addIntent(tx, intentId, `${intentId}_secret_paid`, `purchase:${purchaseId}`, cents, metadata, null)
  await recordAttempt(tx, intentId, 'succeeded', 'succeeds', 'visa', '4242', null, null)
  await findOrCreatePurchase(tx, purchaseId, userId, coins, cents, 'sandbox', null)
  await attachIntent(tx, purchaseId, intentId)
  await settlePurchase(tx, {
    purchase: purchaseId,
    revision_seen: 0,
    brand: 'visa',
    last4: '4242',
    fingerprint: '',
    refunded_cents: 0,
    disputes: '[]',
  })
}
