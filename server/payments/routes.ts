import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/payments.ts'
import { decideUnmatchedPayment, listUnmatchedPayments } from '#contract/unmatched-payments.ts'
import type { Context } from '#server/context.ts'
import { emailKey } from '#server/email-key.ts'
import { page } from '#server/http/pagination.ts'
import { Refusal } from '#server/http/refusal.ts'
import { idempotencyKeyOf, serve } from '#server/http/serve.ts'
import { processEvents, receiveEvent } from './card-events.ts'
import { confirmPayment } from './confirm.ts'
import { createIntent } from './create-intent.ts'
import { disputeRoutes } from './dispute-routes.ts'
import type { Failure } from './failures.ts'
import { presentPayment, presentPaymentReceipt, presentUnmatched } from './present.ts'
import { paymentByTransaction, paymentsOfUser } from './queries.ts'
import { reconciliationRoutes } from './reconciliation-routes.ts'
import { refundRoutes } from './refund-routes.ts'
import { sandboxRoutes } from './sandbox/routes.ts'
import { savedCardRoutes } from './saved-card-routes.ts'
import { paymentTableRoutes } from './table-routes.ts'
import { decideUnmatched, decideUnmatchedRequest, listUnmatched } from './unmatched.ts'
import { cardWebhook } from './webhook.ts'

export async function paymentRoutes(app: FastifyInstance, context: Context): Promise<void> {
  serve(app, context, contract.createPaymentIntent, async ({ body, viewer, request }) =>
    createIntent(context, viewer, body, {
      key: idempotencyKeyOf(request),
      ip: request.ip,
      userAgent: request.headers['user-agent'],
    }),
  )

  serve(app, context, contract.paymentSuccess, async ({ body, viewer, reply }) => {
    const { paymentId, coins, repaid, debt, status } = await confirmPayment(
      context,
      viewer,
      body.transactionId,
      body,
    )
    if (status === 'processing') reply.status(202)
    return { acknowledged: true, insertedId: paymentId, coin: coins, repaid, debt, status }
  })

  serve(app, context, contract.paymentHistory, async ({ db, params, query, reply }) => {
    const key = emailKey(params.email) ?? ''
    const rows = await page(
      reply,
      query,
      ['number'],
      ([after], count) => paymentsOfUser(db, key, after as number | null, count),
      (row) => [row.number],
    )
    return rows.map(presentPayment)
  })

  serve(app, context, contract.paymentReceipt, async ({ db, params, viewer }) => {
    const owner = viewer.role === 'Admin' ? null : viewer.id
    const [row] = await paymentByTransaction(db, params.transactionId, owner)
    if (row === undefined) throw new Refusal('payment_not_found')
    return presentPaymentReceipt(row)
  })

  paymentTableRoutes(app, context)

  serve(app, context, listUnmatchedPayments, async ({ db }) =>
    (await listUnmatched(db)).map(presentUnmatched),
  )

  serve(app, context, decideUnmatchedPayment, async ({ params, body, viewer }) => {
    const { decision, requested, reason } = body
    if (decision !== 'approve' && decision !== 'cancel' && reason === undefined)
      throw new Refusal('invalid_fields.reason', { field: 'reason' })
    const row =
      decision === 'approve' || decision === 'cancel'
        ? await decideUnmatchedRequest(context, params.id, viewer.id, decision, requested)
        : await decideUnmatched(context, params.id, viewer.id, { decision, reason: reason ?? '' })
    if (row === undefined) throw new Refusal('payment_not_found')
    return presentUnmatched(row)
  })

  reconciliationRoutes(app, context)
  refundRoutes(app, context)
  await disputeRoutes(app, context)
  savedCardRoutes(app, context)
  logFailures(app, context)
  const receive = receiveEvents(app, context)
  cardWebhook(app, receive)
  const { sandbox } = context.cards
  if (sandbox !== undefined) sandboxRoutes(app, context, sandbox, receive)
}

/** Logs failures of the card processor with the provider's request id. */
function logFailures(app: FastifyInstance, { cards }: Context): void {
  const log = ({ message, ...failure }: Failure) =>
    app.log.error({ card: failure, reason: message }, 'the card processor failed')
  cards.failures.on('failure', log)
  app.addHook('onClose', async () => void cards.failures.off('failure', log))
}

/** Returns a function that stores an event and processes it in the background; the job retries what fails. */
function receiveEvents(app: FastifyInstance, context: Context) {
  const inFlight = new Set<Promise<unknown>>()
  app.addHook('onClose', async () => {
    await Promise.all(inFlight)
  })
  return async (body: Buffer, signature?: string): Promise<void> => {
    await receiveEvent(context, await context.cards.readEvent(body, signature))
    const work = processEvents(context)
      .catch((error: unknown) => app.log.error({ err: error }, 'a card event could not be processed'))
      .finally(() => inFlight.delete(work))
    inFlight.add(work)
  }
}
