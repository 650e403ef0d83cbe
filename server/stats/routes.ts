import type { FastifyInstance } from 'fastify'
import { centsOf } from '#contract/product.ts'
import * as contract from '#contract/stats.ts'
import type { Context } from '#server/context.ts'
import { cachedQuery } from '#server/database/cached-query.ts'
import { serve } from '#server/http/serve.ts'
import {
  booksDifference,
  buyerTotals,
  type DayRow,
  earnedByDay,
  marketplaceByDay,
  marketplaceTotals,
  paidByDay,
  workerTotals,
} from './queries.ts'

export function statsRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context

  serve(app, context, contract.workerStats, async ({ db, viewer }) => {
    const { all_tasks, pending, earned, withdrawn } = await workerTotals(db, viewer.id)
    return { allTask: all_tasks, pendingTask: pending, totalEarning: earned, totalWithdrawn: withdrawn }
  })

  serve(app, context, contract.buyerStats, async ({ db, viewer }) => {
    const figures = await buyerTotals(db, viewer.id)
    return {
      totalPaid: figures.paid,
      pendingWorkers: figures.slots_left,
      totalTasks: figures.tasks,
      wallet: figures.wallet,
      pendingReviews: figures.pending_reviews,
      inEscrow: figures.slot_coins + figures.pending_coins,
    }
  })

  const marketplace = cachedQuery(async () => {
    const totals = await marketplaceTotals(database)
    return { value: totals, rows: totals.fresh + totals.workers + totals.buyers }
  })
  const proof = cachedQuery(async () => {
    const totals = await booksDifference(database)
    return { value: totals, rows: totals.accounts }
  })
  serve(app, context, contract.adminStats, async () => {
    const [all, { difference }] = await Promise.all([marketplace(), proof()])
    const outstanding = all.people + all.escrow + all.hold
    const paidOutCents = centsOf(all.paid_out)
    return {
      totalWorker: all.workers,
      totalBuyer: all.buyers,
      totalPayments: all.received_cents / 100,
      totalCoin: all.people,
      books: {
        inEscrow: all.escrow,
        onHold: all.hold,
        paidOut: all.paid_out,
        issuedAsBonus: all.bonus,
        boughtByCard: all.bought,
        sweptToHouse: all.swept,
        debts: all.debts,
        difference,
      },
      solvency: {
        coinsOutstanding: outstanding,
        owedCents: centsOf(outstanding),
        receivedCents: all.received_cents,
        paidOutCents,
        coverCents: all.received_cents - paidOutCents - centsOf(outstanding),
      },
    }
  })

  const days = contract.SERIES_DAYS
  const marketplaceDays = cachedQuery(async () => {
    const figure = await marketplaceByDay(database, config.timeZone, days)
    return { value: figure, rows: figure.reduce((sum, { transfers }) => sum + transfers, 0) }
  })
  serve(app, context, contract.statsSeries, async ({ db, viewer }) => {
    const rows: DayRow[] =
      viewer.role === 'Admin'
        ? await marketplaceDays()
        : await (viewer.role === 'Worker' ? earnedByDay : paidByDay)(db, config.timeZone, days, viewer.id)
    return rows.map(({ day, coins, cents }) => ({ day, coins, dollars: cents / 100 }))
  })
}
