import { screen } from '@testing-library/react'
import { claimPayout, releasePayoutClaim } from '#contract/payouts.ts'
import { pendingWithdrawals, type WithdrawalRequest, withdrawStatus } from '#contract/withdrawals.ts'
import { openApp, server } from '#web/testing/app.tsx'
import { aUser } from '#web/testing/records.ts'

export const admin = aUser('Admin', { name: 'Asha' })
export const updated = () => ({ acknowledged: true, matchedCount: 1, modifiedCount: 1 })

/** Opens the screen of these requests as an Admin, with a server that accepts what it sends. */
export async function openRequests(...requests: WithdrawalRequest[]) {
  server.serve(pendingWithdrawals, requests)
  server.serve(claimPayout, { ...updated(), awaitsSecond: false })
  server.serve(releasePayoutClaim, updated())
  server.serve(withdrawStatus, updated())
  await openApp('/dashboard/withdraw-request', { as: admin })
  await screen.findByRole('list', { name: 'Withdrawal requests' })
}
