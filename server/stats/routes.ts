import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/stats.ts'
import type { RouteContext } from '#server/context.ts'
import { cachedQuery } from '#server/database/cached-query.ts'
import { serve } from '#server/http/serve.ts'
import { readSetting } from '#server/operator-settings/read.ts'
import {
  booksDifference,
  buyerTotals,
  coinFlowByDay,
  type DayRow,
  earnedByCategory,
  earnedByDay,
  earnedByTask,
  earnedByWeek,
  firstStepsDone,
  marketplaceByDay,
  marketplaceTotals,
  paidByCategory,
  paidByDay,
  paidByTask,
  paidByWeek,
  workerTotals,
} from './queries.ts'

export function statsRoutes(app: FastifyInstance, context: RouteContext): void {
  const { config } = context

  serve(app, context, contract.workerStats, async ({ db, viewer }) => {
    const totals = await workerTotals(db, viewer.id)
    return {
      allTask: totals.all_tasks,
      pendingTask: totals.pending,
      totalEarning: totals.earned,
      totalWithdrawn: totals.withdrawn,
      withdrawnDollars: totals.withdrawn_cents / 100,
    }
  })

  serve(app, context, contract.buyerStats, async ({ db, viewer }) => {
    const totals = await buyerTotals(db, viewer.id)
    return {
      totalPaid: totals.paid,
      pendingWorkers: totals.open_slots,
      totalTasks: totals.tasks,
      wallet: totals.wallet,
      totalSubmissions: totals.submissions,
      pendingReviews: totals.pending_reviews,
      inEscrow: totals.escrow,
    }
  })

  const readMarketplaceTotals = cachedQuery(async (database) => {
    const totals = await marketplaceTotals(database)
    return { value: totals, rows: totals.fresh + totals.workers + totals.buyers }
  })
  const readBooksDifference = cachedQuery(async (database) => {
    const totals = await booksDifference(database)
    return { value: totals, rows: totals.accounts }
  })
  serve(app, context, contract.adminStats, async ({ db }) => {
    const [totals, { difference }, { centsPerCoin }] = await Promise.all([
      readMarketplaceTotals(db),
      readBooksDifference(db),
      readSetting(db, 'withdrawal_rate'),
    ])
    const outstanding = totals.user_coins + totals.escrow + totals.hold
    const owedCents = (totals.user_coins + totals.escrow) * centsPerCoin + totals.requested_cents
    return {
      totalWorker: totals.workers,
      totalBuyer: totals.buyers,
      totalPayments: totals.received_cents / 100,
      grossPayments: totals.gross_cents / 100,
      totalCoin: totals.user_coins,
      books: {
        inEscrow: totals.escrow,
        onHold: totals.hold,
        paidOut: totals.paid_out,
        issuedAsBonus: totals.starting,
        boughtByCard: totals.bought,
        sweptToHouse: totals.swept,
        debts: totals.debts,
        difference,
      },
      solvency: {
        coinsOutstanding: outstanding,
        owedCents,
        receivedCents: totals.received_cents,
        unmatchedCents: totals.unmatched_cents,
        feeCents: totals.fee_cents,
        taxCents: totals.tax_cents,
        paidOutCents: totals.paid_out_cents,
        coverCents:
          totals.received_cents -
          totals.unmatched_cents -
          totals.fee_cents -
          totals.tax_cents -
          totals.paid_out_cents -
          owedCents,
      },
    }
  })

  serve(app, context, contract.adminFirstSteps, async ({ db }) => {
    const done = await firstStepsDone(db)
    return {
      cardPayments: config.card.provider === 'stripe',
      seller: done.seller,
      exchangeRate: done.exchange_rate,
      secondAdmin: done.second_admin,
      payoutRules: done.payout_rules,
      backupAt: done.backup_at,
    }
  })

  const days = contract.SERIES_DAYS
  const readMarketplaceDays = cachedQuery(async (database) => {
    const totals = await marketplaceByDay(database, config.timeZone, days)
    return { value: totals, rows: totals.reduce((sum, { transfers }) => sum + transfers, 0) }
  })
  serve(app, context, contract.statsSeries, async ({ db, viewer }) => {
    const rows: DayRow[] =
      viewer.role === 'Admin'
        ? await readMarketplaceDays(db)
        : await (viewer.role === 'Worker' ? earnedByDay : paidByDay)(db, config.timeZone, days, viewer.id)
    return rows.map(({ day, coins, cents, gross_cents: grossCents }) => ({
      day,
      coins,
      dollars: cents / 100,
      grossDollars: grossCents / 100,
    }))
  })

  serve(app, context, contract.statsWeeks, async ({ db, viewer }) => {
    const [byWeek, byCategory, byTask] =
      viewer.role === 'Worker'
        ? [earnedByWeek, earnedByCategory, earnedByTask]
        : [paidByWeek, paidByCategory, paidByTask]
    const values = [config.timeZone, contract.STATS_WEEKS, viewer.id] as const
    const [weeks, categories, tasks] = await Promise.all([
      byWeek(db, ...values),
      byCategory(db, ...values),
      byTask(db, ...values, contract.STATS_TASKS),
    ])
    return {
      weeks: weeks.map(({ from_day, coins }) => ({ from: from_day, coins })),
      categories,
      tasks: tasks.map(({ id, deleted, ...task }) => ({ ...task, _id: id, isDeleted: deleted })),
    }
  })

  const readCoinFlow = cachedQuery(async (database) => {
    const rows = await coinFlowByDay(database, config.timeZone, days)
    return { value: rows, rows: rows.reduce((sum, { transfers }) => sum + transfers, 0) }
  })
  serve(app, context, contract.coinFlow, async ({ db }) =>
    (await readCoinFlow(db)).map(({ day, coins_in, coins_out, held }) => ({
      day,
      coinsIn: coins_in,
      coinsOut: coins_out,
      held,
    })),
  )
}
