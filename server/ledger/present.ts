import type { StatementLine as WireLine } from '#contract/ledger.ts'
import type { StatementLine } from './statement.ts'

const DESCRIPTIONS: Record<string, (line: StatementLine) => string> = {
  sign_up_bonus: () => 'Starting coins',
  task_funded: ({ title }) => `Reserved for "${title}"`,
  task_topped_up: ({ title }) => `Reserved for added slots of "${title}"`,
  task_reopened: ({ title }) => `Reserved to reopen "${title}"`,
  task_fee: ({ title }) => `Fee for "${title}"`,
  submission_paid: ({ title }) => `Earned for "${title}"`,
  slot_reopened: ({ title }) => `Reserved for another slot of "${title}"`,
  reversal_funded: ({ title }) => `Paid for rejected work on "${title}" that you approved later`,
  bonus_paid: ({ title }) => `Bonus for "${title}"`,
  slot_refunded: ({ title }) => `Refund for a slot of "${title}"`,
  task_refunded: ({ title }) => `Refund for "${title}"`,
  coins_bought: () => 'Coins bought by card',
  card_reversed: ({ coins }) => (coins < 0 ? 'Card payment reversed' : 'Card payment restored'),
  debt_paid: () => 'Paid towards a reversed card payment',
  withdrawal_held: () => 'Reserved for a withdrawal',
  withdrawal_released: () => 'Returned from a withdrawal',
  swept_to_platform: () => 'Moved to the platform account',
}

/** The kinds of transfers in summaries, where a task has no name. */
const KINDS: Record<string, string> = {
  task_funded: 'Reserved for tasks',
  task_topped_up: 'Reserved for added slots',
  task_reopened: 'Reserved to reopen tasks',
  task_fee: 'Fees for tasks',
  submission_paid: 'Earned for work',
  slot_reopened: 'Reserved for slots again',
  reversal_funded: 'Paid for rejected work that was approved later',
  bonus_paid: 'Bonuses',
  slot_refunded: 'Refunds for slots',
  task_refunded: 'Refunds for tasks',
}

/** Returns the name of a kind of transfer; `coins` are negative for debits. */
export function statementKindText(kind: string, coins: number): string {
  const line = { id: 0, kind, title: null, coins, balance: 0, debt: 0, created_at: '' }
  return KINDS[kind] ?? DESCRIPTIONS[kind]?.(line) ?? kind
}

export function presentStatementLine(line: StatementLine): WireLine {
  const { id, kind, coins, balance, debt, created_at } = line
  const text = DESCRIPTIONS[kind]?.(line) ?? kind
  return { _id: String(id), kind, text, coins, balance, debt, time: created_at }
}

const HEADINGS = 'time,kind,text,coins,balance,debt'

/** The first line of the CSV file. It starts with a byte order mark, so that spreadsheets read UTF-8. */
export const CSV_HEADER = `\uFEFF${HEADINGS}\r\n`

export function toCsvLine(line: StatementLine): string {
  const { time, kind, text, coins, balance, debt } = presentStatementLine(line)
  return `${[time, kind, quoteCell(text), coins, balance, debt].join(',')}\r\n`
}

/** Quotes a cell. Text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe. */
function quoteCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
