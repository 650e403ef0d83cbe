import type { Locale } from '#contract/locales.ts'
import type { MonthlyStatement } from '#contract/monthly-statements.ts'
import type { Column, Sheet } from './pdf/sheet.ts'
import { sellerLines } from './present.ts'
import { receiptWords } from './receipt-words.ts'

/** The lines of a statement's PDF file. */
export const PDF_LINES_MAX = 500

const column = (header: string, share: number, align: Column['align'] = 'right') => ({ header, share, align })

/** Returns the content of a monthly statement's PDF file. The statement was read in the same language. */
export function statementSheet(statement: MonthlyStatement, timeZone: string, locale: Locale): Sheet {
  const { month, name, email, opening, closing, transfers, totals, lines, receipts, seller } = statement
  const { RECEIPT_TITLES, RECEIPT_TEXTS, STATEMENT_SHEET_TEXTS: words, ...formats } = receiptWords(locale)
  const { coinsText, dates, dollarsText, formatNumber } = formats
  const money = (dollars: number) => dollarsText(Math.round(dollars * 100))
  const signed = (coins: number) => `${coins > 0 ? '+' : ''}${formatNumber(coins)}`
  const months = new Intl.DateTimeFormat(dates, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const time = new Intl.DateTimeFormat(dates, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone,
  })
  const day = new Intl.DateTimeFormat(dates, { dateStyle: 'medium', timeZone })
  const first = new Date(`${month}-01T00:00:00Z`)
  const left = transfers - lines.length
  return {
    locale,
    title: words.title(months.format(first)),
    date: first.toISOString(),
    parties: [
      { label: RECEIPT_TEXTS.from, lines: [...sellerLines(seller), seller.tax] },
      { label: words.holder, lines: [name, email] },
    ],
    facts: [
      [words.opening, coinsText(opening)],
      [words.closing, coinsText(closing)],
    ],
    tables: [
      {
        title: words.summary,
        columns: [
          column(words.kind, 6, 'left'),
          column(words.transactions, 2),
          column(RECEIPT_TEXTS.coins, 2),
        ],
        rows: totals.map((total) => [total.text, formatNumber(total.transfers), signed(total.coins)]),
      },
      ...(receipts.length === 0
        ? []
        : [
            {
              title: words.receipts,
              columns: [
                column(RECEIPT_TEXTS.number, 4, 'left'),
                column(words.kind, 3, 'left'),
                column(RECEIPT_TEXTS.date, 2),
                column(words.taxPart, 2),
                column(RECEIPT_TEXTS.amount, 2),
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
        title: words.transactions,
        columns: [
          column(RECEIPT_TEXTS.date, 3, 'left'),
          column(words.description, 7, 'left'),
          column(RECEIPT_TEXTS.coins, 2),
          column(words.balance, 2),
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
    note: [...(left > 0 ? [words.earlier(formatNumber(left))] : []), words.timeZone(timeZone)].join(' '),
  }
}
