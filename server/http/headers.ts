import type { FastifyInstance } from 'fastify'
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

/** Headers that say something of documents only. Scripts, styles and fonts, forty to a screen, go without them. */
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

/** Returns the security headers of public and of private responses. */
export function securityHeaders({ publicUrl }: Config) {
  const ofPublic = {
    ...COMMON_HEADERS,
    ...(publicUrl.startsWith('https:') && {
      'strict-transport-security': `max-age=${YEAR_SECONDS}; includeSubDomains`,
    }),
  }
  return { ofPublic, ofPrivate: { ...ofPublic, ...PRIVATE_HEADERS } }
}

/** Sets the security headers of every response. The matched route decides whether it is private, never the URL's text. */
export function setSecurityHeaders(app: FastifyInstance, config: Config): void {
  const { ofPublic, ofPrivate } = securityHeaders(config)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.routeOptions.config.isPublic === true ? ofPublic : ofPrivate)
    done()
  })
}
