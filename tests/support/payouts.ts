import type { StatementMapping } from '#contract/payout-statements.ts'
import type { PaymentSystem } from '#contract/product.ts'
import type { Database } from '#server/database/database.ts'
import { requestWithdrawal } from '#server/withdrawals/request.ts'
import { aWorker, type TestUser, testConfig } from './factories.ts'

export type TestRequest = { id: string; worker: TestUser }

/** The columns of a statement in dollars whose lines are all paid. */
export const STATEMENT_MAPPING: StatementMapping = {
  currency: 'USD',
  negative: false,
  reference: 'Reference',
  amount: 'Amount',
  transactionId: 'TrxID',
  accountNumber: '',
  fee: '',
  status: '',
  paid: [],
  failed: [],
  pending: [],
}

let accounts = 0

/** Returns an account number that no other request has: requests to one account are compared with each other. */
export function anAccountNumber(): string {
  return `017${String(++accounts).padStart(8, '0')}`
}

/** Creates a pending request of a new worker, who keeps 10 coins. */
export async function aRequest(
  database: Database,
  {
    coins = 200,
    system = 'Bkash',
    accountNumber = '01712345678',
  }: { coins?: number; system?: PaymentSystem; accountNumber?: string } = {},
): Promise<TestRequest> {
  const worker = await aWorker(database, { coins })
  const id = await requestWithdrawal(database, testConfig, worker, { coins, system, accountNumber }, {})
  return { id, worker }
}

/** Returns the payouts of a request, oldest first. */
export async function payoutsOf(database: Database, withdrawal: string) {
  const { rows } = await database.pool.query<{
    id: string
    state: string
    transaction_id: string
    batch_id: string
  }>('select id, state, transaction_id, batch_id from payouts where withdrawal_id = $1 order by attempt', [
    withdrawal,
  ])
  return rows
}
