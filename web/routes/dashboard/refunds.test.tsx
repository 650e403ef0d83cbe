import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { identity, stepUp } from '#contract/auth.ts'
import { type AdminPayment, listPayments, paymentTotals } from '#contract/payments.ts'
import { decideRefund, listRefunds, type Refund, requestRefund } from '#contract/refunds.ts'
import { expectFocus, expectGone, openApp, server, until } from '#web/testing/app.tsx'
import { Replay } from '#web/testing/fake-server.ts'
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

async function openPayments(
  refunds: Refund[],
  change: Partial<AdminPayment> = {},
  admin = aUser('Admin'),
): Promise<AdminPayment> {
  const payment: AdminPayment = { ...aPayment(), userId: anId(), name: 'Nadia', unclaimed: false, ...change }
  server.serveList(listPayments, [payment])
  server.serve(listRefunds, refunds)
  await openApp('/dashboard/payments', { as: admin })
  return payment
}

test('the payments are shown when the open refunds above them are there', async () => {
  server.serve(listRefunds, [aRefund()])
  const held = server.hold(listRefunds)
  server.serveList(listPayments, [])
  await openApp('/dashboard/payments', { as: aUser('Admin') })
  await screen.findByText('No payments found.')
  const hidden = '.sections-in-order > .delayed-fade-in ~ .filter-bar'
  const isHidden = () => document.querySelector(hidden) !== null
  assert.ok(isHidden())
  held.release()
  await screen.findByRole('heading', { name: 'Open refunds' })
  assert.ok(!isHidden())
})

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
  await until(() => assert.equal(server.received(paymentTotals).length, 2))
  const [request] = server.received(requestRefund)
  assert.deepEqual(request?.body, { amount: 5, reason: 'Bought twice' })
  assert.equal(payment.returned.price, 0)
})

test('a refund whose response was lost is not made twice', async () => {
  const payment = await openPayments([])
  const requests = () => server.received(requestRefund)
  server.serve(requestRefund, () => {
    throw new TypeError('fetch failed')
  })
  const user = userEvent.setup()
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Refund to Nadia' }))
    return within(await screen.findByRole('dialog'))
  }
  const refundFive = async () => {
    const dialog = await open()
    await user.clear(dialog.getByLabelText(/Amount/))
    await user.type(dialog.getByLabelText(/Amount/), '5')
    await user.type(dialog.getByLabelText(/Reason/), 'Bought twice')
    await user.click(dialog.getByRole('button', { name: 'Refund' }))
    return dialog
  }
  const lost = await refundFive()
  await lost.findByText(/No connection/)
  // Under their email they would be moved from this form when the user is read again.
  const keys = Object.keys(localStorage).filter((key) => key.includes(' refund '))
  assert.deepEqual(
    keys.map((key) => key.includes('@')),
    [false, false],
  )
  await user.click(lost.getByRole('button', { name: 'Cancel' }))
  await until(() => expectGone(screen.queryByRole('dialog')))
  let listed = 0
  server.serve(requestRefund, () => {
    listed = server.received(listPayments).length
    server.serveList(listPayments, [{ ...payment, returned: { price: 5, coins: 50 } }])
    return new Replay(aRefund({ status: 'refunded' }))
  })
  const reopened = await open()
  assert.equal(reopened.getByLabelText<HTMLTextAreaElement>(/Reason/).value, 'Bought twice')
  await user.click(reopened.getByRole('button', { name: 'Refund' }))
  await screen.findByRole('dialog', { name: 'This was already done' })
  const [first, second] = requests().map(({ headers }) => headers.get('idempotency-key'))
  assert.equal(second, first)
  assert.equal(listed, 2, 'after the first attempt, which may have refunded it')

  // The refund is known now, so that the same amount is another one.
  await user.click(screen.getByRole('button', { name: 'OK' }))
  await screen.findByText(/\$5\.00 returned/)
  await until(() => expectGone(screen.queryByRole('dialog')))
  server.serve(requestRefund, aRefund({ status: 'refunded' }))
  await refundFive()
  await screen.findByText('The refund was saved.')
  assert.notEqual(requests()[2]?.headers.get('idempotency-key'), first)
})

test('a refund that needs a proof asks for it above the form, which keeps what was typed', async () => {
  await openPayments([])
  server.serve(identity, {
    email: 'root@example.com',
    name: 'Root',
    emailVerified: true,
    hasPassword: true,
    hasSecondFactor: false,
    linkedTo: [],
  })
  server.refuse(requestRefund, 'proof_required', 'This needs a recent sign-in.')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Refund to Nadia' }))
  const form = within(await screen.findByRole('dialog', { name: 'Refund Nadia' }))
  const reason = form.getByLabelText<HTMLTextAreaElement>(/Reason/)
  await user.type(reason, 'Bought twice')
  await user.click(form.getByRole('button', { name: 'Refund' }))

  const proof = within(await screen.findByRole('dialog', { name: 'Confirm your identity' }))
  await proof.findByLabelText(/^Password/)
  await user.keyboard('{Escape}')
  await form.findByText(/did not confirm your identity/)
  const shown = screen.getByRole('dialog')
  assert.ok(shown.contains(reason) && shown.contains(document.activeElement))
  assert.equal(reason.value, 'Bought twice')
  assert.equal(server.received(requestRefund).length, 1)

  server.serve(stepUp, () => void server.serve(requestRefund, aRefund({ status: 'refunded' })))
  await user.click(form.getByRole('button', { name: 'Refund' }))
  const again = within(await screen.findByRole('dialog', { name: 'Confirm your identity' }))
  await user.type(await again.findByLabelText(/^Password/), 'Sesame!open')
  await user.keyboard('{Enter}')
  await screen.findByText('The refund was saved.')
  assert.equal(server.received(requestRefund).length, 3)
  await until(() => assert.equal(screen.queryByRole('dialog'), null))
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

test('a refund that waits for another Admin is approved once', async () => {
  await openPayments([aRefund()])
  server.serve(decideRefund, aRefund({ status: 'refunded' }))
  const decision = server.hold(decideRefund)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: /Approve/ }))
  const asked = within(await screen.findByRole('dialog', { name: 'Refund $5.00 to Nadia?' }))
  assert.equal(server.received(decideRefund).length, 0)
  await user.dblClick(asked.getByRole('button', { name: 'Approve refund' }))
  await until(() => assert.equal(server.received(decideRefund).length, 1))
  server.serve(listRefunds, [])
  assert.ok(screen.getByRole<HTMLButtonElement>('button', { name: /^Cancel/ }).disabled)
  decision.release()
  await screen.findByText('The refund was approved.')
  assert.deepEqual(
    server.received(decideRefund).map(({ body }) => body),
    [{ decision: 'approve' }],
  )
  await until(() => assert.equal(server.received(listPayments).length, 2))
  await until(() => assert.equal(server.received(paymentTotals).length, 2))
  await until(() => expectFocus(screen.getByRole('main')))
})

test('an Admin can neither refund a payment of their own nor approve its refund', async () => {
  const admin = aUser('Admin')
  await openPayments([aRefund({ buyerId: admin._id })], { userId: admin._id }, admin)
  await screen.findByRole('button', { name: 'Cancel the refund to Nadia' })
  await screen.findByRole('button', { name: 'Actions for the payment of Nadia' })
  assert.equal(screen.queryByRole('button', { name: /^(Refund|Approve)/ }), null)
})
