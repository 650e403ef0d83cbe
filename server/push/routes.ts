import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/push-subscriptions.ts'
import type { RouteContext } from '#server/context.ts'
import { sessionOf } from '#server/http/caller.ts'
import { serve } from '#server/http/serve.ts'
import { pushKeys } from './keys.ts'
import { subscribe, unsubscribe } from './subscriptions.ts'

/** Registers the subscriptions of devices to notifications (docs/specification/notifications.md#notifications-on-devices). */
export function pushRoutes(app: FastifyInstance, context: RouteContext): void {
  const { publicKey } = pushKeys(context.config)

  serve(app, context, contract.pushKey, async () => ({ publicKey }))

  serve(app, context, contract.subscribeToPush, async ({ db, caller, viewer, body }) => {
    await subscribe(db, viewer.id, sessionOf(caller), body)
    return { acknowledged: true }
  })

  serve(app, context, contract.unsubscribeFromPush, async ({ db, viewer, body }) => {
    return { acknowledged: true, deletedCount: await unsubscribe(db, viewer.id, body.endpoint) }
  })
}
