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

const YEAR_SECONDS = 31_536_000

/** Headers of every answer. Pages add their own content policy; an API answer may load nothing and is never cached. */
export function headersOf({ publicUrl }: Config, ofApi: boolean): Record<string, string> {
  return {
    ...ALWAYS,
    ...(publicUrl.startsWith('https:') && {
      'strict-transport-security': `max-age=${YEAR_SECONDS}; includeSubDomains`,
    }),
    ...(ofApi && {
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    }),
  }
}

export function securityHeaders(app: FastifyInstance, config: Config): void {
  const ofPages = headersOf(config, false)
  const ofApi = headersOf(config, true)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.url.startsWith('/api/') ? ofApi : ofPages)
    done()
  })
}
