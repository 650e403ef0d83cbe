import { t } from '@lingui/core/macro'
import type { ReceiptSummary } from '#contract/receipts.ts'

/** The names of receipts on screens. */
export const RECEIPT_TITLES: Record<ReceiptSummary['kind'], string> = {
  purchase: t`Receipt`,
  refund: t`Credit note`,
  payout: t`Payout receipt`,
}
