import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/payout-statements.ts'
import type { RouteContext } from '#server/context.ts'
import { serve } from '#server/http/serve.ts'
import {
  importStatement,
  latestStatements,
  listPayoutCases,
  presentPayoutCase,
  presentStatement,
  resolvePayoutCase,
} from './statements.ts'

export function payoutStatementRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.importPayoutStatement, ({ db, body, viewer }) =>
    importStatement(db, viewer.id, { ...body, content: Buffer.from(body.content, 'base64') }),
  )

  serve(app, context, contract.payoutStatements, async ({ db }) => {
    const rows = await latestStatements(db)
    return rows.map(presentStatement)
  })

  serve(app, context, contract.payoutCases, async ({ db }) => {
    const rows = await listPayoutCases(db)
    return rows.map(presentPayoutCase)
  })

  serve(app, context, contract.resolvePayoutCase, async ({ db, params, body, viewer }) => {
    await resolvePayoutCase(db, params.id, viewer.id, body.decision, body.note)
    return { acknowledged: true, matchedCount: 1, modifiedCount: 1 }
  })
}
