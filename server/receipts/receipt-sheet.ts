import { dollarsText, formatNumber, takaText } from '#contract/amounts.en.ts'
import { RECEIPT_TITLES, type ReceiptDocument } from '#contract/receipts.ts'
import type { Sheet } from './pdf/sheet.ts'

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

export const money = (dollars: number) => dollarsText(Math.round(dollars * 100))
export const dateText = (time: string) => `${dates.format(new Date(time))} UTC`

/** Returns the content of a receipt's PDF file. */
export function receiptSheet(receipt: ReceiptDocument): Sheet {
  const {
    kind,
    number,
    date,
    seller,
    customer,
    lines,
    tax,
    total,
    method,
    transactionId,
    taka,
    real,
    related,
  } = receipt
  const sign = kind === 'refund' ? -1 : 1
  const purchase = related.find((other) => other.kind === 'purchase')
  return {
    title: `${RECEIPT_TITLES[kind]} ${number}`,
    date,
    notice: real ? undefined : 'Test mode: no real money was charged.',
    parties: [
      { label: 'From', lines: [seller.name, ...seller.address.split('\n'), seller.email, seller.taxNumber] },
      { label: kind === 'payout' ? 'Paid to' : 'To', lines: [customer.name, customer.email] },
    ],
    facts: [
      ['Number', number],
      ['Date', dateText(date)],
      ['Payment method', method],
      ...(transactionId === null ? [] : [['Transaction', transactionId] as [string, string]]),
      ...(kind === 'refund' && purchase ? [['Corrects', purchase.number] as [string, string]] : []),
    ],
    tables: [
      {
        columns: [
          { header: 'Item', share: 6, align: 'left' },
          { header: 'Coins', share: 2, align: 'right' },
          { header: 'Amount', share: 2, align: 'right' },
        ],
        rows: lines.map(({ text, coins, amount }) => [text, formatNumber(coins), money(sign * amount)]),
      },
    ],
    totals: [
      ...(tax === null
        ? []
        : ([
            ['Without tax', money(sign * (total - tax.amount))],
            [`${tax.name} ${tax.percent}%${tax.added ? '' : ', included'}`, money(sign * tax.amount)],
          ] as [string, string][])),
      ['Total', money(sign * total)],
      ...(taka === null
        ? []
        : ([
            [`In taka, at ${taka.rate} per dollar`, takaText(taka.poisha)],
            ...(taka.feePoisha === null ? [] : [["Provider's fee", takaText(taka.feePoisha)]]),
          ] as [string, string][])),
    ],
  }
}
