import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/auth.ts'
import type { RouteContext } from '#server/context.ts'
import { clientOf } from '#server/http/client.ts'
import { serve } from '#server/http/serve.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import { endAllSessions, endCurrentSession, endOwnSession, openSessions } from './sessions.ts'

/** Registers the routes of the user's own sessions. */
export function sessionRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.sessions, async ({ db, caller }) => {
    const rows = await openSessions(db, caller.identityId)
    return rows.map(({ id, device, network, created_at, seen_at }) => ({
      _id: id,
      device,
      network,
      createdAt: created_at,
      seenAt: seen_at,
      current: id === caller.sessionId,
    }))
  })

  serve(app, context, contract.endSession, async ({ db, caller, params, request }) => {
    await endOwnSession(db, caller.identityId, params.id, clientOf(request))
    return undefined
  })

  serve(app, context, contract.signOutEverywhere, async ({ caller, ...exchange }) => {
    await endAllSessions(exchange.db, caller.identityId)
    await logSecurityEvent(exchange.db, {
      kind: 'all_sessions_ended',
      params: {},
      client: clientOf(exchange.request),
      identityId: caller.identityId,
    })
    await endCurrentSession(context.config, exchange)
    return undefined
  })
}
