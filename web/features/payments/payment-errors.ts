import { ApiError } from '#web/lib/api.ts'

/** The card was not charged, with the processor's reason, in the specification's words (§8). */
export function cardErrorMessage(reason: string): ApiError {
  return new ApiError(402, 'card_failed', `Payment Failed: ${reason}`)
}

/** What to show when a payment went wrong otherwise. */
export function paymentErrorMessage(error: unknown): string {
  if (error instanceof ApiError && error.code === 'card_failed') return error.message
  const reason = error instanceof ApiError && error.status !== 500 ? ` ${error.message}` : ''
  return `Something went wrong during payment.${reason}`
}
