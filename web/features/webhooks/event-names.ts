import type { ApiEventType } from '#contract/api-events.ts'

/** The name of each type of event. */
export const EVENT_NAMES: Record<ApiEventType, string> = {
  'submission.received': 'Work received',
  'submission.decided': 'Work approved or rejected',
  'submission.auto_approved': 'Work approved automatically',
  'submission.revision_requested': 'Revision requested',
  'appeal.opened': 'Appeal opened',
  'appeal.decided': 'Appeal decided',
  'task.closed': 'Task closed',
  'payment.credited': 'Payment credited',
  'dispute.opened': 'Payment disputed',
  'payout.confirmed': 'Withdrawal paid',
}

/** Returns the name of an event, also of a type that this version of the page does not know. */
export function eventName(type: string): string {
  if (type === 'webhook.test') return 'Test event'
  return EVENT_NAMES[type as ApiEventType] ?? type
}
