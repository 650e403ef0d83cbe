import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/payments.ts'
import type { Context } from '#server/context.ts'
import { serve } from '#server/http/serve.ts'
import type { Attempt, Sandbox } from './processor.ts'

/**
 * What the provider's own servers answer to a browser, where the sandbox stands in for them. `hear` takes a message as
 * our webhook does.
 */
export function sandboxRoutes(
  app: FastifyInstance,
  context: Context,
  sandbox: Sandbox,
  hear: (body: Buffer, signature: string) => Promise<void>,
): void {
  const tell = async (type: string, intentId: string) => {
    const { body, signature } = sandbox.signEvent(type, intentId)
    await hear(body, signature)
  }
  const answer = async (attempt: Attempt) => {
    const { id, status, error, thenDisputed } = attempt
    if (status === 'succeeded') await tell('payment_intent.succeeded', id)
    if (status === 'failed') await tell('payment_intent.payment_failed', id)
    if (thenDisputed) {
      await sandbox.reverse(id, { kind: 'dispute' })
      await tell('charge.dispute.created', id)
    }
    return { transactionId: id, status, error }
  }

  serve(app, context, contract.sandboxConfirm, async ({ body }) => {
    const { clientSecret, ...card } = body
    return answer(await sandbox.confirm(clientSecret, card))
  })

  serve(app, context, contract.sandboxAuthenticate, async ({ body }) =>
    answer(await sandbox.authenticate(body.clientSecret, body.agreed)),
  )

  serve(app, context, contract.sandboxReverse, async ({ body }) => {
    const { transactionId, kind, amount } = body
    const cents = amount === undefined ? undefined : Math.round(amount * 100)
    await sandbox.reverse(transactionId, kind === 'refund' ? { kind, cents } : { kind })
    await tell(kind === 'refund' ? 'charge.refunded' : 'charge.dispute.updated', transactionId)
    return { acknowledged: true }
  })
}
