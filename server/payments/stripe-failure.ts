import Stripe from 'stripe'
import { Refusal } from '#server/http/refusal.ts'
import type { Failure, FailureKind } from './failures.ts'

/** Stripe returned a response of another form than its API documents. */
export class InvalidResponse extends Error {
  readonly requestId: string | null

  constructor(message: string, requestId: string | null = null) {
    super(message)
    this.requestId = requestId
  }
}

/** Describes an error of a request to Stripe. */
export function describeFailure(operation: string, error: unknown): Failure {
  if (!(error instanceof Stripe.errors.StripeError)) {
    const requestId = error instanceof InvalidResponse ? error.requestId : null
    const kind = error instanceof TimedOut ? 'timeout' : 'invalid_response'
    return { operation, kind, status: null, code: null, requestId, message: String(error) }
  }
  const { statusCode = null, code = null, requestId = null, message } = error
  return { operation, kind: kindOf(error), status: statusCode, code, requestId, message }
}

const KINDS: Record<string, FailureKind> = {
  StripeAuthenticationError: 'authentication',
  StripePermissionError: 'permission',
  StripeRateLimitError: 'rate_limit',
  StripeAPIError: 'server_error',
  StripeConnectionError: 'connection',
}

function kindOf({ type, message, statusCode }: Stripe.errors.StripeError): FailureKind {
  // The body was not JSON.
  if (type === 'StripeAPIError' && statusCode === undefined) return 'invalid_response'
  if (type === 'StripeConnectionError' && /timeout/i.test(message)) return 'timeout'
  return KINDS[type] ?? 'rejected'
}

/** Returns whether Stripe does not have the object. A wrong URL is a 404 too, but does not prove that. */
export function isMissing(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError) || error.statusCode !== 404) return false
  return error.code === undefined || error.code === 'resource_missing'
}

/** Returns whether Stripe stores this response under the request's idempotency key and returns it to every repetition. */
export function isStoredError(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError) || error.type === 'StripeRateLimitError') return false
  const { statusCode = 0 } = error
  return statusCode >= 500 || statusCode === 400 || statusCode === 402
}

class TimedOut extends Error {}

/** Throws when the response takes too long; the request itself continues. */
export async function withTimeout<Result>(response: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimedOut(`No response within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([response, late])
  } finally {
    clearTimeout(timer)
  }
}

export function unavailable(): Refusal {
  return new Refusal('payments_unavailable')
}
