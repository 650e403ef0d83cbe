import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/withdrawals.ts'
import type { RouteContext } from '#server/context.ts'
import { hasNoWord, searchWords } from '#server/database/search-words.ts'
import { emailKey } from '#server/email-key.ts'
import { page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
import { requireVerifiedEmail } from '#server/identity/require-verified-email.ts'
import { withdrawalFileRoutes } from './file-routes.ts'
import { presentRequest, presentWithdrawable, presentWithdrawal } from './present.ts'
import {
  readWithdrawable,
  withdrawalsNewestFirst,
  withdrawalsOfUser,
  withdrawalsOldestFirst,
} from './queries.ts'
import { requestWithdrawal } from './request.ts'

export function withdrawalRoutes(app: FastifyInstance, context: RouteContext): void {
  const { config } = context

  serve(app, context, contract.requestWithdrawal, async ({ db, body, caller, viewer }) => {
    requireVerifiedEmail(config, caller, 'withdraw')
    const withdrawal = {
      coins: body.withdrawalCoin,
      system: body.payment_system,
      accountNumber: body.accountNumber,
      destinationId: body.destinationId,
    }
    const shown = { workerEmail: body.workerEmail, dollars: body.withdrawal_amount }
    const insertedId = await requestWithdrawal(db, config, viewer, withdrawal, shown)
    return { acknowledged: true, insertedId, post: { acknowledged: true, insertedId } }
  })

  serve(app, context, contract.withdrawable, async ({ db, viewer }) =>
    presentWithdrawable(await readWithdrawable(db, viewer.id, config.holdingDays)),
  )

  serve(app, context, contract.pendingWithdrawals, async ({ db, query, reply, viewer }) => {
    const status = query.status ?? 'pending'
    const list = status === 'pending' ? withdrawalsOldestFirst : withdrawalsNewestFirst
    if (hasNoWord(query.q ?? '')) return []
    const words = searchWords(query.q ?? '')
    const rows = await page(
      reply,
      query,
      ['id'],
      ([after], count) => list(db, status, after as string | null, count, words),
      (row) => [row.id],
    )
    return rows.map((row) => presentRequest(row, viewer.locale))
  })

  withdrawalFileRoutes(app, context)

  serve(app, context, contract.myWithdrawals, async ({ db, params, query, reply }) => {
    const rows = await page(
      reply,
      query,
      ['id'],
      ([after], count) => withdrawalsOfUser(db, emailKey(params.email) ?? '', after as string | null, count),
      (row) => [row.id],
    )
    return rows.map(presentWithdrawal)
  })
}
