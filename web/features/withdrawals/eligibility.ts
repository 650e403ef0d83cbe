import { WITHDRAWAL_COINS_MIN } from '#contract/product.ts'
import { formatCoins } from '#web/lib/format.ts'

export type Eligibility = { eligible: boolean; message: string }

/**
 * Returns whether the requested coins can be withdrawn, with the prescribed message (docs/specification/screens.md);
 * null while the field is empty. `withdrawable` is what the limits of payouts leave of the available coins.
 */
export function eligibility(
  requested: number | '',
  available: number,
  withdrawable = available,
): Eligibility | null {
  if (available < WITHDRAWAL_COINS_MIN) {
    return {
      eligible: false,
      message: `Minimum ${WITHDRAWAL_COINS_MIN} coins required. You have ${available}.`,
    }
  }
  if (requested === '') return null
  if (requested > available) return { eligible: false, message: "Can't withdraw more than available coins." }
  if (!(requested >= WITHDRAWAL_COINS_MIN)) {
    return { eligible: false, message: `Minimum withdraw amount is ${WITHDRAWAL_COINS_MIN} coins.` }
  }
  if (requested > withdrawable) {
    return { eligible: false, message: `You can withdraw ${formatCoins(withdrawable)} now.` }
  }
  return { eligible: true, message: "You're eligible to withdraw." }
}
