import { t } from '@lingui/core/macro'
import type { StripeError } from '@stripe/stripe-js'
import { ApiError } from '#web/lib/api.ts'

/** Creates the error of a declined card: the prescribed text (docs/specification/screens.md) with the reason. */
export function cardError(reason: string): ApiError {
  return new ApiError(402, 'card_failed', t`Payment Failed: ${reason}`)
}

export function isCardError(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'card_failed'
}

/** Returns the message to show for a failed payment, with the next step. */
export function paymentErrorMessage(error: unknown): string {
  const other = t`Something went wrong during payment.`
  if (!(error instanceof ApiError) || error.status === 500) return other
  if (isCardError(error)) return error.message
  if (error.code === 'payment_not_succeeded')
    return t`Payment Failed: ${{ reason: error.message }} Try again or use another card.`
  const next = error.code === 'payment_mismatch' ? [t`Contact us before you pay again.`] : []
  return [other, error.message, ...next].join(' ')
}

/** Failures of a payment that Stripe reports as `invalid_request_error`, whose messages are for developers otherwise. */
const PAYMENT_FAILURES = new Set([
  'payment_intent_authentication_failure',
  'payment_intent_payment_attempt_expired',
  'payment_intent_payment_attempt_failed',
  'payment_method_customer_decline',
  'payment_method_not_available',
  'payment_method_provider_decline',
  'payment_method_provider_timeout',
])

/** Returns the message of a Stripe error that is written for the buyer; undefined for an error without one. */
export function buyerMessageOf(error: StripeError): string | undefined {
  const { type, code = '', decline_code, message, payment_intent } = error
  const isForBuyer = type === 'card_error' || type === 'validation_error' || decline_code !== undefined
  if (isForBuyer || PAYMENT_FAILURES.has(code)) return message
  return payment_intent?.status === 'requires_payment_method'
    ? payment_intent.last_payment_error?.message
    : undefined
}

/** Returns the transaction of a client secret: `pi_1` of `pi_1_secret_2`. */
export function transactionOf(clientSecret: string): string {
  return clientSecret.split('_secret')[0] ?? ''
}
