import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {
  decideUnmatchedPayment,
  listUnmatchedPayments,
  type UnmatchedPayment,
} from '#contract/unmatched-payments.ts'
import { openApp, server } from '#web/testing/app.tsx'
import { anId, aUser } from '#web/testing/records.ts'

const anUnmatchedPayment = (change: Partial<UnmatchedPayment> = {}): UnmatchedPayment => ({
  _id: anId(),
  transactionId: 'pi_unmatched1',
  cause: 'no_purchase',
  price: 10,
  refunded: 0,
  fraudWarningAt: null,
  disputes: [],
  currency: 'usd',
  date: '2026-11-20T09:00:00.000Z',
  card: { brand: 'visa', last4: '4242' },
  buyer: { _id: anId(), name: 'Ruma', email: 'ruma@example.com' },
  coins: 150,
  status: 'open',
  requested: null,
  decision: null,
  real: true,
  ...change,
})

async function openScreen(payments: UnmatchedPayment[], admin = aUser('Admin')) {
  server.serve(listUnmatchedPayments, payments)
  await openApp('/dashboard/unmatched-payments', { as: admin })
  await screen.findByRole('heading', { name: 'Unmatched Payments' })
}

test('an Admin credits an unmatched payment with a reason', async () => {
  const payment = anUnmatchedPayment()
  await openScreen([payment])
  server.serve(decideUnmatchedPayment, { ...payment, status: 'credited' })
  await screen.findByText(/Visa •••• 4242/)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: /Credit 150/ }))
  const dialog = await screen.findByRole('dialog')
  await user.type(within(dialog).getByLabelText(/Reason/), 'Paid before the restore')
  await user.click(within(dialog).getByRole('button', { name: 'Credit' }))
  await screen.findByText('The coins were credited.')
  assert.deepEqual(server.received(decideUnmatchedPayment)[0]?.body, {
    decision: 'credit',
    reason: 'Paid before the restore',
  })
})

test('without a buyer or a package a payment can only be refunded, and a decided one shows its decision', async () => {
  await openScreen([
    anUnmatchedPayment({ buyer: null }),
    anUnmatchedPayment({
      status: 'refunded',
      refunded: 10,
      decision: { date: '2026-11-21T09:00:00.000Z', admin: 'Asha', adminId: anId(), reason: 'Bought twice' },
    }),
  ])
  assert.equal(screen.queryByRole('button', { name: /Credit/ }), null)
  assert.equal(screen.getAllByRole('button', { name: 'Refund' }).length, 1)
  const asha = screen.getByRole('link', { name: 'Asha' })
  assert.match(asha.parentElement?.textContent ?? '', /Asha.*Bought twice/)
})

test('an Admin approves the decision of another, and cancels one', async () => {
  const requested = {
    decision: 'refund' as const,
    date: '2026-11-21T09:00:00.000Z',
    admin: 'Asha',
    adminId: anId(),
  }
  const payment = anUnmatchedPayment({ status: 'waiting', requested })
  await openScreen([payment])
  const asha = screen.getByRole('link', { name: 'Asha' })
  assert.match(asha.parentElement?.textContent ?? '', /Refund requested by Asha/)
  assert.equal(screen.queryByRole('button', { name: 'Refund' }), null)
  server.serve(decideUnmatchedPayment, { ...payment, status: 'refunded' })
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Approve' }))
  const asked = within(await screen.findByRole('dialog', { name: 'Refund this payment?' }))
  asked.getByText(/returns \$10\.00 to the card \(Ruma\)/)
  assert.equal(server.received(decideUnmatchedPayment).length, 0)
  await user.click(asked.getByRole('button', { name: 'Approve' }))
  await screen.findByText('The payment was refunded.')
  await user.click(await screen.findByRole('button', { name: 'Cancel the request' }))
  await screen.findByText('The decision was cancelled.')
  assert.deepEqual(
    server.received(decideUnmatchedPayment).map(({ body }) => body),
    [{ decision: 'approve', requested: 'refund' }, { decision: 'cancel' }],
  )
})

test('a refund that the card processor rejected for the last time is not reported as saved', async () => {
  const payment = anUnmatchedPayment()
  await openScreen([payment])
  server.serve(decideUnmatchedPayment, payment)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Refund' }))
  const dialog = await screen.findByRole('dialog')
  await user.type(within(dialog).getByLabelText(/Reason/), 'Bought twice')
  await user.click(within(dialog).getByRole('button', { name: 'Refund' }))
  await screen.findByText('The card processor rejected the refund. The payment needs a decision again.')
})

test('an Admin cannot decide about an unmatched payment of their own', async () => {
  const admin = aUser('Admin')
  const buyer = { _id: admin._id, name: admin.name, email: admin.email }
  const requested = {
    decision: 'refund' as const,
    date: '2026-11-21T09:00:00.000Z',
    admin: 'Asha',
    adminId: anId(),
  }
  await openScreen(
    [anUnmatchedPayment({ buyer }), anUnmatchedPayment({ buyer, status: 'waiting', requested })],
    admin,
  )
  screen.getByRole('button', { name: 'Cancel the request' })
  assert.equal(screen.queryByRole('button', { name: /^(Credit|Refund|Approve)/ }), null)
})

test('a fraud warning and a dispute with its deadline are shown', async () => {
  await openScreen([
    anUnmatchedPayment({
      fraudWarningAt: '2026-11-21T09:00:00.000Z',
      disputes: [
        {
          _id: 'dp_1',
          amount: 10,
          status: 'needs_response',
          isOpen: true,
          respondBy: '2026-12-01T09:00:00.000Z',
        },
      ],
    }),
  ])
  screen.getByText(/The card network suspects fraud/)
  screen.getByText(/Dispute over \$10\.00: Needs response\. Submit evidence by 1 Dec 2026/)
  assert.equal(screen.queryByRole('button', { name: 'Refund' }), null)
})
