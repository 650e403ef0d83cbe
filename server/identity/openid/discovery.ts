import * as client from 'openid-client'
import type { Issuer } from '../providers.ts'

type Fetch = client.CustomFetch

/** How long an issuer's metadata is cached. */
const CACHE_MS = 3_600_000
const TIMEOUT_SECONDS = 5

/**
 * Returns a function that discovers an issuer's metadata at its first use. A failed discovery is retried by the next
 * call; cached metadata is used while the issuer is unavailable.
 */
export function createDiscovery(fetches?: (issuer: Issuer) => Fetch | undefined) {
  const cache = new Map<string, { configuration: client.Configuration; readAt: number }>()
  const inFlight = new Map<string, Promise<client.Configuration>>()

  return async (issuer: Issuer): Promise<client.Configuration> => {
    const cached = cache.get(issuer.id)
    if (cached !== undefined && Date.now() - cached.readAt < CACHE_MS) return cached.configuration
    const discovery = inFlight.get(issuer.id) ?? discover(issuer, fetches?.(issuer))
    inFlight.set(issuer.id, discovery)
    try {
      const configuration = await discovery
      cache.set(issuer.id, { configuration, readAt: Date.now() })
      return configuration
    } catch (error) {
      if (cached !== undefined) return cached.configuration
      throw error
    } finally {
      inFlight.delete(issuer.id)
    }
  }
}

async function discover(issuer: Issuer, fetch: Fetch | undefined): Promise<client.Configuration> {
  const { url, clientId, clientSecret } = issuer
  // The configuration allows http only outside of production; the demo issuer is this server itself.
  const insecure = url.startsWith('http:') ? [client.allowInsecureRequests] : []
  const discovered = await client.discovery(new URL(url), clientId, clientSecret, undefined, {
    timeout: TIMEOUT_SECONDS,
    execute: insecure,
    ...(fetch && { [client.customFetch]: fetch }),
  })
  const metadata = discovered.serverMetadata()
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authentication = methods.includes('client_secret_post')
    ? client.ClientSecretPost(clientSecret)
    : client.ClientSecretBasic(clientSecret)
  const configuration = new client.Configuration(metadata, clientId, clientSecret, authentication)
  configuration.timeout = TIMEOUT_SECONDS
  if (fetch) configuration[client.customFetch] = fetch
  for (const allowInsecure of insecure) allowInsecure(configuration)
  // Defence in depth: the signature is checked although the token comes directly from the issuer.
  client.enableNonRepudiationChecks(configuration)
  return configuration
}

/** Returns whether an error means that the issuer is unavailable: no response, a timeout, or a 5xx status. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, cause } = error as Error & { code?: string }
  if (code === 'OAUTH_TIMEOUT' || code === 'ERR_JWKS_TIMEOUT' || error.name === 'TimeoutError') return true
  if (cause instanceof Response) return cause.status >= 500
  return (error instanceof TypeError && error.message === 'fetch failed') || isOutage(cause)
}
