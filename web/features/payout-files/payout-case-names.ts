import { t } from '@lingui/core/macro'
import type { PayoutCase } from '#contract/payout-statements.ts'

/** What each kind of difference between a statement and a payout is called. */
export const PAYOUT_CASE_NAMES: Record<PayoutCase['kind'], string> = {
  unknown_reference: t`Payment without a matching payout`,
  unreadable_amount: t`The amount cannot be read`,
  amount_differs: t`The amount differs`,
  number_differs: t`The account number differs`,
  edited_line: t`Settled line was changed`,
  second_line: t`Second line for the same payout`,
  other_transaction: t`Transaction ID differs from the confirmed one`,
  not_sent: t`The payout was not released`,
  paid_after_failure: t`Paid, but the payout failed here`,
  failed_after_payment: t`Failed or returned, but confirmed here`,
  own_payout: t`Payout to the Admin who imported the statement`,
  unclear_status: t`The status is not clear`,
}
