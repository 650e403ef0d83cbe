import { t } from '@lingui/core/macro'
import { WITHDRAWAL_COINS_MIN } from '#contract/product.ts'
import { withdrawableCoinsText } from '#contract/unavailable-coins.en.ts'
import { formatNumber } from '#web/lib/format.ts'

export type Eligibility = { eligible: boolean; message: string }

/**
 * Returns whether the requested coins can be withdrawn, with the prescribed message (docs/specification/screens.md);
 * null while the field is empty. `withdrawable` is what the limits of payouts leave of the available coins, which
 * `withdrawableText` says.
 */
export function eligibility(
  requested: number | '',
  available: number,
  withdrawable = available,
  withdrawableText = withdrawableCoinsText,
): Eligibility | null {
  const minimum = formatNumber(WITHDRAWAL_COINS_MIN)
  if (available < WITHDRAWAL_COINS_MIN) {
    return {
      eligible: false,
      message: t`Minimum ${minimum} coins required. You have ${{ balance: formatNumber(available) }}.`,
    }
  }
  if (requested === '') return null
  if (requested > available) return { eligible: false, message: t`Can't withdraw more than available coins.` }
  if (!(requested >= WITHDRAWAL_COINS_MIN)) {
    return { eligible: false, message: t`Minimum withdraw amount is ${minimum} coins.` }
  }
  if (requested > withdrawable) {
    return { eligible: false, message: withdrawableText(withdrawable) }
  }
  return { eligible: true, message: t`You're eligible to withdraw.` }
}
