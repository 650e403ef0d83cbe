import type { Config } from '#server/config.ts'
import type { CardProvider } from '#server/payments/provider.ts'

/** What happened at the provider when a card was tried. */
export type Tried = { status: 'succeeded' | 'requires_action' | 'failed'; message: string | null }

/** What of an intent a story changes behind everybody's back. */
export type Changes = {
  status?: 'processing' | 'succeeded'
  amountCents?: number
  currency?: string
  metadata?: Record<string, string>
}

/** A card provider as a test drives it: the user's browser, the operator's dashboard, the bank, and faults. */
export type Processor = {
  name: string
  card: Config['card']
  /** The provider for the server, where it differs from the configured one. */
  wrap(cards: CardProvider): CardProvider
  /** `save`: the buyer chose to save the card. */
  pay(clientSecret: string, number: string, save?: boolean): Promise<Tried>
  /** Pays with a saved card. The processor refuses that of another customer. */
  paySaved(clientSecret: string, cardId: string): Promise<Tried>
  authenticate(clientSecret: string, agreed: boolean): Promise<Tried>
  cancel(intentId: string): Promise<void>
  refund(intentId: string, cents?: number): Promise<void>
  /** Opens a dispute. */
  dispute(intentId: string): Promise<void>
  /** Changes the state of the dispute; the provider's word. */
  setDispute(intentId: string, status: string): Promise<void>
  winDispute(intentId: string): Promise<void>
  change(intentId: string, changes: Changes): Promise<void>
  /** Deletes a customer and their cards, as in the provider's dashboard. */
  deleteCustomer(customerId: string): Promise<void>
  /** The type of each file of the evidence that the bank has. */
  evidenceFiles(intentId: string): Promise<Record<string, string | undefined>>
  /** How many files were ever uploaded. */
  countFiles(): Promise<number>
  /** How many intents it has ever made. */
  countIntents(): Promise<number>
  /** Nobody returns there any more, or again. */
  outage(down: boolean): void
  close(): Promise<void>
}
