import { t } from '@lingui/core/macro'
import type { DisputeFile, TimelineEntry } from '#contract/card-disputes.ts'
import { formatCoins, formatDollars } from '#web/lib/format.ts'

/** The provider's words for states and reasons. */
const WORDS: Record<string, string> = {
  warning_needs_response: t`Warning needs response`,
  warning_under_review: t`Warning under review`,
  warning_closed: t`Warning closed`,
  needs_response: t`Needs response`,
  under_review: t`Under review`,
  appeal_needs_response: t`Appeal needs response`,
  appeal_under_review: t`Appeal under review`,
  won: t({ message: 'Won', context: 'dispute' }),
  lost: t({ message: 'Lost', context: 'dispute' }),
  prevented: t({ message: 'Prevented', context: 'dispute' }),
  bank_cannot_process: t`Bank cannot process`,
  check_returned: t`Check returned`,
  credit_not_processed: t`Credit not processed`,
  customer_initiated: t`Customer initiated`,
  debit_not_authorized: t`Debit not authorized`,
  duplicate: t({ message: 'Duplicate', context: 'dispute' }),
  fraudulent: t({ message: 'Fraudulent', context: 'dispute' }),
  general: t({ message: 'General', context: 'dispute' }),
  incorrect_account_details: t`Incorrect account details`,
  insufficient_funds: t({ message: 'Insufficient funds', context: 'dispute' }),
  noncompliant: t({ message: 'Noncompliant', context: 'dispute' }),
  product_not_received: t`Product not received`,
  product_unacceptable: t`Product unacceptable`,
  subscription_canceled: t`Subscription canceled`,
  unrecognized: t({ message: 'Unrecognized', context: 'dispute' }),
}

/** Returns the provider's word for a state or a reason as a text: `needs_response` → "Needs response". */
export function disputeLabel(word: string): string {
  const text = word.replaceAll('_', ' ')
  return WORDS[word] ?? text.charAt(0).toUpperCase() + text.slice(1)
}

/** What each file of the evidence shows. */
export const FILE_LABELS: Record<DisputeFile['field'], string> = {
  receipt: t`Receipt`,
  serviceDocumentation: t`Proof of delivery`,
  customerCommunication: t`Messages with the buyer`,
  other: t`Other evidence`,
}

/** Returns the amounts of an entry, such as "$20.00, 500 coins". */
export function timelineAmounts({ dollars, coins }: TimelineEntry): string {
  return [
    dollars === null ? '' : formatDollars(Math.abs(dollars)),
    coins === null ? '' : formatCoins(Math.abs(coins)),
  ]
    .filter((text) => text !== '')
    .join(', ')
}
