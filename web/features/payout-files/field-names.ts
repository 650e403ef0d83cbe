import { t } from '@lingui/core/macro'
import type { PayoutFileField } from '#contract/payout-files.ts'

/** What the columns of a payout file can hold, in the words of the screen. */
export const FIELD_NAMES: Record<PayoutFileField, string> = {
  amount: t`Amount in the payout currency`,
  currency: t`Payout currency (BDT or USD)`,
  dollars: t`Amount in dollars`,
  taka: t`Amount in taka`,
  rate: t`Exchange rate`,
  reference: t`Payment reference`,
  paymentSystem: t`Payment system`,
  accountNumber: t`Account number`,
  holderName: t`Account holder`,
  bankName: t`Bank`,
  branch: t`Branch`,
  routingNumber: t`Routing number`,
  workerName: t`Name of the worker`,
  workerEmail: t`Email of the worker`,
  requestedOn: t`Date of the request`,
  withdrawal: t`ID of the request`,
  batch: t`ID of the payout batch`,
  row: t`Row number`,
  fixed: t`The same text in every row`,
}
