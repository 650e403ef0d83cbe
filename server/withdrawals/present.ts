import type { Locale } from '#contract/locales.ts'
import { WITHDRAWAL_COINS_MIN } from '#contract/product.ts'
import type { Withdrawable, Withdrawal, WithdrawalRequest } from '#contract/withdrawals.ts'
import { presentRisk } from '#server/risk/present-freeze.ts'
import type { WithdrawableRow, WithdrawalRequestRow, WithdrawalRow } from './queries.ts'

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

/** Returns a request as Admins see it, with the reasons of freezes in their language. */
export function presentRequest(row: WithdrawalRequestRow, locale: Locale): WithdrawalRequest {
  return {
    ...presentWithdrawal(row),
    workerId: row.worker_id,
    origin: row.origin,
    twoPeople: row.needs_second_admin,
    ...(row.payable_at !== null && { payableAt: row.payable_at }),
    ...(row.payout !== null && { payout: row.payout }),
    ...(row.risk !== null && { risk: presentRisk(row.risk, locale) }),
  }
}

/** Returns what a worker can withdraw now, and what later. Less than the minimum of a withdrawal counts as nothing. */
export function presentWithdrawable(row: WithdrawableRow): Withdrawable {
  const later = row.later.map((part) => ({ ...part, from: timeOf(part.from), until: timeOf(part.until) }))
  const timed = later.filter(({ cause }) => cause !== 'pair')
  const most = (parts: typeof later) =>
    Math.max(0, row.balance - parts.reduce((sum, { coins }) => sum + coins, 0))
  const first = row.first_payout_cents ?? Number.POSITIVE_INFINITY
  return {
    verified: orNothing(most(timed)),
    unverified: orNothing(Math.min(most(later), Math.floor(first / row.cents_per_coin))),
    later,
  }
}

const orNothing = (coins: number) => (coins < WITHDRAWAL_COINS_MIN ? 0 : coins)

const timeOf = (time: string | null) => (time === null ? null : new Date(time).toISOString())
