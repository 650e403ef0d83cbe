import type { PaymentSystem } from '#contract/product.ts'

/** One payment. `reference` is ours and identifies it at the provider; `poisha` is null when it is paid in dollars. */
export type PayoutOrder = {
  reference: string
  system: PaymentSystem
  accountNumber: string
  holderName: string
  cents: number
  poisha: number | null
}

/** What became of a payment. Only `confirmed` and `failed` are final. */
export type PayoutOutcome =
  | { state: 'confirmed'; transactionId: string; feePoisha: number | null }
  | { state: 'failed'; reason: string }
  | { state: 'pending' }

/**
 * A disbursement API. A provider is added as one file that implements this port, its name in `PAYOUT_PROVIDERS` (contract/payouts.ts)
 * and its function in `PROVIDERS` (send.ts), which does not compile without it. The screens show the name. Credentials are read in
 * server/config.ts.
 *
 * bKash's disbursement to a wallet takes `amount`, `currency` (`BDT`), `merchantInvoiceNumber` and `receiverMSISDN`: the
 * order's `poisha` as taka with two digits, its `reference`, and its `accountNumber` with the country code (`8801…`).
 */
export type PayoutProvider = {
  readonly name: string
  /**
   * Gives a payment to the provider. It refuses a reference that it has already (DuplicateReference). Every other error
   * leaves the outcome unknown: the payment may have been made. It ends within ten minutes, with an error if need be.
   */
  pay(order: PayoutOrder): Promise<PayoutOutcome>
  /** Queries a payment by its reference. Returns null when the provider does not know it. */
  find(reference: string): Promise<PayoutOutcome | null>
}

/** The provider has a payment with this reference; its outcome is that of the first request. */
export class DuplicateReference extends Error {}
