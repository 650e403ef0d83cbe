import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as contract from '#contract/sandbox-cards.ts'
import type { Context } from '#server/context.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { serve } from '#server/http/serve.ts'
import type { Attempt, Sandbox } from '../provider.ts'
import { inLanguage } from './test-cards.ts'

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
  const respond = async (attempt: Attempt, request: FastifyRequest) => {
    const { id, status, error, thenDisputed } = attempt
    if (status === 'succeeded') await sendEvent('payment_intent.succeeded', id)
    if (status === 'failed') await sendEvent('payment_intent.payment_failed', id)
    if (thenDisputed) {
      await sandbox.reverse(id, { kind: 'dispute' })
      await sendEvent('charge.dispute.created', id)
    }
    return { transactionId: id, status, error: error && inLanguage(error, requestLocale(request)) }
  }

  serve(app, context, contract.sandboxConfirm, async ({ body, request }) => {
    const { clientSecret, save, ...card } = body
    return respond(await sandbox.confirm(clientSecret, card, save), request)
  })

  serve(app, context, contract.sandboxConfirmSaved, async ({ body, request }) =>
    respond(await sandbox.confirmSaved(body.clientSecret, body.card), request),
  )

  serve(app, context, contract.sandboxAuthenticate, async ({ body, request }) =>
    respond(await sandbox.authenticate(body.clientSecret, body.agreed), request),
  )

  serve(app, context, contract.sandboxReverse, async ({ body }) => {
    const { transactionId, kind, amount, status } = body
    const cents = amount === undefined ? undefined : Math.round(amount * 100)
    await sandbox.reverse(transactionId, kind === 'refund' ? { kind, cents } : { kind, status })
    await sendEvent(kind === 'refund' ? 'charge.refunded' : 'charge.dispute.updated', transactionId)
    return { acknowledged: true }
  })
}
