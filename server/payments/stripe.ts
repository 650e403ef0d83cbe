import Stripe from 'stripe'
import type { Config } from '#server/config.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Dispute } from './disputes.ts'
import { type CardOrder, type CardProvider, CreationFailed, type Intent, orderKey } from './provider.ts'
import { readSignedEvent } from './signed-event.ts'

type Settings = Extract<Config['card'], { provider: 'stripe' }>

/**
 * Requests of users give up after `USER_TIMEOUT_MS`; the idempotency key finds what was created. Jobs wait for Stripe's
 * own timeout and one retry, about 17 seconds.
 */
type TimeoutProfile = 'user' | 'job'
const USER_TIMEOUT_MS = 1_800
const STRIPE_TIMEOUT_MS = 8_000
const RETRIES_MAX = 1
/** How much the clocks of this server and of Stripe may differ. */
const CLOCK_DIFFERENCE_SECONDS = 300
/** A search for an intent gives up after this many. */
const SEARCHED_MAX = 1_000
const EXPAND = { expand: ['latest_charge'] }

/** Creates the adapter to Stripe's library. Card data goes from the browser to Stripe and never reaches this server. */
export function createStripeProvider(settings: Settings, profile: TimeoutProfile = 'user'): CardProvider {
  const stripe = new Stripe(settings.secretKey, {
    apiVersion: '2026-10-28.endive',
    timeout: STRIPE_TIMEOUT_MS,
    maxNetworkRetries: RETRIES_MAX,
    telemetry: false,
    ...settings.api,
  })

  const request = <Result>(send: () => Promise<Result>) =>
    translateErrors(profile === 'job' ? send : () => withTimeout(send()))

  const retrieve = (id: string) => request(async () => read(await stripe.paymentIntents.retrieve(id, EXPAND)))

  async function read(intent: Stripe.PaymentIntent): Promise<Intent> {
    const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
    const card = charge?.payment_method_details?.card
    const { purchase_id, user_id, coins } = intent.metadata
    return {
      id: intent.id,
      clientSecret: intent.client_secret ?? '',
      state: stateOf(intent.status),
      amountCents: intent.amount,
      receivedCents: intent.amount_received,
      currency: intent.currency,
      live: intent.livemode,
      purchaseId: purchase_id ?? null,
      userId: user_id ?? null,
      coins: coins === undefined ? null : Number(coins),
      card: card ? { brand: card.brand ?? 'card', last4: card.last4 ?? '' } : null,
      refundedCents: charge?.amount_refunded ?? 0,
      disputes: charge?.disputed ? await listDisputes(intent.id) : [],
    }
  }

  async function listDisputes(intentId: string): Promise<Dispute[]> {
    const { data } = await stripe.disputes.list({ payment_intent: intentId, limit: 100 })
    return data.map(({ id, amount, status, reason, created, evidence_details: evidence }) => ({
      id,
      cents: amount,
      status,
      reason: reason ?? '',
      respondBy: evidence?.due_by ? timeOf(evidence.due_by) : null,
      openedAt: timeOf(created),
    }))
  }

  return {
    mode: settings.mode,
    publishableKey: settings.publishableKey,
    forJobs: () => createStripeProvider(settings, 'job'),
    create: (order: CardOrder) =>
      request(async () => {
        const { purchaseId, userId, coins, amountCents } = order
        try {
          const intent = await stripe.paymentIntents.create(
            {
              amount: amountCents,
              currency: 'usd',
              allowed_payment_method_types: ['card'],
              description: `${coins} coins`,
              ...(settings.statementSuffix && { statement_descriptor_suffix: settings.statementSuffix }),
              metadata: { purchase_id: purchaseId, user_id: userId, coins: String(coins) },
              ...EXPAND,
            },
            { idempotencyKey: orderKey(order) },
          )
          return await read(intent)
        } catch (error) {
          throw isStoredError(error) ? new CreationFailed() : error
        }
      }),
    find: (purchaseId, since) =>
      request(async () => {
        const gte = Math.floor(Date.parse(since) / 1000) - CLOCK_DIFFERENCE_SECONDS
        const window = { created: { gte }, limit: 100, expand: ['data.latest_charge'] }
        let searched = 0
        for await (const intent of stripe.paymentIntents.list(window)) {
          if (intent.metadata.purchase_id === purchaseId) return read(intent)
          if (++searched === SEARCHED_MAX) throw unavailable()
        }
        return null
      }),
    retrieve,
    cancel: (id) =>
      request(async () => {
        try {
          return await read(await stripe.paymentIntents.cancel(id, EXPAND))
        } catch (error) {
          if (codeOf(error) !== 'payment_intent_unexpected_state') throw error
          return retrieve(id)
        }
      }),
    readEvent: (body, signature) => readSignedEvent(body, signature, settings.webhookSecret),
  }
}

/** Returns the time of a Unix timestamp in seconds. */
const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()

function stateOf(status: Stripe.PaymentIntent.Status): Intent['state'] {
  if (status === 'succeeded') return 'succeeded'
  if (status === 'processing') return 'processing'
  return status === 'canceled' ? 'cancelled' : 'waiting'
}

/** Whether Stripe stores this response under the request's idempotency key and returns it to every repetition. */
function isStoredError(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false
  const { statusCode = 0 } = error
  if (error.type === 'StripeRateLimitError') return false
  return statusCode >= 500 || statusCode === 400 || statusCode === 402
}

/** Translates errors of Stripe into refusals. Stripe's messages are for developers and are not sent to clients. */
async function translateErrors<Result>(send: () => Promise<Result>): Promise<Result> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && error.statusCode === 404)
      throw new Refusal('payment_not_found')
    if (error instanceof Stripe.errors.StripeError && OUTAGE_ERRORS.has(error.type)) throw unavailable()
    throw error
  }
}

/** Throws the refusal `payments_unavailable` when the response takes too long; the request itself continues. */
async function withTimeout<Result>(response: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable()), USER_TIMEOUT_MS)
  })
  try {
    return await Promise.race([response, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Errors that mean an outage. A wrong key is one too: the user can only retry later. */
const OUTAGE_ERRORS = new Set<string>([
  'StripeConnectionError',
  'StripeAPIError',
  'StripeRateLimitError',
  'StripeAuthenticationError',
  'StripePermissionError',
  'StripeIdempotencyError',
])

function codeOf(error: unknown): string | undefined {
  return error instanceof Stripe.errors.StripeError ? error.code : undefined
}

export function unavailable(): Refusal {
  return new Refusal('payments_unavailable')
}
