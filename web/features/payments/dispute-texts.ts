import type { DisputeFile, TimelineEntry } from '#contract/card-disputes.ts'
import { formatCoins, formatDollars, pluralize } from '#web/lib/format.ts'

/** Returns the provider's word for a state or a reason as a text: `needs_response` → "Needs response". */
export function disputeLabel(word: string): string {
  const text = word.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const FILE_LABELS: Record<DisputeFile['field'], string> = {
  receipt: 'Receipt',
  serviceDocumentation: 'Proof of delivery',
  customerCommunication: 'Messages with the buyer',
  other: 'Other evidence',
}

/** Returns what a file of the evidence shows. */
export function fileLabel(field: DisputeFile['field']): string {
  return FILE_LABELS[field]
}

/** The texts of the entries. Those about a user follow their name. */
const TEXTS: Record<TimelineEntry['kind'], (entry: TimelineEntry) => string> = {
  paid: () => 'The payment was received',
  fraud_warning: () => 'The card network warned of fraud',
  dispute_opened: ({ subject }) => `The dispute was opened: ${disputeLabel(subject)}`,
  dispute_changed: ({ subject }) => `The dispute changed: ${disputeLabel(subject)}`,
  buyer_frozen: () => 'The buyer was frozen',
  freeze_ended: () => 'The freeze ended',
  tasks_held: ({ subject }) => `${pluralize(Number(subject), 'task')} put on hold`,
  tasks_released: () => 'The tasks on hold were released',
  tasks_closed: ({ subject }) => `${pluralize(Number(subject), 'task')} on hold closed`,
  evidence_saved: () => 'Evidence was saved',
  evidence_submitted: () => 'Evidence was submitted to the bank',
  refund_requested: ({ subject }) => `A refund was requested: ${subject}`,
  refund_approved: () => 'The refund was approved',
  refund_cancelled: () => 'The refund was cancelled',
  refund_made: () => 'The refund was completed',
  refund_failed: () => 'The refund failed',
  reversed: ({ dollars }) => ((dollars ?? 0) < 0 ? 'Coins were given back' : 'Coins were taken back'),
  task_posted: ({ subject }) => `The buyer posted “${subject}”`,
  work_paid: () => 'was paid for work',
  withdrawal_requested: () => 'requested a withdrawal',
  withdrawal_approved: () => 'was paid a withdrawal',
  withdrawal_declined: () => 'was declined a withdrawal',
  withdrawal_cancelled: () => 'cancelled a withdrawal',
}

/** Returns what an entry of a time line says: a sentence, or what follows the name of its user. */
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
