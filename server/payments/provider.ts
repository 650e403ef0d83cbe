import type { CardError, CardInput } from './sandbox/test-cards.ts'

/** Where the money is: pretended, the provider's test mode, or real. */
export type CardMode = 'sandbox' | 'test' | 'live'

/** What the provider is asked to collect: one package for one person. `purchaseId` is also the idempotency key. */
export type CardOrder = { purchaseId: string; userId: string; coins: number; amountCents: number }

/** A payment intent as the provider sees it now. The order's fields are null on an intent that is none of ours. */
export type Intent = {
  id: string
  /** Lets a browser pay this intent and nothing else. Never stored, never logged. */
  clientSecret: string
  state: 'waiting' | 'processing' | 'succeeded' | 'cancelled'
  amountCents: number
  receivedCents: number
  currency: string
  live: boolean
  purchaseId: string | null
  userId: string | null
  coins: number | null
  card: { brand: string; last4: string } | null
  refundedCents: number
  disputedCents: number
}

/** What a webhook tells: that something happened about an intent. What happened is read from the provider. */
export type CardEvent = { id: string; type: string; intentId: string | null }

/** What became of an attempt to pay. After an error the same intent can be tried again with another card. */
export type Attempt = {
  id: string
  status: 'succeeded' | 'requires_action' | 'failed'
  error: CardError | null
  /** The card is the one whose owner disputes every payment. */
  thenDisputed: boolean
}

/** `cents` more are refunded; without them all that is left. */
export type Reversal = { kind: 'refund'; cents?: number | undefined } | { kind: 'dispute' | 'dispute_won' }

/** What a browser and an operator do at a real processor. */
export type Sandbox = {
  confirm(clientSecret: string, card: CardInput): Promise<Attempt>
  /** The cardholder's response to the bank's challenge (3-D Secure). */
  authenticate(clientSecret: string, agreed: boolean): Promise<Attempt>
  /** Refunds a paid intent, or opens or loses a dispute about it. */
  reverse(intentId: string, how: Reversal): Promise<void>
  /** Creates an event for our own webhook, signed like the provider's. */
  signEvent(type: string, intentId: string): { body: Buffer; signature: string }
}

/**
 * The card processor (docs/specification/payments.md). Every call is a request over the network and refuses
 * `payments_unavailable` when there is no answer in time; none may stand inside a database transaction.
 */
export type CardProvider = {
  readonly mode: CardMode
  /** What the browser's card form needs to know; null for the sandbox. */
  readonly publishableKey: string | null
  /** Present when the processor is the sandbox. */
  readonly sandbox?: Sandbox
  /** Returns the same processor with longer timeouts, for background jobs. */
  forJobs(): CardProvider
  /** The intent of this purchase: asked twice, the same one. */
  create(order: CardOrder): Promise<Intent>
  /** Refuses `payment_not_found` when the provider does not know it. */
  retrieve(intentId: string): Promise<Intent>
  /** Cancels an intent that nobody paid; answers what it is then, which is `succeeded` when somebody did. */
  cancel(intentId: string): Promise<Intent>
  /** Reads a webhook's bytes. Refuses `invalid_request` when the signature is not the provider's or too old. */
  readEvent(body: Buffer, signature: string | undefined): CardEvent
}
