import { ApiError } from '#web/lib/api.ts'

/** Creates the error of a declined card: the prescribed text (docs/specification/screens.md) with the reason. */
export function cardError(reason: string): ApiError {
  return new ApiError(402, 'card_failed', `Payment Failed: ${reason}`)
}

/** Returns the message to show for a failed payment. */
export function paymentErrorMessage(error: unknown): string {
  if (error instanceof ApiError && error.code === 'card_failed') return error.message
  const reason = error instanceof ApiError && error.status !== 500 ? ` ${error.message}` : ''
  return `Something went wrong during payment.${reason}`
}
