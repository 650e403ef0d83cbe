import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'

/** What every answer carries, also one that no route was found for. */
export const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
}

/** Headers of every answer. Pages add their own content policy; an API answer may load nothing and is never cached. */
export function securityHeaders(app: FastifyInstance, config: Config): void {
  const secure = config.publicUrl.startsWith('https:')
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(ALWAYS)
    if (secure) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
    if (!request.url.startsWith('/api/')) return
    reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    reply.header('cache-control', 'no-store')
  })
}
