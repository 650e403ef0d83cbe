import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Coins } from './shapes.ts'

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

/** Where every coin is. `difference` is 0 when the books balance; money is in cents unless it says dollars. */
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
/** Coins outstanding at the withdrawal rate against cash received (decisions.md §3, the last point). */
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
