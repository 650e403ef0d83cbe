import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import { useState } from 'react'
import { createPayoutBatch, PAYOUTS_PER_BATCH_MAX } from '#contract/payouts.ts'
import { waiting } from '#contract/waiting.ts'
import { PayoutBatchSelection } from '#web/features/payouts/payout-batch-selection.tsx'
import { queryClient, queryOf } from '#web/lib/queries.ts'
import { button, field, render, server, until, user } from '#web/testing/app.tsx'
import { anId, aUser, aWithdrawalRequest } from '#web/testing/records.ts'
import { useRowSelection } from '#web/ui/use-row-selection.ts'

/** Requests of $10 each. */
function Requests({ count }: { count: number }) {
  const [rows] = useState(() =>
    Array.from({ length: count }, () => aWithdrawalRequest({ withdrawal_amount: 10 })),
  )
  return <PayoutBatchSelection selection={useRowSelection(rows, PAYOUTS_PER_BATCH_MAX)} />
}

const selected = () => screen.getByRole('status').textContent

describe('the selection of withdrawal requests', () => {
  test('of more requests than a batch holds has the first of them, and can be cleared', async () => {
    render(<Requests count={PAYOUTS_PER_BATCH_MAX + 1} />)
    const box = field('Select the first 500') as HTMLInputElement
    await user.click(box)
    assert.equal(selected(), '500 selected, $5,000.00')
    assert.ok(box.checked && !box.indeterminate)
    await user.click(box)
    assert.equal(selected(), 'Nothing selected')
  })

  test('has all requests where a batch holds them', async () => {
    render(<Requests count={2} />)
    await user.click(field('Select all 2'))
    assert.equal(selected(), '2 selected, $20.00')
  })

  test('is not counted any more as what waits once it is a batch', async () => {
    const { queryKey } = queryOf(waiting, {})
    queryClient.setQueryData(queryKey, [])
    const insertedId = anId()
    server.signIn(aUser('Admin'))
    server.serve(createPayoutBatch, { acknowledged: true, insertedId, payouts: 2 })
    const router = render(<Requests count={2} />)
    await user.click(field('Select all 2'))
    await user.click(button('Create payout batch'))
    await until(() => assert.equal(router.state.location.pathname, `/dashboard/payouts/${insertedId}`))
    assert.ok(queryClient.getQueryState(queryKey)?.isInvalidated)
  })
})
