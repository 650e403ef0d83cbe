import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/sessions.ts'
import type { RouteContext } from '#server/context.ts'
import type { Caller } from '#server/http/caller.ts'
import { clientOf } from '#server/http/client.ts'
import { serve } from '#server/http/serve.ts'
import { logSecurityEvent } from '#server/security-log/log-event.ts'
import {
  endAllSessions,
  endCurrentSession,
  endOwnSession,
  type ListedSession,
  listSessions,
} from './sessions.ts'
import { endUserSessions, sessionsOfUser } from './user-sessions.ts'

/** Registers the routes of sessions: the user's own, and those of any user for Admins. */
export function sessionRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.sessions, async ({ db, caller }) => {
    const rows = await listSessions(db, caller.identityId)
    return rows.map((row) => presentSession(row, caller))
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

  serve(app, context, contract.userSessions, async ({ db, caller, params }) => {
    const { user, sessions } = await sessionsOfUser(db, params.id)
    return {
      user: { _id: params.id, name: user.name, email: user.email },
      sessions: sessions.map((row) => presentSession(row, caller)),
    }
  })

  serve(app, context, contract.endUserSession, async ({ db, params, viewer, request }) => {
    await endUserSessions(db, params.id, params.sessionId, viewer.id, clientOf(request))
    return undefined
  })

  serve(app, context, contract.endUserSessions, async ({ db, params, viewer, request }) => ({
    ended: await endUserSessions(db, params.id, null, viewer.id, clientOf(request)),
  }))
}

function presentSession({ id, device, network, created_at, seen_at }: ListedSession, caller: Caller) {
  return {
    _id: id,
    device,
    network,
    createdAt: created_at,
    seenAt: seen_at,
    current: id === caller.sessionId,
  }
}
