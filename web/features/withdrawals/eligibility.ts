import { WITHDRAWAL_COINS_MIN } from '#contract/product.ts'

export type Eligibility = { eligible: boolean; message: string }

/**
 * Returns whether the requested coins can be withdrawn, with the prescribed message (docs/specification/screens.md);
 * null while the field is empty.
 */
export function eligibility(requested: number | '', available: number): Eligibility | null {
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
  return { eligible: true, message: "You're eligible to withdraw." }
}
