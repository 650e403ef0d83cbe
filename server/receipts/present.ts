import { coinsText, PAYMENT_SYSTEM_NAMES } from '#contract/amounts.en.ts'
import type { PaymentSystem } from '#contract/product.ts'
import type { ReceiptDocument, ReceiptSummary } from '#contract/receipts.ts'
import type { ReceiptLine, ReceiptRow, SummaryRow } from './queries.ts'

export function presentSummary({ id, label, kind, issued_at, cents, tax }: SummaryRow): ReceiptSummary {
  const taxAmount = (tax?.cents ?? 0) / 100
  return { _id: id, number: label, kind, date: issued_at, total: cents / 100, taxAmount }
}

/** Returns a receipt as the API shows it. The site's name stands for a seller without a legal name. */
export function presentReceipt(row: ReceiptRow, siteName: string, related: SummaryRow[]): ReceiptDocument {
  // Receipts have one line.
  const addedCents = row.tax?.added ? row.tax.cents : 0
  const { legalName = '', address = '', email = '', taxName = '', taxNumber = '' } = row.seller
  return {
    ...presentSummary(row),
    seller: {
      name: legalName === '' ? siteName : legalName,
      address,
      email,
      taxNumber: taxNumber === '' ? '' : `${taxName === '' ? 'Tax' : taxName} number: ${taxNumber}`,
    },
    customer: row.customer,
    lines: row.lines.map((line) => ({
      text: textOf(line),
      coins: line.coins,
      amount: (line.cents - addedCents) / 100,
    })),
    tax: row.tax && {
      name: row.tax.name,
      percent: row.tax.percent,
      amount: row.tax.cents / 100,
      added: row.tax.added ?? false,
    },
    method: methodOf(row),
    transactionId: row.transaction_id ?? row.lines[0]?.transaction ?? null,
    taka: row.lines[0]?.taka ?? null,
    real: row.is_real,
    related: related.filter(({ id }) => id !== row.id).map(presentSummary),
  }
}

const TEXTS: Record<string, (coins: string) => string> = {
  coins_bought: (coins) => coins,
  coins_refunded: (coins) => `Returned payment, ${coins} deducted`,
  coins_returned: (coins) => `Payment restored after a dispute, ${coins}`,
  coins_paid_out: (coins) => `Withdrawal of ${coins}`,
}

function textOf({ item, coins }: ReceiptLine): string {
  return TEXTS[item]?.(coinsText(coins)) ?? item
}

function methodOf({ lines, card_brand, card_last4 }: ReceiptRow): string {
  const [line] = lines
  if (line?.system !== undefined)
    return `${PAYMENT_SYSTEM_NAMES[line.system as PaymentSystem] ?? line.system} ${line.account ?? ''}`.trim()
  if (!card_last4) return 'Card'
  const brand = card_brand ?? ''
  return `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ending in ${card_last4}`
}
