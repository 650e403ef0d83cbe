import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Coins, Day, Id, Time } from './shapes.ts'
import { TaskCategory } from './task-categories.ts'

export const buyerStats = endpoint({
  method: 'GET',
  path: '/buyer-stats',
  summary:
    'Coins paid to workers, open slots, tasks posted, coins in escrow, wallet, submissions and pending reviews',
  access: { who: ['Buyer'] },
  scope: 'account:read',
  reply: z.object({
    totalPaid: Coins,
    pendingWorkers: z.int(),
    totalTasks: z.int(),
    wallet: Coins,
    totalSubmissions: z.int(),
    pendingReviews: z.int(),
    inEscrow: Coins,
  }),
})

export const workerStats = endpoint({
  method: 'GET',
  path: '/worker-stats',
  summary: 'Submissions, pending submissions, coins earned from approved work, and coins withdrawn',
  access: { who: ['Worker'] },
  scope: 'account:read',
  reply: z.object({
    allTask: z.int(),
    pendingTask: z.int(),
    totalEarning: Coins,
    totalWithdrawn: Coins,
    withdrawnDollars: z.number(),
  }),
})

/**
 * The distribution of all coins: `issuedAsBonus` + `boughtByCard` (less card refunds) = users' coins (`totalCoin`) +
 * `inEscrow` + `onHold` + `paidOut` + `sweptToHouse` (from deleted users, and fees). `difference` between both sides is 0
 * when the books balance. `debts` is what users owe after card refunds.
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
 * Coins outstanding (held by users, in escrow and on hold) at the withdrawal rate against cash received less cash paid
 * out, in cents. `unmatchedCents` of what was received are neither credited nor refunded, and are owed. `feeCents` are the card processor's, and `taxCents` the tax of the
 * receipts, which is owed too (docs/specification/statistics.md). A negative `coverCents` is a shortfall.
 */
export const Solvency = z.object({
  coinsOutstanding: Coins,
  owedCents: z.int(),
  receivedCents: z.int(),
  unmatchedCents: z.int(),
  feeCents: z.int(),
  taxCents: z.int(),
  paidOutCents: z.int(),
  coverCents: z.int(),
})

export const adminStats = endpoint({
  method: 'GET',
  path: '/admin-stats',
  summary:
    "Users, their spendable coins, dollars received by card net and gross, the distribution of all coins and the operator's solvency",
  access: { who: ['Admin'] },
  boundedStaleness: true,
  reply: z.object({
    totalWorker: z.int(),
    totalBuyer: z.int(),
    totalPayments: z.number(),
    grossPayments: z.number(),
    totalCoin: Coins,
    books: Books,
    solvency: Solvency,
  }),
})

/** Which first steps of a new marketplace are done; `backupAt` is null before the first backup. */
export const adminFirstSteps = endpoint({
  method: 'GET',
  path: '/admin-first-steps',
  summary: 'Which first steps of a new marketplace are done',
  access: { who: ['Admin'] },
  reply: z.object({
    cardPayments: z.boolean(),
    seller: z.boolean(),
    exchangeRate: z.boolean(),
    secondAdmin: z.boolean(),
    payoutRules: z.boolean(),
    backupAt: z.nullable(Time),
  }),
})

/** The number of days in a chart. */
export const SERIES_DAYS = 30

/**
 * Worker: coins earned. Buyer: coins paid to workers. Admin: coins paid to all workers, and dollars received by card: net,
 * of the payments of the day less what was refunded or disputed of them since, and gross.
 * Contains every day, in the marketplace's time zone, oldest first; today is the last.
 */
export const statsSeries = endpoint({
  method: 'GET',
  path: '/stats/series',
  summary: "Daily totals of the last 30 days for the caller's chart",
  access: { who: 'signed-in' },
  scope: 'account:read',
  boundedStaleness: true,
  reply: z.array(z.object({ day: Day, coins: Coins, dollars: z.number(), grossDollars: z.number() })),
})

/** The number of calendar weeks in a chart, the current one included. */
export const STATS_WEEKS = 12
/** The most tasks in the list beside it. */
export const STATS_TASKS = 10

/**
 * Worker: coins earned from approved work and bonuses. Buyer: coins paid to workers, bonuses included. `weeks` has every week,
 * oldest first, from its Sunday; `categories` the coins of these weeks by the category that the task has now, and `tasks` those
 * with the most coins, deleted ones too. Both begin with the most coins; `pieces` is the number of approved submissions.
 */
export const statsWeeks = endpoint({
  method: 'GET',
  path: '/stats/weeks',
  summary: 'Coins earned or paid in the last 12 weeks, by week, by category and by task',
  access: { who: ['Worker', 'Buyer'] },
  boundedStaleness: true,
  reply: z.object({
    weeks: z.array(z.object({ from: Day, coins: Coins })),
    categories: z.array(z.object({ category: TaskCategory, coins: Coins, pieces: z.int() })),
    tasks: z.array(
      z.object({
        _id: Id,
        title: z.string(),
        buyer: z.string(),
        coins: Coins,
        pieces: z.int(),
        isDeleted: z.boolean(),
      }),
    ),
  }),
})

/**
 * The coins of users, escrows and holds by day: those that came in (bought, and given at sign-up), those that went out (paid
 * out, card refunds, fees, and coins of deleted users), and those held at the end of the day.
 */
export const coinFlow = endpoint({
  method: 'GET',
  path: '/stats/coin-flow',
  summary: 'Coins in, out and held on each of the last 30 days',
  access: { who: ['Admin'] },
  boundedStaleness: true,
  reply: z.array(z.object({ day: Day, coinsIn: Coins, coinsOut: Coins, held: z.int() })),
})
