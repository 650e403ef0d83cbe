import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page, an asset or a picture: may be cached, and sets its own content policy. Every other route is private. */
    isPublic?: true
  }
}

/** Headers of every response, also of a request that the router cannot read. */
export const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  // Google Pay and some banks open a window from the card form and report to it.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
}

/** Headers that say something of documents only. Scripts, styles, fonts and what the app fetches go without them. */
export const DOCUMENT_HEADERS = [
  'x-frame-options',
  'referrer-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
] as const

/** A private response may load nothing and is never stored. */
const PRIVATE_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

const YEAR_SECONDS = 31_536_000

/** Returns the security headers of public and of private responses, and of private ones to a page's `fetch`. */
export function securityHeaders({ publicUrl }: Config) {
  const ofPublic = {
    ...COMMON_HEADERS,
    ...(publicUrl.startsWith('https:') && {
      'strict-transport-security': `max-age=${YEAR_SECONDS}; includeSubDomains`,
    }),
  }
  const ofPrivate = { ...ofPublic, ...PRIVATE_HEADERS }
  return { ofPublic, ofPrivate, ofFetched: withoutDocumentHeaders(ofPrivate) }
}

function withoutDocumentHeaders(headers: Record<string, string>): Record<string, string> {
  const ofDocuments = new Set<string>(DOCUMENT_HEADERS)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofDocuments.has(name)))
}

/** Sets the security headers of every response. The matched route decides whether it is private, never the URL's text. */
export function setSecurityHeaders(app: FastifyInstance, config: Config): void {
  const { ofPublic, ofPrivate, ofFetched } = securityHeaders(config)
  app.addHook('onRequest', (request, reply, done) => {
    const ofRequest = isFetched(request) ? ofFetched : ofPrivate
    reply.headers(request.routeOptions.config.isPublic === true ? ofPublic : ofRequest)
    done()
  })
}

/**
 * Returns whether a script of a page has sent the request: browsers say so, and scripts cannot change it. They never show the
 * response as a document. A dozen responses to a screen are 232 bytes shorter each.
 */
export function isFetched({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-dest'] === 'empty'
}
