import type Stripe from 'stripe'
import * as z from 'zod'
import type { CardCheck } from '#contract/system.ts'
import { type FailureEvents, reportFailure } from './failures.ts'
import { API_VERSION, createClient, type StripeSettings } from './stripe-client.ts'
import { describeFailure } from './stripe-failure.ts'
import { parseResponse } from './stripe-responses.ts'

/** The events that the webhook endpoint needs. */
const WEBHOOK_EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'charge.refund.updated',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'radar.early_fraud_warning.created',
]

const Intents = z.object({ data: z.array(z.object({ id: z.string(), client_secret: z.string().nullish() })) })
const Balance = z.object({ livemode: z.boolean() })
const Endpoints = z.object({
  data: z.array(
    z.object({
      url: z.string(),
      status: z.string(),
      api_version: z.string().nullish(),
      enabled_events: z.array(z.string()),
    }),
  ),
})

/** Checks the keys, their mode and the webhook endpoint at Stripe. Never throws. */
export async function checkStripe(
  settings: StripeSettings,
  failures: FailureEvents,
  webhookUrl: string,
): Promise<CardCheck[]> {
  const stripe = createClient(settings)
  const check = async (name: CardCheck['name'], run: () => Promise<string | null>) => {
    try {
      const problem = await run()
      return { name, result: problem === null ? ('ok' as const) : ('failed' as const), detail: problem ?? '' }
    } catch (error) {
      const failure = describeFailure('check', error)
      reportFailure(failures, failure)
      return failedCheck(name, failure)
    }
  }

  return Promise.all([
    check('secret_key', async () => {
      parseResponse(Intents, await stripe.paymentIntents.list({ limit: 1 }))
      return null
    }),
    check('mode', async () => {
      const { livemode } = parseResponse(Balance, await stripe.balance.retrieve())
      const mode = livemode ? 'live' : 'test'
      return mode === settings.mode ? null : `Stripe says that the secret key is a ${mode} key.`
    }),
    check('publishable_key', () => checkPublishableKey(stripe, settings)),
    check('webhook', async () => {
      const { data } = parseResponse(Endpoints, await stripe.webhookEndpoints.list({ limit: 100 }))
      const endpoint = data.find(({ url }) => url === webhookUrl)
      if (endpoint === undefined) return `Stripe has no webhook endpoint with the URL ${webhookUrl}.`
      if (endpoint.status !== 'enabled') return `The webhook endpoint ${webhookUrl} is ${endpoint.status}.`
      if (endpoint.api_version !== API_VERSION)
        return `The webhook endpoint has the API version ${endpoint.api_version ?? 'of the account'} instead of ${API_VERSION}.`
      const events = new Set(endpoint.enabled_events)
      const missing = events.has('*') ? [] : WEBHOOK_EVENTS.filter((event) => !events.has(event))
      return missing.length === 0 ? null : `The webhook endpoint does not receive ${missing.join(', ')}.`
    }),
  ])
}

/** Checks the publishable key by reading an intent as a browser does, with its client secret. Needs an intent of the account. */
async function checkPublishableKey(stripe: Stripe, settings: StripeSettings): Promise<string | null> {
  const { data } = parseResponse(Intents, await stripe.paymentIntents.list({ limit: 1 }))
  const [intent] = data
  if (!intent?.client_secret) return null
  const browser = createClient(settings, settings.publishableKey)
  await browser.paymentIntents.retrieve(intent.id, { client_secret: intent.client_secret })
  return null
}

/** Returns a failed check. A restricted key may lack the permission to check something: then nothing is known about it. */
function failedCheck(name: CardCheck['name'], failure: ReturnType<typeof describeFailure>): CardCheck {
  const { kind, requestId } = failure
  const request = requestId === null ? '' : ` (${requestId})`
  if (kind === 'permission' && name !== 'secret_key')
    return { name, result: 'unknown', detail: `The secret key may not read this at Stripe${request}.` }
  if (name === 'publishable_key' && failure.status === 404)
    return { name, result: 'failed', detail: `The publishable key is of another account${request}.` }
  if (kind === 'authentication' || kind === 'permission' || kind === 'rejected')
    return { name, result: 'failed', detail: `Stripe refused the key${request}.` }
  return { name, result: 'unknown', detail: `Stripe could not be reached${request}.` }
}
