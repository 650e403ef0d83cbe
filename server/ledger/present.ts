import type { StatementLine as WireLine } from '#contract/ledger.ts'
import type { StatementLine } from './statement.ts'

const WORDS: Record<string, (line: StatementLine) => string> = {
  sign_up_bonus: () => 'Starting coins',
  task_funded: ({ title }) => `Set aside for "${title}"`,
  task_fee: ({ title }) => `Fee for "${title}"`,
  submission_paid: ({ title }) => `Earned with "${title}"`,
  slot_refunded: ({ title }) => `Back from a slot of "${title}"`,
  task_refunded: ({ title }) => `Back from "${title}"`,
  coins_bought: () => 'Coins bought by card',
  card_reversed: ({ coins }) =>
    coins < 0 ? 'Taken back by the card provider' : 'Given back by the card provider',
  debt_paid: () => 'Paid towards coins the card provider took back',
  withdrawal_held: () => 'Set aside for a withdrawal',
  withdrawal_released: () => 'Back from a withdrawal',
  swept_to_platform: () => 'Left with the house',
}

export function presentLine(line: StatementLine): WireLine {
  const { id, kind, coins, balance, created_at } = line
  return { _id: String(id), kind, text: WORDS[kind]?.(line) ?? kind, coins, balance, time: created_at }
}

const HEADINGS = 'time,kind,text,coins,balance'

/** The first line of the file. The mark at its start tells spreadsheets that it is UTF-8. */
export const CSV_HEAD = `\uFEFF${HEADINGS}\r\n`

export function csvLine(line: StatementLine): string {
  const { time, kind, text, coins, balance } = presentLine(line)
  return `${[time, kind, cell(text), coins, balance].join(',')}\r\n`
}

/** A quoted cell. What a spreadsheet would take for a formula gets an apostrophe in front. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
