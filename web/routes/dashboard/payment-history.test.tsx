import { test } from 'node:test'
import { screen } from '@testing-library/react'
import { paymentHistory } from '#contract/payments.ts'
import { listRefunds } from '#contract/refunds.ts'
import { myWithdrawals } from '#contract/withdrawals.ts'
import { openApp, server } from '#web/testing/app.tsx'
import { aUser } from '#web/testing/records.ts'

for (const [coin, next] of [
  [10, 'Find a task'],
  [200, 'Withdraw coins'],
] as const) {
  test(`a worker with ${coin} coins and no withdrawal is offered: ${next}`, async () => {
    server.serveList(myWithdrawals, [])
    server.serveList(paymentHistory, [])
    server.serve(listRefunds, [])
    await openApp('/dashboard/paymenthistory', { as: aUser('Worker', { coin }) })
    await screen.findByRole('link', { name: next })
  })
}
