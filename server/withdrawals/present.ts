import type { Withdrawal, WithdrawalRequest } from '#contract/withdrawals.ts'
import type { WithdrawalRequestRow, WithdrawalRow } from './queries.ts'

export function presentWithdrawal(row: WithdrawalRow): Withdrawal {
  return {
    _id: row.id,
    workerName: row.worker_name,
    workerEmail: row.worker_email,
    withdrawalCoin: row.coins,
    withdrawal_amount: row.amount_cents / 100,
    payment_system: row.payment_system,
    accountNumber: row.account_number,
    account: row.account_number,
    status: row.status,
    formatted: row.requested_on,
    reason: row.reason,
    createdAt: row.created_at,
    decidedAt: row.decided_at,
  }
}

/** Returns a request as Admins see it. */
export function presentRequest(row: WithdrawalRequestRow): WithdrawalRequest {
  return {
    ...presentWithdrawal(row),
    origin: row.origin,
    twoPeople: row.two_people,
    ...(row.payout !== null && { payout: row.payout }),
  }
}
