import type { FastifyInstance } from 'fastify'
import { v7 as newId } from 'uuid'
import * as contract from '#contract/exchange-rates.ts'
import type { RouteContext } from '#server/context.ts'
import { page } from '#server/http/pagination.ts'
import { serve } from '#server/http/serve.ts'
import { presentRate } from './present.ts'
import { currentExchangeRate, enterExchangeRate, exchangeRatesNewestFirst } from './queries.ts'

export function exchangeRateRoutes(app: FastifyInstance, context: RouteContext): void {
  serve(app, context, contract.exchangeRate, async ({ db }) => {
    const [row] = await currentExchangeRate(db)
    if (row === undefined) return { rate: null }
    const { enteredBy: _, ...rate } = presentRate(row)
    return { rate }
  })

  serve(app, context, contract.exchangeRates, async ({ db, query, reply }) => {
    const rows = await page(
      reply,
      query,
      ['time', 'id'],
      ([enteredAt, id], count) =>
        exchangeRatesNewestFirst(db, enteredAt as string | null, id as string | null, count),
      (row) => [row.entered_at, row.id],
    )
    return rows.map(presentRate)
  })

  serve(app, context, contract.enterExchangeRate, async ({ db, body, viewer }) => {
    const insertedId = newId()
    await enterExchangeRate(db, insertedId, viewer.id, body.rate, body.source, body.hours)
    return { acknowledged: true, insertedId }
  })
}
