import type { Locale } from '#contract/locales.ts'
import type { ReceiptDocument } from '#contract/receipts.ts'
import type { Sheet } from './pdf/sheet.ts'
import { sellerLines } from './present.ts'
import { receiptWords } from './receipt-words.ts'

/** Returns the content of a receipt's PDF file, with its time in a time zone. The receipt was read in the same language. */
export function receiptSheet(receipt: ReceiptDocument, timeZone: string, locale: Locale): Sheet {
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
  const {
    RECEIPT_TITLES,
    RECEIPT_TEXTS: words,
    dollarsText,
    formatNumber,
    takaText,
    dates,
  } = receiptWords(locale)
  const money = (dollars: number) => dollarsText(Math.round(sign * dollars * 100))
  const time = new Intl.DateTimeFormat(dates, {
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone,
  })
  const sign = kind === 'refund' ? -1 : 1
  const purchase = related.find((other) => other.kind === 'purchase')
  return {
    locale,
    title: `${RECEIPT_TITLES[kind]} ${number}`,
    date,
    notice: real ? undefined : kind === 'payout' ? words.testPayout : words.testMode,
    parties: [
      {
        label: words.from,
        lines: sellerLines(seller),
      },
      { label: kind === 'payout' ? words.paidTo : words.to, lines: [customer.name, customer.email] },
    ],
    facts: [
      [words.number, number],
      [words.date, `${time.format(new Date(date))} ${timeZone}`],
      [words.method, method],
      ...(transactionId === null ? [] : [[words.transaction, transactionId] as [string, string]]),
      ...(kind === 'refund' && purchase ? [[words.corrects, purchase.number] as [string, string]] : []),
    ],
    tables: [
      {
        columns: [
          { header: words.item, share: 6, align: 'left' },
          { header: words.coins, share: 2, align: 'right' },
          { header: words.amount, share: 2, align: 'right' },
        ],
        rows: lines.map(({ text, coins, amount }) => [text, formatNumber(coins), money(amount)]),
      },
    ],
    totals: [
      ...(tax === null
        ? []
        : ([
            [words.withoutTax, money(total - tax.amount)],
            [words.tax(tax.name, tax.percent, !tax.added), money(tax.amount)],
          ] as [string, string][])),
      [words.total, money(total)],
      ...(taka === null
        ? []
        : ([
            [words.inTaka(taka.rate), takaText(taka.poisha)],
            ...(taka.feePoisha === null ? [] : [[words.providerFee, takaText(taka.feePoisha)]]),
          ] as [string, string][])),
    ],
  }
}
