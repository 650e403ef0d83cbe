import { t } from '@lingui/core/macro'
import type { CardCase } from '#contract/card-reconciliation.ts'

/** What each kind of difference between the card processor and our payments is called. */
export const CARD_CASE_NAMES: Record<CardCase['kind'], string> = {
  unknown_charge: t`A charge that is not a payment here`,
  amount_differs: t`The amount of the charge differs`,
  reversal_differs: t`Refunds and disputes differ`,
  missing_charge: t`A payment without a charge`,
  other_currency: t`A currency other than US dollars`,
}
