import type { DisputeFile, TimelineEntry } from '#contract/card-disputes.ts'
import { formatCoins, formatDollars } from '#web/lib/format.ts'

/** Returns the provider's word for a state or a reason as a text: `needs_response` → "Needs response". */
export function disputeLabel(word: string): string {
  const text = word.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const FILE_LABELS: Record<DisputeFile['field'], string> = {
  receipt: 'Receipt',
  serviceDocumentation: 'Proof of the delivered service',
  customerCommunication: 'Messages with the buyer',
  other: 'Other evidence',
}

/** Returns what a file of the evidence shows. */
export function fileLabel(field: DisputeFile['field']): string {
  return FILE_LABELS[field]
}

const TEXTS: Record<TimelineEntry['kind'], (entry: TimelineEntry) => string> = {
  paid: () => 'The payment was received',
  fraud_warning: () => 'The card network warned of fraud',
  dispute_opened: ({ subject }) => `The dispute was opened: ${disputeLabel(subject)}`,
  dispute_changed: ({ subject }) => `The dispute changed: ${disputeLabel(subject)}`,
  buyer_frozen: () => 'The buyer was frozen',
  freeze_ended: () => 'The freeze ended',
  tasks_held: ({ subject }) => `Tasks were held: ${subject}`,
  tasks_released: () => 'The held tasks were released',
  tasks_closed: ({ subject }) => `Held tasks were closed: ${subject}`,
  evidence_saved: () => 'Evidence was saved',
  evidence_submitted: () => 'Evidence was submitted to the bank',
  refund_requested: ({ subject }) => `A refund was requested: ${subject}`,
  refund_approved: () => 'The refund was approved',
  refund_cancelled: () => 'The refund was cancelled',
  refund_made: () => 'The refund was made',
  refund_failed: () => 'The refund failed',
  reversed: ({ dollars }) => ((dollars ?? 0) < 0 ? 'Coins were given back' : 'Coins were taken back'),
  task_posted: ({ subject }) => `The buyer posted “${subject}”`,
  work_paid: ({ subject }) => `${subject} was paid for work`,
  withdrawal_requested: ({ subject }) => `${subject} requested a withdrawal`,
  withdrawal_decided: ({ subject }) => `A withdrawal was decided: ${subject}`,
}

/** Returns what an entry of a time line says. */
export function timelineText(entry: TimelineEntry): string {
  return TEXTS[entry.kind](entry)
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
