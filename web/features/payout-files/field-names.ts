import type { PayoutFileField } from '#contract/payout-files.ts'

/** What the columns of a payout file can hold, in the words of the screen. */
export const FIELD_NAMES: Record<PayoutFileField, string> = {
  amount: 'Amount in the payout currency',
  currency: 'Payout currency (BDT or USD)',
  dollars: 'Amount in dollars',
  taka: 'Amount in taka',
  rate: 'Exchange rate',
  reference: 'Payment reference',
  paymentSystem: 'Payment system',
  accountNumber: 'Account number',
  holderName: 'Account holder',
  bankName: 'Bank',
  branch: 'Branch',
  routingNumber: 'Routing number',
  workerName: 'Name of the worker',
  workerEmail: 'Email of the worker',
  requestedOn: 'Date of the request',
  withdrawal: 'ID of the request',
  batch: 'ID of the batch',
  row: 'Row number',
  fixed: 'The same text in every row',
}
