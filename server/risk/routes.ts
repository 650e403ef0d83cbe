import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/freezes.ts'
import * as risk from '#contract/risk.ts'
import type { RouteContext } from '#server/context.ts'
import { page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
import { endFreeze, freezeUser, freezeWithdrawal, respondToFreeze } from './freeze.ts'
import { type FreezeRow, freezesOfUser, liveFreezes } from './freeze-queries.ts'
import { presentFreeze, presentListedFreeze, presentRisk } from './present-freeze.ts'
import { assessRisk, clearRisk } from './review.ts'

export function riskRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.freezeUser, async ({ db, params, body, viewer }) => {
    const { freeze_id, is_new } = await freezeUser(db, params.id, viewer.id, body.reason)
    return { acknowledged: true, freezeId: freeze_id, modifiedCount: Number(is_new) }
  })

  serve(app, context, contract.freezeWithdrawal, async ({ db, params, body, viewer }) => {
    const { freeze_id, is_new } = await freezeWithdrawal(db, params.id, viewer.id, body.reason)
    return { acknowledged: true, freezeId: freeze_id, modifiedCount: Number(is_new) }
  })

  serve(app, context, contract.endFreeze, async ({ db, params, body, viewer }) => ({
    acknowledged: true,
    modifiedCount: await endFreeze(db, params.id, viewer.id, body.reason),
  }))

  serve(app, context, contract.respondToFreeze, async ({ db, params, body, viewer }) => {
    await respondToFreeze(db, params.id, viewer.id, body.text)
    return { acknowledged: true }
  })

  serve(app, context, risk.clearRisk, async ({ db, params, body, viewer }) => {
    await clearRisk(db, params.id, viewer.id, body.reason)
    return { acknowledged: true }
  })

  serve(app, context, risk.assessRisk, async ({ db, params, viewer }) =>
    presentRisk(await assessRisk(db, params.id), viewer.locale),
  )

  serve(app, context, contract.myFreezes, async ({ db, query, reply, viewer }) => {
    const rows = await page(
      reply,
      query,
      ['number'],
      ([before], count) => freezesOfUser(db, viewer.id, before as number | null, count),
      keyOf,
    )
    return rows.map((row) => presentFreeze(row, viewer.locale))
  })

  serve(app, context, contract.listFreezes, async ({ db, query, reply, viewer }) => {
    const { user } = query
    const rows = await page(
      reply,
      query,
      ['number'],
      ([before], count) =>
        user === undefined
          ? liveFreezes(db, before as number | null, count)
          : freezesOfUser(db, user, before as number | null, count),
      keyOf,
    )
    return rows.map((row) => presentListedFreeze(row, viewer.locale))
  })
}

const keyOf = (row: FreezeRow) => [row.number]
