/** Reasons that the server gives for a freeze, or for its end. Freezes and notifications store their keys. */
export const FREEZE_REASONS = {
  card_disputed: 'A card payment of yours is disputed.',
  dispute_ended: 'The dispute over your card payment has ended.',
  card_purchases: 'Your card was used more often than is allowed in 24 hours.',
  card_amount: 'More was paid with your card than is allowed in 24 hours.',
  card_buyers: 'Your card was used by more accounts than are allowed.',
  card_limit: 'You exceeded the limit for purchases by card.',
}
export type FreezeReason = keyof typeof FREEZE_REASONS

/**
 * Returns a function that returns the sentence of a stored reason. Those of Admins, and of version 0.3 and earlier, are sentences
 * already.
 */
export const reasonsIn = (texts: Record<FreezeReason, string>) => (reason: string) =>
  Object.hasOwn(texts, reason) ? texts[reason as FreezeReason] : reason

export const freezeReasonText = reasonsIn(FREEZE_REASONS)
