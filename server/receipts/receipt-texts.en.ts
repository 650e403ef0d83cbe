import { coinsText } from '#contract/amounts.en.ts'
import type { ReceiptSummary } from '#contract/receipts.ts'

export const RECEIPT_TITLES: Record<ReceiptSummary['kind'], string> = {
  purchase: 'Receipt',
  refund: 'Credit note',
  payout: 'Payout receipt',
}

/** What a line of a receipt is for. */
export const ITEM_TEXTS: Record<string, (coins: number) => string> = {
  coins_bought: (coins) => coinsText(coins),
  coins_refunded: (coins) => `Returned payment, ${coinsText(coins)} deducted`,
  coins_returned: (coins) => `Payment restored after a dispute, ${coinsText(coins)}`,
  coins_paid_out: (coins) => `Withdrawal of ${coinsText(coins)}`,
}

/** The words of receipts. A rate is in taka per dollar. */
export const RECEIPT_TEXTS = {
  testMode: 'Test mode: no real money was charged.',
  testPayout: 'Test mode: no real money was sent.',
  from: 'From',
  to: 'To',
  paidTo: 'Paid to',
  number: 'Number',
  date: 'Date',
  method: 'Payment method',
  card: 'Card',
  cardEnding: (brand: string, digits: string) => `${brand} ending in ${digits}`,
  taxNumber: (name: string, number: string) => `${name === '' ? 'Tax' : name} number: ${number}`,
  transaction: 'Transaction',
  corrects: 'Corrects',
  item: 'Item',
  coins: 'Coins',
  amount: 'Amount',
  withoutTax: 'Net amount',
  tax: (name: string, percent: number, included: boolean) =>
    `${name} ${percent}%${included ? ', included' : ''}`,
  total: 'Total',
  inTaka: (rate: string) => `In taka, at ${rate} per dollar`,
  providerFee: "Provider's fee",
}

/** The words of monthly statements. */
export const STATEMENT_SHEET_TEXTS = {
  title: (month: string) => `Statement for ${month}`,
  holder: 'For',
  opening: 'Opening balance',
  closing: 'Closing balance',
  summary: 'Summary',
  kind: 'Kind',
  transactions: 'Transactions',
  receipts: 'Receipts',
  taxPart: 'Tax included',
  description: 'Description',
  balance: 'Balance',
  earlier: (count: string) => `${count} earlier transactions of this month are in the CSV file.`,
  timeZone: (name: string) => `Times are in ${name}.`,
}
