import { cardBrandName } from '#contract/card-brands.ts'
import type { Locale } from '#contract/locales.ts'
import type { PaymentSystem } from '#contract/product.ts'
import type { PrintedSeller, ReceiptDocument, ReceiptSummary } from '#contract/receipts.ts'
import type { ReceiptRow, SummaryRow } from './queries.ts'
import { type ReceiptWords, receiptWords } from './receipt-words.ts'

export function presentSummary({ id, label, kind, issued_at, cents, tax }: SummaryRow): ReceiptSummary {
  const taxAmount = (tax?.cents ?? 0) / 100
  return { _id: id, number: label, kind, date: issued_at, total: cents / 100, taxAmount }
}

/** Returns a seller as receipts and statements print it. The site's name stands for one without a legal name. */
export function presentSeller(
  { legalName = '', address = '', email = '', taxName = '', taxNumber = '' }: ReceiptRow['seller'],
  siteName: string,
  { RECEIPT_TEXTS }: ReceiptWords,
): PrintedSeller {
  return {
    name: legalName === '' ? siteName : legalName,
    address,
    email,
    taxNumber: taxNumber === '' ? '' : RECEIPT_TEXTS.taxNumber(taxName, taxNumber),
  }
}

/** Returns the lines of a seller in a PDF file. */
export const sellerLines = ({ name, address, email, taxNumber }: PrintedSeller) => [
  name,
  ...address.split('\n'),
  email,
  taxNumber,
]

/** Returns a receipt as the API shows it. */
export function presentReceipt(
  row: ReceiptRow,
  siteName: string,
  related: SummaryRow[],
  locale: Locale,
): ReceiptDocument {
  // Receipts have one line.
  const addedCents = row.tax?.added ? row.tax.cents : 0
  const words = receiptWords(locale)
  return {
    ...presentSummary(row),
    seller: presentSeller(row.seller, siteName, words),
    customer: row.customer,
    lines: row.lines.map((line) => ({
      text: words.ITEM_TEXTS[line.item]?.(line.coins) ?? line.item,
      coins: line.coins,
      amount: (line.cents - addedCents) / 100,
    })),
    tax: row.tax && {
      name: row.tax.name,
      percent: row.tax.percent,
      amount: row.tax.cents / 100,
      added: row.tax.added ?? false,
    },
    method: methodOf(row, words),
    transactionId: row.transaction_id ?? row.lines[0]?.transaction ?? null,
    taka: row.lines[0]?.taka ?? null,
    real: row.is_real,
    related: related.filter(({ id }) => id !== row.id).map(presentSummary),
  }
}

function methodOf(
  { lines, card_brand, card_last4 }: ReceiptRow,
  { PAYMENT_SYSTEM_NAMES, RECEIPT_TEXTS }: ReceiptWords,
): string {
  const [line] = lines
  if (line?.system !== undefined)
    return `${PAYMENT_SYSTEM_NAMES[line.system as PaymentSystem] ?? line.system} ${line.account ?? ''}`.trim()
  if (!card_last4) return RECEIPT_TEXTS.card
  return RECEIPT_TEXTS.cardEnding(cardBrandName(card_brand ?? ''), card_last4)
}
