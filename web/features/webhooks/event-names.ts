import { t } from '@lingui/core/macro'
import type { ApiEventType } from '#contract/api-events.ts'

/** The name of each type of event. */
export const EVENT_NAMES: Record<ApiEventType, string> = {
  'submission.received': t`Work received`,
  'submission.decided': t`Work approved or rejected`,
  'submission.auto_approved': t`Work approved automatically`,
  'submission.revision_requested': t`Revision requested`,
  'appeal.opened': t`Appeal opened`,
  'appeal.decided': t`Appeal decided`,
  'task.closed': t`Task closed`,
  'batch.progress': t`Batch in progress`,
  'batch.finished': t`Batch finished`,
  'payment.credited': t`Payment credited`,
  'dispute.opened': t`Payment disputed`,
  'payout.confirmed': t`Withdrawal paid`,
}

/** Returns the name of an event, also of a type that this version of the page does not know. */
export function eventName(type: string): string {
  if (type === 'webhook.test') return t`Test event`
  return EVENT_NAMES[type as ApiEventType] ?? type
}
