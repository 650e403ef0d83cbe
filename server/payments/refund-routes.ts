import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/refunds.ts'
import type { Context } from '#server/context.ts'
import { idempotencyKeyOf, serve } from '#server/http/serve.ts'
import { presentRefund } from './present.ts'
import { decideRefund, listRefunds, requestRefund } from './refunds.ts'

/** Registers the refunds that Admins make. */
export function refundRoutes(app: FastifyInstance, context: Context): void {
  serve(app, context, contract.listRefunds, async ({ db }) => (await listRefunds(db)).map(presentRefund))

  serve(app, context, contract.requestRefund, async ({ params, body, viewer, request }) => {
    const cents = body.amount === undefined ? null : Math.round(body.amount * 100)
    const wanted = { transactionId: params.transactionId, cents, reason: body.reason }
    return presentRefund(await requestRefund(context, viewer.id, wanted, idempotencyKeyOf(request)))
  })

  serve(app, context, contract.decideRefund, async ({ params, body, viewer }) =>
    presentRefund(await decideRefund(context, params.id, viewer.id, body.decision)),
  )
}
