import type { PayoutFileColumn, PayoutFileField } from '#contract/payout-files.ts'
import type { BankDetails } from '#server/destinations/bank-details.ts'

/** A payout as its file needs it. `poisha` and `rate` are null for a payout in dollars. */
export type PayoutFileRow = BankDetails & {
  reference: string
  batch_id: string
  withdrawal_id: string
  payment_system: string
  account_number: string
  worker_name: string
  worker_email: string
  requested_on: string
  cents: number
  poisha: number | null
  rate: string | null
}

/** Returns hundredths as a decimal number: 121550 → "1215.50". */
function decimal(hundredths: number): string {
  const digits = String(hundredths).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const VALUES: Record<Exclude<PayoutFileField, 'fixed'>, (row: PayoutFileRow, index: number) => string> = {
  amount: ({ cents, poisha }) => decimal(poisha ?? cents),
  currency: ({ poisha }) => (poisha === null ? 'USD' : 'BDT'),
  dollars: ({ cents }) => decimal(cents),
  taka: ({ poisha }) => (poisha === null ? '' : decimal(poisha)),
  rate: ({ rate }) => rate ?? '',
  reference: ({ reference }) => reference,
  paymentSystem: ({ payment_system }) => payment_system,
  accountNumber: ({ account_number }) => account_number,
  holderName: ({ holder_name, worker_name }) => holder_name || worker_name,
  bankName: ({ bank_name }) => bank_name,
  branch: ({ branch }) => branch,
  routingNumber: ({ routing_number }) => routing_number,
  workerName: ({ worker_name }) => worker_name,
  workerEmail: ({ worker_email }) => worker_email,
  requestedOn: ({ requested_on }) => requested_on,
  withdrawal: ({ withdrawal_id }) => withdrawal_id,
  batch: ({ batch_id }) => batch_id,
  row: (_row, index) => String(index + 1),
}

/** Returns the heading and the rows of a payout file. */
export function payoutFileRows(
  columns: readonly PayoutFileColumn[],
  payouts: readonly PayoutFileRow[],
): string[][] {
  const cellOf = ({ field, text, asText }: PayoutFileColumn, payout: PayoutFileRow, index: number) => {
    const value = field === 'fixed' ? text : VALUES[field](payout, index)
    return asText && value !== '' ? `'${value}` : value
  }
  return [
    columns.map(({ header }) => header),
    ...payouts.map((payout, index) => columns.map((column) => cellOf(column, payout, index))),
  ]
}
