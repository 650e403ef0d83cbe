import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/card-disputes.ts'
import type { Context } from '#server/context.ts'
import { serve } from '#server/http/serve.ts'
import { listDisputes, presentDispute, readDispute, saveEvidence } from './card-disputes.ts'
import { disputeFileRoutes } from './dispute-file-routes.ts'

/** Registers the disputes of card payments, for Admins. */
export async function disputeRoutes(app: FastifyInstance, context: Context): Promise<void> {
  await disputeFileRoutes(app, context)

  serve(app, context, contract.listCardDisputes, async ({ db }) =>
    (await listDisputes(db)).map(presentDispute),
  )

  serve(app, context, contract.cardDispute, async ({ params }) => readDispute(context, params.id))

  serve(app, context, contract.saveEvidence, async ({ params, body, viewer }) =>
    saveEvidence(context, params.id, viewer.id, body),
  )
}
