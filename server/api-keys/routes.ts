import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/api-keys.ts'
import type { Context } from '#server/context.ts'
import { clientOf } from '#server/http/client.ts'
import { serve } from '#server/http/serve.ts'
import { apiKeysOf, createApiKey, requireOwnKey, revokeApiKey } from './keys.ts'
import { recordKeyUses, usesOf } from './uses.ts'

export function apiKeyRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context
  const flushUses = recordKeyUses(app, database)

  serve(app, context, contract.apiKeys, ({ db, viewer }) => apiKeysOf(db, viewer.id))

  serve(app, context, contract.createApiKey, ({ body, viewer, request }) =>
    createApiKey(database, config, clientOf(request), viewer, body),
  )

  serve(app, context, contract.revokeApiKey, async ({ params, viewer, request }) => {
    await revokeApiKey(database, clientOf(request), params.id, viewer.id)
    return undefined
  })

  serve(app, context, contract.apiKeyUses, async ({ db, params, viewer }) => {
    await requireOwnKey(db, params.id, viewer.id)
    await flushUses()
    return usesOf(db, params.id)
  })
}
