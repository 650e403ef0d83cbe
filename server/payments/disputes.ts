/** The provider's current state of a dispute. `status` and `reason` are its words; it may add new ones at any time. */
export type Dispute = {
  id: string
  cents: number
  status: string
  reason: string
  respondBy: string | null
  openedAt: string
}

/**
 * What a state of a dispute does to the coins: `withhold` takes them back, `release` gives them back, `keep` changes
 * nothing.
 */
type Effect = 'withhold' | 'release' | 'keep'

/**
 * Every state that is known (API version 2026-10-28), with its effect. Only states in which the money came back or never
 * left release coins: a lost dispute that is appealed is still lost.
 */
const EFFECTS: Record<string, Effect> = {
  warning_needs_response: 'keep',
  warning_under_review: 'keep',
  warning_closed: 'release',
  needs_response: 'withhold',
  under_review: 'withhold',
  appeal_needs_response: 'withhold',
  appeal_under_review: 'withhold',
  lost: 'withhold',
  won: 'release',
  prevented: 'release',
}

/** Returns disputes with their effects as JSON, as the database stores them. */
export const disputesWithEffects = (disputes: Dispute[]): string =>
  JSON.stringify(disputes.map((dispute) => ({ ...dispute, ...effectOf(dispute) })))

/**
 * Returns what to do for a dispute. A state that is not known withholds the coins, and the Admins are notified. An open
 * dispute also stops its buyer (docs/payments.md#containment).
 */
function effectOf({ status }: Dispute): { effect: Effect; isOpen: boolean; isKnown: boolean } {
  const effect = Object.hasOwn(EFFECTS, status) ? EFFECTS[status] : undefined
  const isOpen = effect === undefined || (effect === 'withhold' && status !== 'lost')
  return { effect: effect ?? 'withhold', isOpen, isKnown: effect !== undefined }
}
