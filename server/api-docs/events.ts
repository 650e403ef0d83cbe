import * as z from 'zod/mini'
import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS, type WebhookEventType } from '#contract/api-events.ts'

/** When an event of each type is sent, and what its fields mean where their names do not say it. */
export const EVENT_GUIDE: Record<WebhookEventType, { when: string; note?: string }> = {
  'submission.received': {
    when: 'Work arrives for one of your tasks',
    note: '`revised`: you asked for this version.',
  },
  'submission.decided': {
    when: 'Work is approved or rejected',
    note: 'A rejection that is not `final` can be appealed or waits for a reviewer.',
  },
  'submission.auto_approved': {
    when: 'Work was approved because the review period ended',
    note: 'It follows the `submission.decided` of the work.',
  },
  'submission.revision_requested': {
    when: 'The buyer asks for a revision',
    note: '`dueAt`: until when the worker can submit it.',
  },
  'appeal.opened': {
    when: 'The worker appeals a rejection',
    note: '`dueAt`: until when the buyer can respond.',
  },
  'appeal.decided': {
    when: 'The appeal ends',
    note: 'It follows the `submission.decided` of the work.',
  },
  'task.closed': {
    when: 'A task closes',
    note: '`coins`: those of the slots left, which came back to the buyer.',
  },
  'batch.progress': {
    when: 'Another tenth of the slots of a batch is paid or refunded',
    note: '`approved`: the slots of `slots` that are paid. `percent`: the share that is paid or refunded.',
  },
  'batch.finished': {
    when: 'Every slot of a batch is paid or refunded; after a top up, again when all slots are',
    note: '`approved`: the slots of `slots` that are paid.',
  },
  'payment.credited': { when: 'Bought coins are credited', note: '`coins`: those that were bought.' },
  'dispute.opened': {
    when: "A card payment is disputed with the card's bank, and coins are taken back",
    note: '`cents`: the disputed amount.',
  },
  'payout.confirmed': {
    when: 'The payout of a withdrawal is confirmed',
    note: '`coins`: those that were withdrawn.',
  },
  'webhook.test': {
    when: 'You press the test button of an endpoint',
    note: 'It is sent once, to that endpoint only: you cannot choose it, and the event stream does not have it.',
  },
}

/** Returns the types of events as a Markdown table. */
export const eventTable = () =>
  table(
    ['type', 'when'],
    WEBHOOK_EVENT_TYPES.map((type) => [`\`${type}\``, EVENT_GUIDE[type].when]),
  )

/** Returns the fields of the events as Markdown: a heading and a table for each type. */
export const eventFields = () =>
  WEBHOOK_EVENT_TYPES.map((type) => {
    const fields = Object.entries(WEBHOOK_EVENTS[type].shape).map(([name, schema]) => [
      `\`${name}\``,
      valuesOf(z.toJSONSchema(schema)),
    ])
    return [`### \`${type}\``, EVENT_GUIDE[type].note, table(['field', 'value'], fields)].join('\n\n')
  }).join('\n\n')

const table = (heading: string[], rows: string[][]) =>
  [heading, heading.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Returns what a field can be, in words. */
function valuesOf({ type, format, enum: values }: z.core.JSONSchema.BaseSchema): string {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ')
  if (format === 'uuid') return 'id'
  return format === 'date-time' ? 'time' : String(type)
}
