import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/card-disputes.ts'
import type { Context } from '#server/context.ts'
import { serve } from '#server/http/serve.ts'
import { listDisputes, presentDispute, readDispute, saveEvidence } from './card-disputes.ts'

/** Registers the disputes of card payments, for Admins. */
export function disputeRoutes(app: FastifyInstance, context: Context): void {
  serve(app, context, contract.listCardDisputes, async ({ db }) =>
    (await listDisputes(db)).map(presentDispute),
  )

  serve(app, context, contract.cardDispute, async ({ params }) => readDispute(context, params.id))

  serve(app, context, contract.saveEvidence, async ({ params, body, viewer }) =>
    saveEvidence(context, viewer.id, params.id, body),
  )
}
