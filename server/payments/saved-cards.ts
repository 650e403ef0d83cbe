import type { SavedCard } from '#contract/saved-cards.ts'
import { query } from '#server/database/database.ts'
import { nullIfRefused, Refusal } from '#server/http/refusal.ts'
import { limitIntents } from './intent-rate-limit.ts'
import type { Intent } from './provider.ts'
import type { Cards } from './settle.ts'

const customerOfUser = query<{ customer_id: string }, [userId: string]>(
  'card_customer_stored',
  'select customer_id from card_customers where user_id = $1',
)

/** Returns the saved cards of a user. A user who never began to pay causes no request to the provider. */
export async function listSavedCards({ database, cards }: Cards, userId: string): Promise<SavedCard[]> {
  const [customer] = await customerOfUser(database, userId)
  if (customer === undefined) return []
  await limitIntents(database, userId, 'cards')
  return (await nullIfRefused(cards.listCards(customer.customer_id), 'payment_not_found')) ?? []
}

/** Removes a saved card of a user. @throws Refusal `not_found` for a card that is not theirs. */
export async function removeSavedCard(
  { database, cards }: Cards,
  userId: string,
  cardId: string,
): Promise<void> {
  const [customer] = await customerOfUser(database, userId)
  if (customer === undefined) throw new Refusal('not_found.saved_card')
  await limitIntents(database, userId, 'cards')
  const removed = await nullIfRefused(
    cards.removeCard(customer.customer_id, cardId).then(() => true),
    'payment_not_found',
  )
  if (removed === null) throw new Refusal('not_found.saved_card')
}

/**
 * Returns the secret with which the buyer's card form offers their saved cards for this intent. Without a customer, or when the
 * provider does not create one, the buyer pays without saved cards.
 */
export async function createCardSession(
  { database, cards }: Cards,
  userId: string,
  intent: Intent,
): Promise<string | undefined> {
  const [customer] = await customerOfUser(database, userId)
  if (customer === undefined || customer.customer_id !== intent.customerId) return undefined
  return (await nullIfRefused(cards.createCustomerSession(customer.customer_id))) ?? undefined
}
