import type { DisputeFile, Evidence } from '#contract/card-disputes.ts'
import type { SavedCard } from '#contract/saved-cards.ts'
import type { CardCheck } from '#contract/system.ts'
import type { AddedTax } from '#contract/tax.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Dispute } from './disputes.ts'
import type { FailureEvents } from './failures.ts'
import type { CardError, CardInput } from './sandbox/test-cards.ts'

/** The kind of money: simulated in the sandbox, the provider's test mode, or live. */
export type CardMode = 'sandbox' | 'test' | 'live'

/** A tax that was added to the price, with its cents. */
export type PaidTax = AddedTax & { cents: number }

/** An order of one package by one user. `purchaseId` and `attempt` are also the idempotency key. */
export type CardOrder = {
  purchaseId: string
  attempt: number
  userId: string
  coins: number
  /** With the tax. */
  amountCents: number
  tax: PaidTax | null
  /** The provider's customer of the buyer. */
  customerId: string | null
}

/** Returns the idempotency key of an attempt to create an intent. */
export function orderKey({ purchaseId, attempt }: CardOrder): string {
  return attempt === 1 ? `purchase:${purchaseId}` : `purchase:${purchaseId}:${attempt}`
}

/**
 * The provider responded to a write with an error. It stores the response under the idempotency key, so that a retry with
 * the same key fails for a day.
 */
export class StoredFailure extends Refusal<'payments_unavailable'> {
  constructor() {
    super('payments_unavailable')
  }
}

/** The key of the provider may not make the request. The provider stores no response, and a retry fails until the key is changed. */
export class MissingPermission extends Refusal<'payments_unavailable'> {
  constructor() {
    super('payments_unavailable')
  }
}

/** The provider's current state of a payment intent. The fields of the order are null on an intent of another system. */
export type Intent = {
  id: string
  /** Authorises a browser to pay this intent. Never stored or logged. */
  clientSecret: string
  state: 'waiting' | 'processing' | 'succeeded' | 'cancelled'
  amountCents: number
  receivedCents: number
  currency: string
  live: boolean
  purchaseId: string | null
  userId: string | null
  customerId: string | null
  coins: number | null
  tax: PaidTax | null
  /** `fingerprint` is the same for all payments with a card number; empty where it is unknown. */
  card: { brand: string; last4: string; fingerprint: string } | null
  refundedCents: number
  disputes: Dispute[]
  createdAt: string
}

/** A paid intent as a list has it. */
export type PaidIntent = Omit<Intent, 'disputes'>

/** A change of the account's balance at the provider. `type` and `category` are its words; `cents` are before the fee. */
export type CardTransaction = {
  id: string
  type: string
  category: string
  sourceId: string | null
  intentId: string | null
  cents: number
  feeCents: number
  netCents: number
  currency: string
  createdAt: string
  availableAt: string
}

/** A refund at the provider. `refundId` is ours; null for one that was made there. `status` is the provider's word. */
export type MadeRefund = { refundId: string | null; cents: number; status: string }

/** `key` is the idempotency key of the attempt. Without `cents` everything is refunded that is left. */
export type RefundOrder = { key: string; refundId: string; cents?: number }

/** A file that the provider has, by its id. */
export type EvidenceFile = { field: DisputeFile['field']; id: string }

/** The evidence for a dispute of an intent. */
export type DisputeEvidence = {
  disputeId: string
  intentId: string
  evidence: Evidence
  files: EvidenceFile[]
}

/** What the provider's fraud detection compares. `createdOn` is the day of the registration. */
export type CustomerDetails = { userId: string; name: string; email: string; createdOn: string }

/** A webhook event: something changed about an intent, whose state is then retrieved from the provider. */
export type CardEvent = { id: string; type: string; intentId: string | null }

/** The result of an attempt to pay. After an error the same intent can be paid with another card. */
export type Attempt = {
  id: string
  status: 'succeeded' | 'requires_action' | 'failed'
  error: CardError | null
  /** Whether the test card disputes its payments. */
  thenDisputed: boolean
}

/** A refund of `cents`, or of the remaining amount without them; or a dispute, new or in another state. */
export type Reversal =
  | { kind: 'refund'; cents?: number | undefined }
  /** `status`: the provider's word for its state, by default that of a new dispute. */
  | { kind: 'dispute'; status?: string | undefined }
  | { kind: 'dispute_won' }

