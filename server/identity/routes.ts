import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/auth.ts'
import { LATEST_EVENT_HEADER } from '#contract/endpoint.ts'
import { checkLink } from '#contract/one-time-links.ts'
import * as site from '#contract/site.ts'
import type { Context } from '#server/context.ts'
import type { Db } from '#server/database/database.ts'
import { clientOf } from '#server/http/client.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import { requireVerifiedEmail } from '#server/identity/require-verified-email.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { accountRoutes } from './account-routes.ts'
import { isUsableLink } from './check-link.ts'
import { requireEmailKey } from './email-taken.ts'
import { knownClients } from './known-clients.ts'
import { rememberDevice } from './known-devices.ts'
import { openidRoutes } from './openid/routes.ts'
import { refuseForeignOrigin } from './origin.ts'
import { secondFactorRoutes } from './second-factor/routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { currentSession, endCurrentSession, startSession } from './sessions.ts'
import { setupAdmin } from './setup.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { TOKEN_MINUTES } from './signing-keys.ts'
import { resendVerification } from './verify-email.ts'

/** The version of credentials that have never changed. */
const INITIAL_VERSION = 0

/** Registers the routes of identity. Also rejects writes to the API that come from other sites' pages. */
export function identityRoutes(
  app: FastifyInstance,
  context: Context,
  readLatestEvent: (db: Db) => Promise<number>,
): void {
  const { config, database, keys } = context
  const known = knownClients(database, config)
  app.addHook('onRequest', refuseForeignOrigin(config))

  serve(app, context, contract.signUp, async ({ body, ...exchange }) => {
    const locale = body.locale ?? requestLocale(exchange.request)
    const id = await signUp(database, config, clientOf(exchange.request), { ...body, locale })
    // When sign-in requires a verified email, the first session is created after the link was followed.
    if (!config.verifyFor.has('sign-in')) {
      await startSession(config, exchange, id, { method: 'sign_up' }, INITIAL_VERSION)
      rememberDevice(config, exchange, requireEmailKey(body.email))
    }
    return { user: { email: body.email, name: body.name } }
  })

  serve(app, { ...context, knownClient: known.ofEmail }, contract.signIn, async ({ body, ...exchange }) => {
    const identity = await signIn(database, config, exchange.request, body)
    if (config.verifyFor.has('sign-in') && !identity.emailVerified) {
      await resendVerification(database, config, identity, requestLocale(exchange.request))
      await logSecurityEvent(database, {
        kind: 'sign_in_failed',
        params: { reason: 'email_not_verified' },
        client: clientOf(exchange.request),
        identityId: identity.id,
      })
    }
    requireVerifiedEmail(config, identity, 'sign-in')
    await startSession(config, exchange, identity.id, { method: 'password' }, identity.version)
    rememberDevice(config, exchange, identity.emailKey)
    return { user: { email: identity.email, name: identity.name } }
  })

  serve(app, { ...context, knownClient: known.ofSession }, contract.issueToken, async (exchange) => {
    const session = await currentSession(config, exchange)
    if (session === undefined) return undefined
    // Read first: what a page reads with this token contains every event up to here.
    exchange.reply.header(LATEST_EVENT_HEADER, await readLatestEvent(database))
    const { identity_id: sub, id: sid, email, name } = session
    const expiresMs = Math.min(Date.now() + TOKEN_MINUTES * 60_000, Date.parse(session.expires_at))
    const expiresAt = new Date(Math.floor(expiresMs / 1000) * 1000)
    const token = await keys.sign({ sub, sid, email, name }, expiresAt)
    return { token, expiresAt: expiresAt.toISOString() }
  })

  serve(app, { ...context, knownClient: known.ofSession }, contract.signOut, async (exchange) => {
    await endCurrentSession(config, exchange)
    return undefined
  })

  serve(app, context, contract.jwks, async ({ reply }) => {
    reply.header('cache-control', 'public, max-age=300')
    return { keys: (await keys.jwks()) as Record<string, unknown>[] }
  })

  serve(app, context, site.setupAdmin, async ({ body, ...exchange }) => {
    const id = await setupAdmin(database, config, clientOf(exchange.request), body)
    await startSession(config, exchange, id, { method: 'sign_up' }, INITIAL_VERSION)
    rememberDevice(config, exchange, requireEmailKey(body.email))
    return { user: { email: body.email, name: body.name } }
  })

  serve(app, { ...context, knownClient: known.ofCheckedLink }, checkLink, async ({ body }) => ({
    usable: await isUsableLink(database, config, body),
  }))

  accountRoutes(app, context)
  sessionRoutes(app, context)
  secondFactorRoutes(app, context)
  openidRoutes(app, context)
}
