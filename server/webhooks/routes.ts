import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/webhooks.ts'
import type { Context } from '#server/context.ts'
import { clientOf } from '#server/http/client.ts'
import { page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  requireOwnEndpoint,
  rotateWebhookSecret,
} from './endpoints.ts'
import { presentDelivery, presentEndpoint } from './present.ts'
import {
  deliveriesOf,
  endpointsOf,
  replayDeliveryStatement,
  setPausedStatement,
  testEndpointStatement,
} from './queries.ts'

export function webhookRoutes(app: FastifyInstance, context: Context): void {
  const { config, database, authenticate } = context
  /** For writes that may run in the transaction of an idempotency key. */
  const withoutPool = { config, authenticate }

  serve(app, context, contract.webhookEndpoints, async ({ db, viewer }) =>
    (await endpointsOf(db, viewer.id)).map(presentEndpoint),
  )

  serve(app, context, contract.webhookEndpoint, async ({ db, params, viewer }) =>
    presentEndpoint(await requireOwnEndpoint(db, params.id, viewer.id)),
  )

  serve(app, context, contract.createWebhookEndpoint, ({ body, viewer, request }) =>
    createWebhookEndpoint(database, config, clientOf(request), viewer, body),
  )

  serve(app, context, contract.changeWebhookEndpoint, ({ body, params, viewer, request }) =>
    changeWebhookEndpoint(database, config, clientOf(request), viewer, params.id, body),
  )

  serve(app, context, contract.rotateWebhookSecret, ({ params, viewer, request }) =>
    rotateWebhookSecret(database, config, clientOf(request), viewer, params.id),
  )

  serve(app, context, contract.deleteWebhookEndpoint, async ({ params, viewer, request }) => {
    await deleteWebhookEndpoint(database, clientOf(request), params.id, viewer.id)
    return undefined
  })

  serve(app, withoutPool, contract.setWebhookPaused, async ({ db, body, params, viewer }) => {
    const [row] = await setPausedStatement(db, params.id, viewer.id, body.paused)
    if (row === undefined) throw new Error('set_webhook_paused returned no endpoint')
    return presentEndpoint(row)
  })

  serve(app, withoutPool, contract.testWebhookEndpoint, async ({ db, params, viewer }) => {
    const [row] = await testEndpointStatement(db, params.id, viewer.id)
    return { deliveryId: row?.id ?? '' }
  })

  serve(app, context, contract.webhookDeliveries, async ({ db, params, query, reply, viewer }) => {
    await requireOwnEndpoint(db, params.id, viewer.id)
    const rows = await page(
      reply,
      query,
      ['number'],
      ([before], count) => deliveriesOf(db, params.id, viewer.id, before as number | null, count),
      (row) => [row.seq],
    )
    return rows.map(presentDelivery)
  })

  serve(app, withoutPool, contract.replayWebhookDelivery, async ({ db, params, viewer }) => {
    await replayDeliveryStatement(db, params.id, viewer.id)
    return undefined
  })
}
