import type { Destination } from '#contract/destinations.ts'
import { PAYMENT_SYSTEM_NAMES } from '#web/lib/format.ts'

/** Returns how screens name a destination: "bKash 01712345678", "Sonali Bank 0012345678". */
export function destinationName({ payment_system, accountNumber, bankName }: Destination): string {
  return `${bankName === '' ? PAYMENT_SYSTEM_NAMES[payment_system] : bankName} ${accountNumber}`
}

/** Whether the waiting time of a destination has passed. */
export function isUsable({ usableAt }: Destination): boolean {
  return Date.parse(usableAt) <= Date.now()
}
