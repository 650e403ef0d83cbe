import type { FastifyInstance } from 'fastify'
import { v7 as newId } from 'uuid'
import { destinationNumberOf } from '#contract/destinations.ts'
import * as contract from '#contract/payouts.ts'
import { ACCOUNT_NUMBER_HINT, accountNumberOf, withdrawStatus } from '#contract/withdrawals.ts'
import type { RouteContext } from '#server/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { decideWithdrawal } from './decide-withdrawal.ts'
import { presentPayout, presentPayoutBatch } from './present.ts'
import * as payouts from './queries.ts'
import { releasePayoutBatch } from './release-payout-batch.ts'
import { payoutBatchTableRoutes } from './table-routes.ts'

const updated = ({ modified }: { modified: number }) => ({
  acknowledged: true,
  matchedCount: 1,
  modifiedCount: modified,
})

export function payoutRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, withdrawStatus, async ({ db, params, body, viewer }) => {
    const shown = { email: body.email, coins: body.coin, dollars: body.amount, poisha: body.poisha }
    return updated({ modified: await decideWithdrawal(db, params.id, viewer.id, body, shown) })
  })
  payoutBatchRoutes(app, context)
  singlePayoutRoutes(app, context)
}

function payoutBatchRoutes(app: FastifyInstance, context: RouteContext): void {
  payoutBatchTableRoutes(app, context)
  serve(app, context, contract.payoutBatch, async ({ db, params }) => {
    const [batch] = await payouts.payoutBatchById(db, params.id)
    if (batch === undefined) throw new Refusal('payout_batch_not_found')
    const rows = await payouts.payoutsOfBatch(db, params.id)
    const { payoutProvider } = context.config
    return {
      ...presentPayoutBatch(batch),
      twoPeople: batch.needs_second_admin,
      rate: batch.rate,
      providers: payoutProvider === 'none' ? [] : [payoutProvider],
      payouts: rows.map(presentPayout),
    }
  })
  serve(app, context, contract.createPayoutBatch, async ({ db, body, viewer }) => {
    const { withdrawalIds, provider = null } = body
    refuseOtherProvider(context, provider)
    const insertedId = newId()
    const { modified } = await payouts.createPayoutBatch(db, insertedId, withdrawalIds, viewer.id, provider)
    return { acknowledged: true, insertedId, payouts: modified }
  })
  serve(app, context, contract.checkPayoutBatch, async ({ db, params, viewer }) =>
    updated(await payouts.checkPayoutBatch(db, params.id, viewer.id)),
  )
  serve(app, context, contract.setPayoutProvider, async ({ db, params, body, viewer }) => {
    refuseOtherProvider(context, body.provider)
    return updated(await payouts.setProvider(db, params.id, viewer.id, body.provider))
  })
  serve(app, context, contract.releasePayoutBatch, async ({ db, params, viewer }) =>
    updated(await releasePayoutBatch(db, params.id, viewer.id)),
  )
  serve(app, context, contract.cancelPayoutBatch, async ({ db, params, viewer }) =>
    updated(await payouts.cancelPayoutBatch(db, params.id, viewer.id)),
  )
  serve(app, context, contract.confirmPayoutBatch, async ({ db, params, body, viewer }) =>
    updated(
      await payouts.confirmPayoutBatch(
        db,
        params.id,
        viewer.id,
        body.transactionId ?? '',
        body.payoutIds ?? null,
      ),
    ),
  )
}

function refuseOtherProvider({ config }: RouteContext, provider: string | null): void {
  if (provider !== null && provider !== config.payoutProvider)
    throw new Refusal('state_conflict.payout_provider')
}

function singlePayoutRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.removePayout, async ({ db, params, viewer }) =>
    updated(await payouts.removePayout(db, params.id, viewer.id)),
  )
  serve(app, context, contract.confirmPayout, async ({ db, params, body, viewer }) =>
    updated(await payouts.confirmPayout(db, params.id, viewer.id, body.transactionId ?? '')),
  )
  serve(app, context, contract.failPayout, async ({ db, params, body, viewer }) =>
    updated(await payouts.failPayout(db, params.id, viewer.id, body.reason, body.returnCoins)),
  )
  serve(app, context, contract.markPayoutUnknown, async ({ db, params, body, viewer }) =>
    updated(await payouts.markPayoutUnknown(db, params.id, viewer.id, body.reason)),
  )
  serve(app, context, contract.retryPayout, async ({ db, params, body, viewer }) => {
    const [destination] = await payouts.destinationOf(db, params.id)
    if (destination === undefined) throw new Refusal('payout_not_found')
    const { payment_system: system, bank_name: bank } = destination
    // The number of a payout with its bank in a field of its own is written as in a destination.
    const number = bank === '' ? undefined : destinationNumberOf(system, body.accountNumber)
    const accountNumber = number ?? accountNumberOf(system, body.accountNumber)
    if (accountNumber === undefined) {
      const message = ACCOUNT_NUMBER_HINT[system]
      throw new Refusal('invalid_fields.validation', { params: { message }, field: 'accountNumber' })
    }
    return updated(await payouts.retryPayout(db, params.id, viewer.id, accountNumber))
  })
  serve(app, context, contract.claimPayout, async ({ db, params, body, viewer }) => {
    const claimed = await payouts.claimPayout(db, params.withdrawalId, viewer.id, body.reason ?? '')
    return { ...updated(claimed), awaitsSecond: claimed.awaits_second }
  })
  serve(app, context, contract.releasePayoutClaim, async ({ db, params, viewer }) =>
    updated(await payouts.releaseClaim(db, params.withdrawalId, viewer.id)),
  )
}
