import { coinsText, dollarsText } from '#contract/amounts.en.ts'
import { query } from '#server/database/database.ts'
import { textOf } from '#server/notifications/present.ts'

type Notice = { kind: 'coins_bought' | 'payment_reversed'; params: object | null; message: string }
type Activity = { at: string } & (
  | { kind: 'signed_in'; subject: string }
  | { kind: 'paid'; cents: number; coins: number }
  | { kind: 'task_posted' | 'work_received'; subject: string; coins: number }
  | Notice
)

/** Returns what a buyer did since they registered, oldest first. */
export const buyerActivity = query<Activity, [userId: string]>(
  'buyer_activity',
  'select at, kind, subject, cents, coins, params, message from buyer_activity($1)',
)

/** Returns a line of the log that banks ask for. Notifications are quoted as the buyer read them. */
export function activityText(entry: Activity): string {
  switch (entry.kind) {
    case 'signed_in':
      return `Signed in from ${entry.subject}`
    case 'paid':
      return `Paid ${dollarsText(entry.cents)} and received ${coinsText(entry.coins)}`
    case 'task_posted':
      return `Posted the task "${entry.subject}" for ${coinsText(entry.coins)}`
    case 'work_received':
      return `Received delivered work for "${entry.subject}", paid with ${coinsText(entry.coins)}`
    case 'coins_bought':
    case 'payment_reversed':
      return `Was notified by the site: ${textOf({ ...entry, action_route: null, ref: null }, 'en').message}`
  }
}
