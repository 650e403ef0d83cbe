import { latinDigits } from '#contract/digits.ts'
import { accountNumberOf } from '#contract/withdrawals.ts'

/** Returns the keys that a typed number can have among destinations (withdrawals.destination_key). */
export function destinationKeys(typed: string): string[] {
  const mobile = accountNumberOf('Bkash', typed) ?? accountNumberOf('Rocket', typed)
  const latin = latinDigits(typed)
  const digits = latin.replace(/[ .-]/g, '')
  const text = latin.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return [...new Set([mobile, mobile?.slice(0, 11), digits, text].filter((key) => key !== undefined))]
}
