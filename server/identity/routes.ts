import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/auth.ts'
import * as site from '#contract/site.ts'
import type { Services } from '#server/http/context.ts'
import { serve } from '#server/http/serve.ts'
import { requireVerified } from '#server/identity/require-verified-email.ts'
import { personRoutes } from './account-routes.ts'
import { openidRoutes } from './openid/routes.ts'
import { refuseForeignOrigin } from './origin.ts'
import { currentSession, endCurrentSession, startSession } from './sessions.ts'
import { setupAdmin } from './setup.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { TOKEN_MINUTES } from './signing-keys.ts'
import { resendVerification } from './verify-email.ts'

/** The version of credentials that nobody has changed yet. */
const NEW = 0

/** How one signs in and out. Also guards every write of the API against other sites' pages. */
export function identityRoutes(app: FastifyInstance, services: Services): void {
  const { config, database, keys } = services
  app.addHook('onRequest', refuseForeignOrigin(config))

  serve(app, services, contract.signUp, async ({ body, ...exchange }) => {
    const id = await signUp(database, config, exchange.request.ip, body)
    // Where only verified people may sign in, the first session waits for the mail's link.
    if (!config.verifyFor.has('sign-in')) await startSession(config, exchange, id, NEW)
    return { user: { email: body.email, name: body.name } }
  })

  serve(app, services, contract.signIn, async ({ body, ...exchange }) => {
    const identity = await signIn(database, exchange.request.ip, body)
    if (config.verifyFor.has('sign-in')) await resendVerification(database, config, identity)
    requireVerified(config, identity, 'sign-in')
    await startSession(config, exchange, identity.id, identity.version)
    return { user: { email: identity.email, name: identity.name } }
  })

  serve(app, services, contract.issueToken, async (exchange) => {
    const session = await currentSession(config, exchange)
    if (session === undefined) return undefined
    const { identity_id: sub, id: sid, email, name } = session
    const ends = Math.min(Date.now() + TOKEN_MINUTES * 60_000, Date.parse(session.expires_at))
    const expiresAt = new Date(Math.floor(ends / 1000) * 1000)
    const token = await keys.sign({ sub, sid, email, name }, expiresAt)
    return { token, expiresAt: expiresAt.toISOString() }
  })

  serve(app, services, contract.signOut, async (exchange) => {
    await endCurrentSession(config, exchange)
    return undefined
  })

  serve(app, services, contract.jwks, async ({ reply }) => {
    reply.header('cache-control', 'public, max-age=300')
    return { keys: (await keys.jwks()) as Record<string, unknown>[] }
  })

  serve(app, services, site.setupAdmin, async ({ body, ...exchange }) => {
    const id = await setupAdmin(database, config, body)
    await startSession(config, exchange, id, NEW)
    return { user: { email: body.email, name: body.name } }
  })

  personRoutes(app, services)
  openidRoutes(app, services)
}