/** Simulates what buyers and operators do at a real processor. */
export type Sandbox = {
  /** Pays with a card, and saves it for the customer of the intent when the payment succeeds and the buyer chose so. */
  confirm(clientSecret: string, card: CardInput, save?: boolean): Promise<Attempt>
  /** Pays with a saved card. @throws Refusal `not_found` for a card of another customer than the intent's. */
  confirmSaved(clientSecret: string, cardId: string): Promise<Attempt>
  /** The cardholder's response to the bank's challenge (3-D Secure). */
  authenticate(clientSecret: string, agreed: boolean): Promise<Attempt>
  /** Refunds a paid intent, or opens a dispute about it or changes the state of that dispute. */
  reverse(intentId: string, how: Reversal): Promise<void>
  /** Creates an event for our own webhook, signed like the provider's. */
  signEvent(type: string, intentId: string): Promise<{ body: Buffer; signature: string }>
}

/**
 * The card processor (docs/specification/payments.md). Each call is a network request that throws the refusal
 * `payments_unavailable` on a timeout, so none may run inside a database transaction.
 */
export type CardProvider = {
  readonly mode: CardMode
  /** The public key for the browser's card form; null for the sandbox. */
  readonly publishableKey: string | null
  /** Present when the processor is the sandbox. */
  readonly sandbox?: Sandbox
  /** Failed requests and refused webhooks. */
  readonly failures: FailureEvents
  /** Returns the same processor with longer timeouts, for background jobs. */
  forJobs(): CardProvider
  /** Checks the keys, their mode and the webhook endpoint at the provider. */
  check(): Promise<CardCheck[]>
  /** Creates the customer of a buyer, also in place of a deleted one. @throws StoredFailure, MissingPermission. */
  createCustomer(details: CustomerDetails, deletedId: string | null): Promise<string>
  /** Changes the details of a customer. Returns false when it was deleted. @throws StoredFailure, MissingPermission. */
  updateCustomer(customerId: string, details: CustomerDetails): Promise<boolean>
  /** Deletes a customer with their saved cards. */
  deleteCustomer(customerId: string): Promise<void>
  /**
   * Returns the secret with which a browser's card form offers, saves and removes the cards of this customer; null in the
   * sandbox. Never stored or logged.
   */
  createCustomerSession(customerId: string): Promise<string | null>
  /** Returns the saved cards of a customer. @throws Refusal `payment_not_found` for an unknown one. */
  listCards(customerId: string): Promise<SavedCard[]>
  /** Removes a saved card. @throws Refusal `payment_not_found` for one that this customer does not have. */
  removeCard(customerId: string, cardId: string): Promise<void>
  /** Creates the intent of a purchase. Repeated calls for an attempt return the same intent. @throws StoredFailure. */
  create(order: CardOrder): Promise<Intent>
  /** Returns the intent of a purchase among those created in this time, or null. */
  find(purchaseId: string, since: string, until: string): Promise<Intent | null>
  /** Returns a page of the paid intents with our metadata that were created since then. `after` is the `next` of the page before. */
  listPaid(since: string, after: string | null): Promise<{ intents: PaidIntent[]; next: string | null }>
  /** Returns a page of the balance's transactions since then, as `listPaid`. */
  listTransactions(
    since: string,
    after: string | null,
  ): Promise<{ transactions: CardTransaction[]; next: string | null }>
  /**
   * Refunds a paid intent, once per key. The status is `already_refunded` when nothing was left.
   * @throws StoredFailure.
   */
  refund(intentId: string, order: RefundOrder): Promise<MadeRefund>
  /** Returns the refunds of an intent, at most the latest hundred. */
  listRefunds(intentId: string): Promise<MadeRefund[]>
  /** Uploads a file of the evidence for a dispute and returns its id. @throws Refusal `invalid_fields` for one that it rejects. */
  uploadEvidence(file: { name: string; type: string; content: Buffer }): Promise<string>
  /** Submits the evidence for a dispute to the bank, which accepts it once. */
  submitEvidence(evidence: DisputeEvidence): Promise<void>
  /** Retrieves an intent. @throws Refusal `payment_not_found`. */
  retrieve(intentId: string): Promise<Intent>
  /** Cancels an unpaid intent and returns its new state, which is `succeeded` if it was paid meanwhile. */
  cancel(intentId: string): Promise<Intent>
  /** Verifies and parses a webhook's raw body. @throws Refusal `invalid_request` for an invalid or old signature. */
  readEvent(body: Buffer, signature: string | undefined): Promise<CardEvent>
}
