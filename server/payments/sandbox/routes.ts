import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/sandbox-cards.ts'
import type { Context } from '#server/context.ts'
import { serve } from '#server/http/serve.ts'
import type { Attempt, Sandbox } from '../provider.ts'

/** Registers the endpoints that a real provider serves to browsers. `receive` handles an event as the webhook does. */
export function sandboxRoutes(
  app: FastifyInstance,
  context: Context,
  sandbox: Sandbox,
  receive: (body: Buffer, signature: string) => Promise<void>,
): void {
  const sendEvent = async (type: string, intentId: string) => {
    const { body, signature } = await sandbox.signEvent(type, intentId)
    await receive(body, signature)
  }
  const respond = async (attempt: Attempt) => {
    const { id, status, error, thenDisputed } = attempt
    if (status === 'succeeded') await sendEvent('payment_intent.succeeded', id)
    if (status === 'failed') await sendEvent('payment_intent.payment_failed', id)
    if (thenDisputed) {
      await sandbox.reverse(id, { kind: 'dispute' })
      await sendEvent('charge.dispute.created', id)
    }
    return { transactionId: id, status, error }
  }

  serve(app, context, contract.sandboxConfirm, async ({ body }) => {
    const { clientSecret, save, ...card } = body
    return respond(await sandbox.confirm(clientSecret, card, save))
  })

  serve(app, context, contract.sandboxConfirmSaved, async ({ body }) =>
    respond(await sandbox.confirmSaved(body.clientSecret, body.card)),
  )

  serve(app, context, contract.sandboxAuthenticate, async ({ body }) =>
    respond(await sandbox.authenticate(body.clientSecret, body.agreed)),
  )

  serve(app, context, contract.sandboxReverse, async ({ body }) => {
    const { transactionId, kind, amount, status } = body
    const cents = amount === undefined ? undefined : Math.round(amount * 100)
    await sandbox.reverse(transactionId, kind === 'refund' ? { kind, cents } : { kind, status })
    await sendEvent(kind === 'refund' ? 'charge.refunded' : 'charge.dispute.updated', transactionId)
    return { acknowledged: true }
  })
}
