import type { RequestListener } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { CustomFetch } from 'openid-client'
import type { Config } from '#server/config.ts'
import { DEMO_ISSUER_PACKAGE, DEMO_ISSUER_PATH, issuersOf, wantsDemoIssuer } from '../providers.ts'
import { createFakeIssuer, type FakeUser } from './fake-issuer.ts'
import { callbackOf } from './sign-in.ts'

const PEOPLE: FakeUser[] = [
  { sub: 'demo-1', name: 'Lamia Haque', email: 'lamia@google.demo.example' },
  { sub: 'demo-2', name: 'Rafiq Uddin', email: 'rafiq@google.demo.example' },
  { sub: 'demo-3', name: 'Mitali Das', email: 'mitali@google.demo.example' },
]

/**
 * The demonstration of "Continue with Google": a real OpenID provider with made-up people, below this site's own
 * address, so that it works without a network and wherever the site itself is reached. Development only.
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
          people: PEOPLE.map((person) => ({ ...person, hd: 'google.demo.example', email_verified: true })),
          client: {
            id: issuer.clientId,
            secret: issuer.clientSecret,
            redirectUri: callbackOf(config, issuer),
          },
          notice: `This is a demonstration of signing in with Google. No Google account is used, and these people are made up.`,
        })
        const answer = await listener
        const raw = Object.assign(request.raw, { originalUrl: request.raw.url })
        raw.url = (raw.url ?? '').slice(DEMO_ISSUER_PATH.length)
        raw.headers.host = site.host
        raw.headers['x-forwarded-proto'] = site.protocol.slice(0, -1)
        reply.hijack()
        answer(raw, reply.raw)
      },
    })
  })
}

/** How this server speaks to its own demonstration: inside the program, whatever its address is outside. */
export function demoFetch(app: FastifyInstance): CustomFetch {
  return async (url, { method, headers, body }) => {
    const { pathname, search } = new URL(url)
    const answer = await app.inject({
      method: method as 'GET' | 'POST',
      url: pathname + search,
      headers,
      ...(body && { payload: await new Response(body as BodyInit).text() }),
    })
    return new Response(answer.payload, {
      status: answer.statusCode,
      headers: { 'content-type': String(answer.headers['content-type']) },
    })
  }
}
