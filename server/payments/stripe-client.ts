import Stripe from 'stripe'
import type { Config } from '#server/config.ts'

export type StripeSettings = Extract<Config['card'], { provider: 'stripe' }>

/** The version of Stripe's API. The webhook endpoint is created with it too. */
export const API_VERSION = '2026-10-28.endive'

const TIMEOUT_MS = 8_000
const RETRIES_MAX = 1

/**
 * Returns the library's HTTP client, which rejects a JSON body that is no object. The library would throw outside its
 * promise, which ends the process.
 */
function createHttpClient() {
  const client = Stripe.createNodeHttpClient()
  const send = client.makeRequest.bind(client)
  client.makeRequest = async (...request) => {
    const response = await send(...request)
    const toJSON = response.toJSON.bind(response)
    response.toJSON = async () => {
      const body: unknown = await toJSON()
      if (typeof body !== 'object' || body === null) throw new Error('The body is not an object')
      return body
    }
    return response
  }
  return client
}

/** Creates a client of Stripe's API with one of the account's keys. */
export function createClient({ api, secretKey }: StripeSettings, key = secretKey): Stripe {
  return new Stripe(key, {
    apiVersion: API_VERSION,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES_MAX,
    telemetry: false,
    httpClient: createHttpClient(),
    ...api,
  })
}
