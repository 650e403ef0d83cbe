import type { RequestListener } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { CustomFetch } from 'openid-client'
import type { Config } from '#server/config.ts'
import { DEMO_ISSUER_PACKAGE, DEMO_ISSUER_PATH, issuersOf, wantsDemoIssuer } from '../providers.ts'
import { createFakeIssuer, type FakeUser } from './fake-issuer.ts'
import { callbackOf } from './sign-in.ts'

const DEMO_GOOGLE_USERS: FakeUser[] = [
  { sub: 'demo-1', name: 'Lamia Haque', email: 'lamia@google.demo.example' },
  { sub: 'demo-2', name: 'Rafiq Uddin', email: 'rafiq@google.demo.example' },
  { sub: 'demo-3', name: 'Mitali Das', email: 'mitali@google.demo.example' },
]

/**
 * Registers a demo of "Continue with Google": a real OpenID provider with fictitious users below this site's URL, so that
 * it works without an internet connection. Development only.
 */
export function registerDemoIssuer(app: FastifyInstance, config: Config): void {
  const issuer = issuersOf(config).find(({ demonstration }) => demonstration)
  if (issuer === undefined) {
    if (wantsDemoIssuer(config))
      app.log.warn(`The demo sign-in with Google is off: this build does not include ${DEMO_ISSUER_PACKAGE}`)
    return
  }
  const site = new URL(config.publicUrl)
  let listener: Promise<RequestListener> | undefined

  void app.register(async (scope) => {
    // The provider reads its bodies itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.route({
      method: ['GET', 'POST'],
      url: `${DEMO_ISSUER_PATH}/*`,
      handler: async (request, reply) => {
        listener ??= createFakeIssuer({
          url: issuer.url,
          users: DEMO_GOOGLE_USERS.map((user) => ({
            ...user,
            hd: 'google.demo.example',
            email_verified: true,
          })),
          client: {
            id: issuer.clientId,
            secret: issuer.clientSecret,
            redirectUri: callbackOf(config, issuer),
          },
          notice:
            'This is a demonstration of signing in with Google. It uses no Google account, and these users are fictitious.',
        })
        const handle = await listener
        const raw = Object.assign(request.raw, { originalUrl: request.raw.url })
        raw.url = (raw.url ?? '').slice(DEMO_ISSUER_PATH.length)
        raw.headers.host = site.host
        raw.headers['x-forwarded-proto'] = site.protocol.slice(0, -1)
        reply.hijack()
        // The provider's own headers, such as the policy of its sign-in page, replace these.
        reply.raw.setHeaders(new Map(Object.entries(reply.getHeaders()) as [string, string][]))
        handle(raw, reply.raw)
      },
    })
  })
}

/** Returns a `fetch` that sends requests to the demo issuer within this process, independent of its public URL. */
export function demoFetch(app: FastifyInstance): CustomFetch {
  return async (url, { method, headers, body }) => {
    const { pathname, search } = new URL(url)
    const response = await app.inject({
      method: method as 'GET' | 'POST',
      url: pathname + search,
      headers,
      ...(body && { payload: await new Response(body as BodyInit).text() }),
    })
    return new Response(response.payload, {
      status: response.statusCode,
      headers: { 'content-type': String(response.headers['content-type']) },
    })
  }
}
