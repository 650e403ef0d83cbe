import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Coins, Day } from './shapes.ts'

export const buyerStats = endpoint({
  method: 'GET',
  path: '/buyer-stats',
  summary: 'Coins paid to workers, slots open, tasks ever posted; beside them the wallet and pending reviews',
  access: { who: ['Buyer'] },
  reply: z.object({
    totalPaid: Coins,
    pendingWorkers: z.int(),
    totalTasks: z.int(),
    wallet: Coins,
    pendingReviews: z.int(),
    inEscrow: Coins,
  }),
})

export const workerStats = endpoint({
  method: 'GET',
  path: '/worker-stats',
  summary:
    'Submissions ever made, those pending, coins earned from approved work; beside them coins withdrawn',
  access: { who: ['Worker'] },
  reply: z.object({ allTask: z.int(), pendingTask: z.int(), totalEarning: Coins, totalWithdrawn: Coins }),
})

/**
 * Where every coin is: `issuedAsBonus` + `boughtByCard` (less what card refunds took back) = people's coins (`totalCoin`) +
 * `inEscrow` + `onHold` + `paidOut` + `sweptToHouse` (from deleted people, and fees). `difference` is what that is off
 * by: 0 when the books balance. `debts` is what people owe after card refunds.
 */
export const Books = z.object({
  inEscrow: Coins,
  onHold: Coins,
  paidOut: Coins,
  issuedAsBonus: z.int(),
  boughtByCard: z.int(),
  sweptToHouse: z.int(),
  debts: Coins,
  difference: z.int(),
})
/**
 * Coins outstanding (with people, in escrow and on hold) at the withdrawal rate against cash received less cash paid
 * out, in cents (docs/specification/statistics.md). `coverCents` below 0 is what the operator would have to add.
 */
export const Solvency = z.object({
  coinsOutstanding: Coins,
  owedCents: z.int(),
  receivedCents: z.int(),
  paidOutCents: z.int(),
  coverCents: z.int(),
})

export const adminStats = endpoint({
  method: 'GET',
  path: '/admin-stats',
  summary:
    "People, their spendable coins, dollars received by card; beside them where all coins are and the operator's solvency",
  access: { who: ['Admin'] },
  reply: z.object({
    totalWorker: z.int(),
    totalBuyer: z.int(),
    totalPayments: z.number(),
    totalCoin: Coins,
    books: Books,
    solvency: Solvency,
  }),
})

/** The days of a chart. */
export const SERIES_DAYS = 30

/**
 * Worker: coins earned. Buyer: coins paid to workers. Admin: coins paid to all workers, and `dollars` received by card.
 * Every day is there, in the marketplace's time zone, oldest first; today is the last.
 */
export const statsSeries = endpoint({
  method: 'GET',
  path: '/stats/series',
  summary: 'The last 30 days in figures, for the chart of the person who asks',
  access: { who: 'signed-in' },
  reply: z.array(z.object({ day: Day, coins: Coins, dollars: z.number() })),
})
