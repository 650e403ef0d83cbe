import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type AdminPayment, listPayments } from '#contract/payments.ts'
import { decideRefund, listRefunds, type Refund, requestRefund } from '#contract/refunds.ts'
import { openApp, server } from '#web/testing/app.tsx'
import { anId, aPayment, aUser } from '#web/testing/records.ts'

const aRefund = (change: Partial<Refund> = {}): Refund => ({
  _id: anId(),
  transactionId: 'pi_1',
  buyer: 'Nadia',
  buyerId: anId(),
  amount: 5,
  reason: 'Bought twice',
  status: 'waiting',
  date: '2026-11-20T09:00:00.000Z',
  requestedBy: 'Asha',
  requestedById: anId(),
  decidedBy: null,
  ...change,
})

async function openPayments(refunds: Refund[], change: Partial<AdminPayment> = {}): Promise<AdminPayment> {
  const payment: AdminPayment = { ...aPayment(), userId: anId(), name: 'Nadia', unclaimed: false, ...change }
  server.serveList(listPayments, [payment])
  server.serve(listRefunds, refunds)
  await openApp('/dashboard/payments', { as: aUser('Admin') })
  return payment
}

test('an Admin refunds a part of a payment with a reason', async () => {
  const payment = await openPayments([])
  server.serve(requestRefund, aRefund({ status: 'refunded' }))
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Refund to Nadia' }))
  const dialog = within(await screen.findByRole('dialog'))
  const amount = dialog.getByLabelText(/Amount/)
  await user.clear(amount)
  await user.type(amount, '100000')
  await user.type(dialog.getByLabelText(/Reason/), 'Bought twice')
  await user.click(dialog.getByRole('button', { name: 'Refund' }))
  await dialog.findByText(/Enter an amount up to/)
  await user.clear(amount)
  await user.type(amount, '5')
  await user.click(dialog.getByRole('button', { name: 'Refund' }))
  await screen.findByText('The refund was saved.')
  const [request] = server.received(requestRefund)
  assert.deepEqual(request?.body, { amount: 5, reason: 'Bought twice' })
  assert.equal(payment.returned.price, 0)
})

test('a payment has one button, and its other actions in a menu', async () => {
  const { transactionId } = await openPayments([])
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Actions for the payment of Nadia' }))
  const menu = within(await screen.findByRole('dialog', { name: 'Actions for the payment of Nadia' }))
  menu.getByRole('button', { name: 'Dispute' })
  const receipt = menu.getByRole('link', { name: 'Receipt' })
  assert.equal(receipt.getAttribute('href'), `/dashboard/paymenthistory/${transactionId}`)
})

test('a payment that was refunded has its receipt only', async () => {
  const { price, coins } = aPayment()
  await openPayments([], { status: 'Refunded', returned: { price, coins } })
  await screen.findByRole('link', { name: /^Receipt/ })
  assert.equal(screen.queryByRole('button', { name: /^(Refund|Actions)/ }), null)
})

test('a refund that waits for another Admin is approved', async () => {
  await openPayments([aRefund()])
  server.serve(decideRefund, aRefund({ status: 'refunded' }))
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: /Approve/ }))
  await screen.findByText('The refund was approved.')
  assert.deepEqual(server.received(decideRefund)[0]?.body, { decision: 'approve' })
})
