import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/saved-cards.ts'
import type { Context } from '#server/context.ts'
import { serve } from '#server/http/serve.ts'
import { listSavedCards, removeSavedCard } from './saved-cards.ts'

/** Registers the saved cards of the caller. */
export function savedCardRoutes(app: FastifyInstance, context: Context): void {
  serve(app, context, contract.savedCards, async ({ viewer }) => listSavedCards(context, viewer.id))

  serve(app, context, contract.removeSavedCard, async ({ params, viewer }) => {
    await removeSavedCard(context, viewer.id, params.id)
    return undefined
  })
}
