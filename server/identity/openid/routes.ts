import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#contract/auth.ts'
import { localePath, splitLocale } from '#contract/locales.ts'
import type { OpenidError } from '#contract/openid-errors.en.ts'
import type { Context } from '#server/context.ts'
import { clientOf } from '#server/http/client.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { isLocal } from '../origin.ts'
import { demoFetch, registerDemoIssuer } from './demo-issuer.ts'
import { createDiscovery } from './discovery.ts'
import { OpenidRefusal } from './link.ts'
import { findIssuer, finishSignIn, startSignIn } from './sign-in.ts'

/** The reasons that mean a failed sign-in of a started attempt; attempts are limited by network when they start. */
const FAILURES: readonly OpenidError[] = [
  'sign-in-refused',
  'email-not-verified',
  'email-unverified-here',
  'email-taken',
]

/** Registers sign-in with Google and other OpenID issuers. The browser navigates to both endpoints. */
export function openidRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context
  if (config.demo) registerDemoIssuer(app, config)
  const discover = createDiscovery((issuer) => (issuer.demonstration ? demoFetch(app) : undefined))

  const redirect = async (
    id: string,
    request: FastifyRequest,
    reply: FastifyReply,
    locationOf: (issuer: NonNullable<ReturnType<typeof findIssuer>>) => Promise<string>,
  ) => {
    const issuer = findIssuer(config, id)
    if (issuer === undefined) throw new Refusal('not_found.sign_in_service')
    reply.header(
      'location',
      await locationOf(issuer).catch((error: unknown) => loginErrorPath(error, request)),
    )
    return undefined
  }

  serve(app, context, contract.startOpenid, async ({ params, query, request, reply }) =>
    redirect(params.id, request, reply, async (issuer) => {
      // The issuer redirects to the public URL, so a browser on another local host name is sent there first.
      const { host } = new URL(config.publicUrl)
      if (isLocal(config) && request.host !== host) return config.publicUrl + request.url
      const exchange = { database, config, request, reply }
      const { locale } = splitLocale(query.returnTo ?? '')
      const authorizationUrl = await startSignIn(issuer, discover, query.returnTo, exchange).catch(
        (error: unknown) => {
          throw error instanceof OpenidRefusal ? Object.assign(error, { locale }) : error
        },
      )
      return authorizationUrl.href
    }),
  )

  serve(app, context, contract.finishOpenid, async ({ params, request, reply }) =>
    redirect(params.id, request, reply, async (issuer) => {
      try {
        return await finishSignIn(issuer, discover, { database, config, request, reply })
      } catch (error) {
        if (error instanceof OpenidRefusal && FAILURES.includes(error.reason)) {
          await logSecurityEvent(database, {
            kind: 'sign_in_failed',
            params: { reason: 'provider' },
            client: clientOf(request),
            identityId: null,
          })
        }
        throw error
      }
    }),
  )
}

/** Returns the path of the login page that shows why the sign-in failed. */
function loginErrorPath(error: unknown, request: FastifyRequest): string {
  if (!(error instanceof OpenidRefusal)) throw error
  const { reason, cause, locale } = error
  if (cause !== undefined) request.log.warn({ err: cause, reason }, 'OpenID sign-in failed')
  return `${localePath(locale, '/login')}?error=${reason}`
}
