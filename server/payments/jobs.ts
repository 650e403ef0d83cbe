import { processEvents, purgePaymentData } from './card-events.ts'
import { reconcileBalance } from './card-transactions.ts'
import { checkProvider } from './check-provider.ts'
import { deleteCustomers } from './customers.ts'
import { findUnmatchedPayments } from './find-unmatched.ts'
import { comparePayments, reconcilePurchases } from './reconcile.ts'
import { finishOpenRefunds } from './refunds.ts'
import type { Cards } from './settle.ts'

/** The background jobs of payments; `every` is in seconds. */
export const paymentJobs: { name: string; every: number; run(context: Cards): Promise<unknown> }[] = [
  { name: 'card-events', every: 5, run: processEvents },
  { name: 'card-reconcile', every: 180, run: reconcilePurchases },
  { name: 'card-compare', every: 3600, run: comparePayments },
  { name: 'card-refunds', every: 180, run: finishOpenRefunds },
  { name: 'card-unmatched', every: 3600, run: findUnmatchedPayments },
  { name: 'card-balance', every: 86_400, run: reconcileBalance },
  { name: 'card-check', every: 3600, run: checkProvider },
  { name: 'card-customers', every: 3600, run: deleteCustomers },
  { name: 'purge-payment-data', every: 86_400, run: purgePaymentData },
]
