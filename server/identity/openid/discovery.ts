import * as client from 'openid-client'
import type { Issuer } from '../providers.ts'

type Fetch = client.CustomFetch

/** How long an issuer's own description is believed before it is read again. */
const FRESH_MS = 3_600_000
/** Issuers answer within this, or are away. */
const TIMEOUT_S = 5

/**
 * Reads an issuer's description when somebody first needs it. What failed is tried again by the next who asks, so an
 * outage at start or later heals by itself; what was read before serves while the issuer is away.
 */
export function createDiscovery(fetches?: (issuer: Issuer) => Fetch | undefined) {
  const known = new Map<string, { configuration: client.Configuration; readAt: number }>()
  const reading = new Map<string, Promise<client.Configuration>>()

  return async (issuer: Issuer): Promise<client.Configuration> => {
    const before = known.get(issuer.id)
    if (before !== undefined && Date.now() - before.readAt < FRESH_MS) return before.configuration
    const under = reading.get(issuer.id) ?? read(issuer, fetches?.(issuer))
    reading.set(issuer.id, under)
    try {
      const configuration = await under
      known.set(issuer.id, { configuration, readAt: Date.now() })
      return configuration
    } catch (error) {
      if (before !== undefined) return before.configuration
      throw error
    } finally {
      reading.delete(issuer.id)
    }
  }
}

async function read(issuer: Issuer, fetch: Fetch | undefined): Promise<client.Configuration> {
  const { url, clientId, clientSecret } = issuer
  // The settings allow http only outside of production, and the demonstration is this server itself.
  const insecure = url.startsWith('http:') ? [client.allowInsecureRequests] : []
  const found = await client.discovery(new URL(url), clientId, clientSecret, undefined, {
    timeout: TIMEOUT_S,
    execute: insecure,
    ...(fetch && { [client.customFetch]: fetch }),
  })
  const server = found.serverMetadata()
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authentication = methods.includes('client_secret_post')
    ? client.ClientSecretPost(clientSecret)
    : client.ClientSecretBasic(clientSecret)
  const configuration = new client.Configuration(server, clientId, clientSecret, authentication)
  configuration.timeout = TIMEOUT_S
  if (fetch) configuration[client.customFetch] = fetch
  for (const allow of insecure) allow(configuration)
  // The signature is checked although the token comes straight from the issuer: one lock more.
  client.enableNonRepudiationChecks(configuration)
  return configuration
}

/** Whether an issuer is away: no answer, an answer too late, or an answer of 5xx. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, cause } = error as Error & { code?: string }
  if (code === 'OAUTH_TIMEOUT' || code === 'ERR_JWKS_TIMEOUT' || error.name === 'TimeoutError') return true
  if (cause instanceof Response) return cause.status >= 500
  return (error instanceof TypeError && error.message === 'fetch failed') || isOutage(cause)
}
