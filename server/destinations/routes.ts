import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/destinations.ts'
import type { Context } from '#server/context.ts'
import { clientOf } from '#server/http/client.ts'
import { serve } from '#server/http/serve.ts'
import { requireVerifiedEmail } from '#server/identity/require-verified-email.ts'
import { presentDestination } from './present.ts'
import { destinationsOf } from './queries.ts'
import { removeDestination, saveDestination } from './save.ts'

export function destinationRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context

  serve(app, context, contract.listDestinations, async ({ db, viewer }) =>
    (await destinationsOf(db, viewer.id)).map(presentDestination),
  )

  serve(app, context, contract.addDestination, async ({ body, caller, viewer, request }) => {
    requireVerifiedEmail(config, caller, 'withdraw')
    return presentDestination(await saveDestination(database, config, clientOf(request), viewer, body))
  })

  serve(app, context, contract.changeDestination, async ({ body, caller, params, viewer, request }) => {
    requireVerifiedEmail(config, caller, 'withdraw')
    const client = clientOf(request)
    return presentDestination(await saveDestination(database, config, client, viewer, body, params.id))
  })

  serve(app, context, contract.removeDestination, async ({ params, viewer, request }) => {
    await removeDestination(database, config, clientOf(request), viewer, params.id)
    return undefined
  })
}
