import { ApiError } from '#web/lib/api.ts'

/** The card was not charged: the prescribed text (docs/specification/screens.md) with the processor's reason. */
export function cardError(reason: string): ApiError {
  return new ApiError(402, 'card_failed', `Payment Failed: ${reason}`)
}

/** What to show when a payment went wrong otherwise. */
export function paymentErrorMessage(error: unknown): string {
  if (error instanceof ApiError && error.code === 'card_failed') return error.message
  const reason = error instanceof ApiError && error.status !== 500 ? ` ${error.message}` : ''
  return `Something went wrong during payment.${reason}`
}
