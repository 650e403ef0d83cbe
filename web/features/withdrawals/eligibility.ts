import { WITHDRAWAL_COINS_MIN } from '#contract/product.ts'

export type Eligibility = { eligible: boolean; message: string }

/**
 * Whether so many of a person's coins can be withdrawn, in the specification's four sentences (§5). `wanted` is what
 * stands in the field; null while nothing is typed that could be judged.
 */
export function eligibility(wanted: number | '', available: number): Eligibility | null {
  if (available < WITHDRAWAL_COINS_MIN) {
    return {
      eligible: false,
      message: `Minimum ${WITHDRAWAL_COINS_MIN} coins required. You have ${available}.`,
    }
  }
  if (wanted === '') return null
  if (wanted > available) return { eligible: false, message: "Can't withdraw more than available coins." }
  if (!(wanted >= WITHDRAWAL_COINS_MIN)) {
    return { eligible: false, message: `Minimum withdraw amount is ${WITHDRAWAL_COINS_MIN} coins.` }
  }
  return { eligible: true, message: "You're eligible to withdraw." }
}
