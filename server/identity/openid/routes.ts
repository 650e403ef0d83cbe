import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#contract/auth.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { isLocal } from '../origin.ts'
import { demoFetch, registerDemoIssuer } from './demo-issuer.ts'
import { createDiscovery } from './discovery.ts'
import { OpenidRefusal } from './link.ts'
import { findIssuer, finishSignIn, startSignIn } from './sign-in.ts'

/** Signing in with Google and other OpenID issuers. Both calls are pages that a browser visits. */
export function openidRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context
  if (config.demo) registerDemoIssuer(app, config)
  const discover = createDiscovery((issuer) => (issuer.demonstration ? demoFetch(app) : undefined))

  const visit = async (
    id: string,
    request: FastifyRequest,
    reply: FastifyReply,
    work: (issuer: NonNullable<ReturnType<typeof findIssuer>>) => Promise<string>,
  ) => {
    const issuer = findIssuer(config, id)
    if (issuer === undefined) throw new Refusal('not_found', 'There is no such sign-in service here.')
    reply.header('location', await work(issuer).catch((error: unknown) => loginWith(error, request)))
    return undefined
  }

  serve(app, context, contract.startOpenid, async ({ params, query, request, reply }) =>
    visit(params.id, request, reply, async (issuer) => {
      // The way back leads to the public address; who came by another name of this machine goes there first.
      const { host } = new URL(config.publicUrl)
      if (isLocal(config) && request.host !== host) return config.publicUrl + request.url
      const to = await startSignIn(issuer, discover, query.returnTo, { database, config, request, reply })
      return to.href
    }),
  )

  serve(app, context, contract.finishOpenid, async ({ params, request, reply }) =>
    visit(params.id, request, reply, (issuer) =>
      finishSignIn(issuer, discover, { database, config, request, reply }),
    ),
  )
}

/** The login page says why it did not work. */
function loginWith(error: unknown, request: FastifyRequest): string {
  if (!(error instanceof OpenidRefusal)) throw error
  const { reason, cause } = error
  if (cause !== undefined) request.log.warn({ err: cause, reason }, 'signing in with an issuer did not work')
  return `/login?error=${reason}`
}
