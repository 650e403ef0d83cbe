import { emailKey } from '#server/email-key.ts'
import type { Viewer } from '#server/http/caller.ts'
import { Refusal } from '#server/http/refusal.ts'
import { limitIntents } from './intent-rate-limit.ts'
import { balanceOfUser, purchaseByIntent } from './queries.ts'
import { type Cards, settle } from './settle.ts'
import { isIntentId } from './signed-event.ts'

/** What the client says about its payment; all of it is checked, none of it is stored. */
type Claims = { email?: string | undefined; coins?: number | undefined; price?: number | undefined }

export type Confirmation = { paymentId: string | null; coins: number; status: 'credited' | 'processing' }

/**
 * The client says that it has paid. The transaction must be the caller's own and the claims must be what was ordered;
 * then the provider is asked, and its word decides. Once credited, the same call answers the same and does nothing.
 */
export async function confirmPayment(
  context: Cards,
  viewer: Viewer,
  transactionId: string,
  claims: Claims,
): Promise<Confirmation> {
  const { database } = context
  const [purchase] = isIntentId(transactionId) ? await purchaseByIntent(database, transactionId) : []
  if (purchase === undefined || purchase.user_id !== viewer.id) throw new Refusal('payment_not_found')
  if (claims.email !== undefined && emailKey(claims.email) !== viewer.emailKey) throw new Refusal('not_yours')
  const { coins = purchase.coins, price = purchase.amount_cents / 100 } = claims
  if (coins !== purchase.coins || price * 100 !== purchase.amount_cents) throw mismatch()

  if (purchase.state !== 'credited') await limitIntents(database, viewer.id, 'confirm')
  const state = purchase.state === 'credited' ? 'credited' : await settle(context, purchase)
  if (state === 'refused') throw mismatch()
  if (state !== 'credited' && state !== 'processing') throw new Refusal('payment_not_succeeded')
  const balance = await balanceOfUser(database, viewer.id)
  return { paymentId: state === 'credited' ? purchase.id : null, coins: balance.coins, status: state }
}

function mismatch(): Refusal {
  return new Refusal('payment_mismatch')
}
