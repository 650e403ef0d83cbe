import { emailKey } from '#server/email-key.ts'
import type { Viewer } from '#server/http/caller.ts'
import { Refusal } from '#server/http/refusal.ts'
import { limitIntents } from './intent-rate-limit.ts'
import { balanceOfUser, purchaseByIntent, repaymentOfPurchase } from './queries.ts'
import { type Cards, settle } from './settle.ts'
import { isIntentId } from './signed-event.ts'

/** Values that the client shows and sends; they are checked and never stored (docs/specification/api.md). */
type ShownValues = { email?: string | undefined; coins?: number | undefined; price?: number | undefined }

export type Confirmation = {
  paymentId: string | null
  /** The user's balance and debt now. */
  coins: number
  debt: number
  /** The coins of this purchase that repaid a debt. */
  repaid: number
  status: 'credited' | 'processing'
}

/**
 * Confirms a payment after the client reports it. The purchase must be the viewer's and match the shown values; the provider
 * decides whether it is paid. Repeated calls after the credit return the same result and change nothing.
 * @throws Refusal `payment_not_found`, `not_yours`, `payment_mismatch`, `payment_not_succeeded`, `payments_unavailable`,
 * `too_many_requests`.
 */
export async function confirmPayment(
  context: Cards,
  viewer: Viewer,
  transactionId: string,
  shown: ShownValues,
): Promise<Confirmation> {
  const { database } = context
  const [purchase] = isIntentId(transactionId) ? await purchaseByIntent(database, transactionId) : []
  if (purchase === undefined || purchase.user_id !== viewer.id) throw new Refusal('payment_not_found')
  if (shown.email !== undefined && emailKey(shown.email) !== viewer.emailKey) throw new Refusal('not_yours')
  // The price names the package; the amount has the tax that was added to it.
  const packagePrice = (purchase.amount_cents - (purchase.tax?.cents ?? 0)) / 100
  const { coins = purchase.coins, price = packagePrice } = shown
  if (coins !== purchase.coins || price !== packagePrice) throw mismatch()

  if (purchase.state !== 'credited') await limitIntents(database, viewer.id, 'confirm')
  const state = purchase.state === 'credited' ? 'credited' : await settle(context, purchase)
  if (state === 'refused') throw mismatch()
  if (state !== 'credited' && state !== 'processing') throw new Refusal('payment_not_succeeded')
  const { coins: balance, debt } = await balanceOfUser(database, viewer.id)
  if (state === 'processing') return { paymentId: null, coins: balance, debt, repaid: 0, status: state }
  const [repayment] = await repaymentOfPurchase(database, purchase.id)
  return { paymentId: purchase.id, coins: balance, debt, repaid: repayment?.coins ?? 0, status: state }
}

function mismatch(): Refusal {
  return new Refusal('payment_mismatch')
}
