import { formatNumber } from '#contract/amounts.en.ts'
import type { MonthlyStatement } from '#contract/monthly-statements.ts'
import { RECEIPT_TITLES } from '#contract/receipts.ts'
import type { Column, Sheet } from './pdf/sheet.ts'
import { money } from './receipt-sheet.ts'

/** The lines of a statement's PDF file. */
export const PDF_LINES_MAX = 500

const months = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const column = (header: string, share: number, align: Column['align'] = 'right') => ({ header, share, align })
const signed = (coins: number) => `${coins > 0 ? '+' : ''}${formatNumber(coins)}`

/** Returns the content of a monthly statement's PDF file. */
export function statementSheet(statement: MonthlyStatement, siteName: string, timeZone: string): Sheet {
  const { month, name, email, opening, closing, transfers, totals, lines, receipts } = statement
  const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone })
  const first = new Date(`${month}-01T00:00:00Z`)
  const left = transfers - lines.length
  return {
    title: `Statement for ${months.format(first)}`,
    date: first.toISOString(),
    parties: [
      { label: 'From', lines: [siteName] },
      { label: 'For', lines: [name, email] },
    ],
    facts: [
      ['Balance at the beginning', `${formatNumber(opening)} coins`],
      ['Balance at the end', `${formatNumber(closing)} coins`],
    ],
    tables: [
      {
        title: 'Summary',
        columns: [column('Kind', 6, 'left'), column('Transactions', 2), column('Coins', 2)],
        rows: totals.map((total) => [total.text, formatNumber(total.transfers), signed(total.coins)]),
      },
      ...(receipts.length === 0
        ? []
        : [
            {
              title: 'Receipts',
              columns: [
                column('Number', 4, 'left'),
                column('Kind', 3, 'left'),
                column('Date', 2),
                column('Of which tax', 2),
                column('Amount', 2),
              ],
              rows: receipts.map(({ number, kind, date, total, taxAmount }) => [
                number,
                RECEIPT_TITLES[kind],
                day.format(new Date(date)),
                money(kind === 'refund' ? -taxAmount : taxAmount),
                money(kind === 'refund' ? -total : total),
              ]),
            },
          ]),
      {
        title: 'Transactions',
        columns: [
          column('Date', 3, 'left'),
          column('Description', 7, 'left'),
          column('Coins', 2),
          column('Balance', 2),
        ],
        rows: lines.map(({ time: at, text, coins, balance }) => [
          time.format(new Date(at)),
          text,
          signed(coins),
          formatNumber(balance),
        ]),
      },
    ],
    totals: [],
    note: [
      ...(left > 0 ? [`${formatNumber(left)} earlier transactions of this month are in the CSV file.`] : []),
      `Times are those of ${timeZone}.`,
    ].join(' '),
  }
}
