import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import {
  type AdminPayment,
  createPaymentIntent,
  listPayments,
  paymentReceipt,
  paymentSuccess,
} from '#contract/payments.ts'
import { receipt } from '#contract/receipts.ts'
import { listRefunds } from '#contract/refunds.ts'
import { sandboxAuthenticate, sandboxConfirm } from '#contract/sandbox-cards.ts'
import { site } from '#contract/site.ts'
import { type TaskDraft, taskDraft } from '#contract/task-drafts.ts'
import { topWorkers, type User } from '#contract/users.ts'
import { processingText } from '#web/features/payments/use-purchase.ts'
import { button, dialog, expectGone, field, fill, openApp, server, until, user } from '#web/testing/app.tsx'
import { SITE } from '#web/testing/fake-server.ts'
import { anId, aPayment, aReceipt, aUser } from '#web/testing/records.ts'

const input = (name: RegExp) => field(name) as HTMLInputElement
const paid = { transactionId: 'pi_1', status: 'succeeded' as const, error: null }
const credited = () => ({
  acknowledged: true,
  insertedId: anId(),
  coin: 1000,
  repaid: 0,
  debt: 0,
  status: 'credited' as const,
})

/** The rows of the order, by name. */
function orderRows(): Record<string, string> {
  const order = screen.getByRole('region', { name: 'Your order' })
  const names = within(order).getAllByRole('term')
  const values = within(order).getAllByRole('definition')
  return Object.fromEntries(names.map((name, index) => [name.textContent, values[index]?.textContent ?? '']))
}
const left = (balance: string) => ({ 'Balance after purchase': balance, 'You pay': '$20.00' })

async function openPayment(change: Partial<User> = {}) {
  server.serve(createPaymentIntent, { clientSecret: 'pi_1_secret' })
  server.serve(sandboxConfirm, paid)
  server.serve(paymentSuccess, credited)
  const router = await openApp('/dashboard/purchase-coin/payment/20', { as: aUser('Buyer', change) })
  await screen.findByLabelText(/^card number/i)
  return router
}

async function typeCard(number = '4242424242424242') {
  await fill(field(/^card number/i), number)
  await fill(field(/^expiry/i), '1234')
  await fill(field(/^cvc/i), '123')
}
const pay = () => user.click(button('Pay $20.00'))

test('a paid package is credited and leads home', async () => {
  const router = await openPayment()
  await typeCard()
  await pay()
  within(await dialog('Payment Successful! Coins Added.')).getByText(/500 coins/)
  assert.equal(server.received(createPaymentIntent)[0]?.body.price, 20)
  assert.equal(server.received(paymentSuccess)[0]?.body.transactionId, 'pi_1')
  await user.click(button('OK'))
  await until(() => assert.equal(router.state.location.pathname, '/'))
})

test('a payment whose screen was left meanwhile is announced there, and leads nowhere', async () => {
  const router = await openPayment()
  const held = server.hold(paymentSuccess)
  await typeCard()
  await pay()
  await until(() => assert.equal(server.received(paymentSuccess).length, 1))
  await router.navigate('/dashboard')
  await screen.findByRole('heading', { level: 1, name: 'Profile' })
  held.release()
  await screen.findByText('Payment Successful! Coins Added.')
  expectGone(screen.queryByRole('dialog'))
  assert.equal(router.state.location.pathname, '/dashboard')
})

test("a debt and what the purchase leaves are shown before paying, and the server's amounts after it", async () => {
  server.serve(createPaymentIntent, { clientSecret: 'pi_1_secret' })
  server.serve(sandboxConfirm, paid)
  server.serve(paymentSuccess, { ...credited(), coin: 425, repaid: 75, debt: 0 })
  await openApp('/dashboard/purchase-coin/payment/20', { as: aUser('Buyer', { coin: 0, debt: 60 }) })
  await screen.findByLabelText(/^card number/i)
  assert.deepEqual(orderRows(), {
    Coins: '500 coins',
    'Repays what you owe': '−60 coins',
    ...left('440 coins'),
  })
  screen.getByText(/^You owe 60 coins: /)
  await typeCard()
  await pay()
  const success = within(await dialog('Payment Successful! Coins Added.'))
  success.getByText(
    /^You bought 500 coins, of which 75 coins repaid what you owed. Your balance is 425 coins/,
  )
  assert.deepEqual(orderRows(), {
    Coins: '500 coins',
    'Repays what you owe': '−75 coins',
    ...left('425 coins'),
  })
})

test('packages say which tax is added when they are paid', async () => {
  server.serve(site, { ...SITE, addedTax: { name: 'VAT', percent: 7.7 } })
  await openApp('/dashboard/purchase-coin', { as: aUser('Buyer') })
  await screen.findByText('Prices exclude VAT. 7.7% is added at checkout.')
})

test('an added tax is shown before paying, and charged as it was shown', async () => {
  server.serve(site, { ...SITE, addedTax: { name: 'VAT', percent: 15 } })
  server.serve(createPaymentIntent, { clientSecret: 'pi_1_secret' })
  server.serve(sandboxConfirm, paid)
  server.serve(paymentSuccess, credited)
  await openApp('/dashboard/purchase-coin/payment/20', { as: aUser('Buyer', { coin: 0 }) })
  await screen.findByLabelText(/^card number/i)
  assert.deepEqual(orderRows(), {
    Coins: '500 coins',
    'Balance after purchase': '500 coins',
    Price: '$20.00',
    'VAT 15%': '$3.00',
    'You pay': '$23.00',
  })
  await typeCard()
  await user.click(button('Pay $23.00'))
  await dialog(/^Payment Successful/)
  assert.deepEqual(server.received(createPaymentIntent)[0]?.body, { price: 20, coins: 500, total: 23 })
})

test('a debt larger than the package is still owed after it', async () => {
  server.serve(createPaymentIntent, { clientSecret: 'pi_1_secret' })
  server.serve(sandboxConfirm, paid)
  server.serve(paymentSuccess, { ...credited(), coin: 0, repaid: 500, debt: 100 })
  await openApp('/dashboard/purchase-coin/payment/20', { as: aUser('Buyer', { coin: 0, debt: 600 }) })
  await screen.findByLabelText(/^card number/i)
  assert.equal(orderRows()['Still owed after purchase'], '100 coins')
  await typeCard()
  await pay()
  within(await dialog(/^Payment Successful/)).getByText(/Your balance is 0 coins. You still owe 100 coins./)
})

test('while a payment takes longer, a buyer with a debt reads that it takes the coins first', () => {
  const coinPackage = { coins: 150, price: 10 }
  assert.match(processingText(coinPackage, 200), /repay what you owe \(200 coins\) first/)
  assert.doesNotMatch(processingText(coinPackage, 0), /owe/)
})

test('coins that arrive while the payment is confirmed are not counted twice', async () => {
  await openPayment({ coin: 300 })
  assert.deepEqual(orderRows(), { Coins: '500 coins', ...left('800 coins') })
  server.serve(paymentSuccess, () => {
    server.change({ coin: 800 })
    return { ...credited(), coin: 800 }
  })
  await typeCard()
  await pay()
  await dialog('Payment Successful! Coins Added.')
  await until(() => assert.ok(within(screen.getByRole('banner')).queryByText(/^800/)))
  assert.deepEqual(orderRows(), { Coins: '500 coins', ...left('800 coins') })
})

/** Buys the coins that the task in the form lacks, and returns to it. */
async function buyCoinsForTask() {
  await user.click(await screen.findByRole('link', { name: 'Go to Purchase Page' }))
  await user.click(await screen.findByRole('button', { name: 'Buy 500 coins' }))
  await screen.findByLabelText(/^card number/i)
  await typeCard()
  await pay()
  const success = within(await dialog('Payment Successful! Coins Added.'))
  await user.click(success.getByRole('button', { name: 'Back to your task' }))
}

test('a purchase for a task that was too expensive leads back to its draft', async () => {
  server.serve(createPaymentIntent, { clientSecret: 'pi_1_secret' })
  server.serve(sandboxConfirm, paid)
  server.serve(paymentSuccess, credited)
  const router = await openApp('/dashboard/add-task', { as: aUser('Buyer', { coin: 10 }) })
  await fill(await screen.findByLabelText(/^task title/i), 'Label 50 street photos')
  await fill(field(/^required workers/i), '20')
  await fill(field(/^payable amount/i), '10')
  await buyCoinsForTask()
  await until(() => assert.equal(router.state.location.pathname, '/dashboard/add-task'))
  assert.equal(
    ((await screen.findByLabelText(/^task title/i)) as HTMLInputElement).value,
    'Label 50 street photos',
  )
})

test('a purchase for a saved draft leads back to that draft', async () => {
  server.serve(createPaymentIntent, { clientSecret: 'pi_1_secret' })
  server.serve(sandboxConfirm, paid)
  server.serve(paymentSuccess, credited)
  const draft: TaskDraft = {
    _id: anId(),
    name: 'For December',
    template: false,
    version: 1,
    createdAt: '2026-01-10T09:00:00.000Z',
    changedAt: '2026-01-10T09:00:00.000Z',
    postAt: null,
    failure: null,
    required_workers: 20,
    payable_amount: 10,
  }
  server.serve(taskDraft, draft)
  const path = `/dashboard/add-task?draft=${draft._id}`
  const router = await openApp(path, { as: aUser('Buyer', { coin: 10 }) })
  await buyCoinsForTask()
  await screen.findByText('From your draft “For December”')
  assert.equal(router.state.location.pathname + router.state.location.search, path)
})

test('the card number is grouped and the expiry gets its slash while they are typed', async () => {
  await openPayment()
  await user.type(field(/^card number/i), '42424242')
  await user.type(field(/^expiry/i), '1234')
  assert.equal(input(/^card number/i).value, '4242 4242')
  assert.equal(input(/^expiry/i).value, '12 / 34')
})

test('an incomplete card is not sent', async () => {
  await openPayment()
  await fill(field(/^card number/i), '4242')
  await pay()
  await screen.findByText('Your card number is incomplete.')
  screen.getByText("Your card's expiration date is incomplete.")
  screen.getByText("Your card's security code is incomplete.")
  assert.equal(server.received(sandboxConfirm).length, 0)
})

test('a test card fills in the form', async () => {
  await openPayment()
  await user.click(button(/4242 4242 4242 4242/))
  assert.equal(input(/^card number/i).value, '4242 4242 4242 4242')
  assert.equal(input(/^cvc/i).value, '123')
})

test('a declined card shows the reason and can be replaced', async () => {
  await openPayment()
  server.serve(sandboxConfirm, {
    transactionId: 'pi_1',
    status: 'failed',
    error: { code: 'card_declined', message: 'Your card was declined.' },
  })
  await typeCard('4000000000000002')
  await pay()
  await screen.findByText('Payment Failed: Your card was declined.')
  assert.equal(server.received(paymentSuccess).length, 0)
  server.serve(sandboxConfirm, paid)
  await typeCard()
  await pay()
  await dialog('Payment Successful! Coins Added.')
})

test('a card that the bank asks about is paid after the challenge, which names what the buyer pays', async () => {
  server.serve(site, { ...SITE, addedTax: { name: 'VAT', percent: 15 } })
  await openPayment()
  server.serve(sandboxConfirm, { transactionId: 'pi_1', status: 'requires_action', error: null })
  server.serve(sandboxAuthenticate, paid)
  await typeCard()
  await user.click(button('Pay $23.00'))
  const asked = await dialog(/3-D Secure/)
  within(asked).getByText('$23.00')
  await user.click(within(asked).getByRole('button', { name: /^complete/i }))
  await dialog('Payment Successful! Coins Added.')
  assert.equal(server.received(sandboxAuthenticate)[0]?.body.agreed, true)
})

test('closing the question of the bank refuses the payment', async () => {
  await openPayment()
  server.serve(sandboxConfirm, { transactionId: 'pi_1', status: 'requires_action', error: null })
  server.serve(sandboxAuthenticate, {
    transactionId: 'pi_1',
    status: 'failed',
    error: { code: 'authentication', message: 'Authentication failed.' },
  })
  await typeCard()
  await pay()
  await dialog(/3-D Secure/)
  await user.keyboard('{Escape}')
  await screen.findByText('Payment Failed: Authentication failed.')
  assert.equal(server.received(sandboxAuthenticate)[0]?.body.agreed, false)
})

test('a payment that could not begin can be tried again', async () => {
  server.refuse(createPaymentIntent, 'payments_unavailable', 'The card processor is not available.')
  await openApp('/dashboard/purchase-coin/payment/20', { as: aUser('Buyer') })
  const alert = await screen.findByRole('alert')
  within(alert).getByText('The card processor is not available.')
  server.serve(createPaymentIntent, { clientSecret: 'pi_1_secret' })
  await user.click(within(alert).getByRole('button'))
  await screen.findByLabelText(/^card number/i)
})

test('a purchase above the limit of cards is no earlier payment', async () => {
  const message = 'You have reached the limit for purchases by card.'
  server.refuse(createPaymentIntent, 'state_conflict', message, { price: message })
  await openApp('/dashboard/purchase-coin/payment/20', { as: aUser('Buyer') })
  await screen.findByText(message)
  screen.getByText('Could not start the payment')
  assert.equal(screen.queryByRole('button', { name: 'Buy again' }), null)
})

test('a price without a package leads back to the packages', async () => {
  await openApp('/dashboard/purchase-coin/payment/7', { as: aUser('Buyer') })
  const link = await within(screen.getByRole('main')).findByRole('link')
  assert.equal(link.getAttribute('href'), '/dashboard/purchase-coin')
})

test('a payment that a bank sends back is finished without a card form', async () => {
  server.serve(paymentSuccess, credited)
  const address = '/dashboard/purchase-coin/payment/20?redirect_status=succeeded&payment_intent=pi_9'
  await openApp(address, { as: aUser('Buyer') })
  await dialog('Payment Successful! Coins Added.')
  assert.equal(server.received(paymentSuccess)[0]?.body.transactionId, 'pi_9')
})

test('a payment that a bank sends back leads to the task that the coins are for', async () => {
  server.serve(paymentSuccess, credited)
  const returnTo = encodeURIComponent('/dashboard/my-task?status=open')
  const address = `/dashboard/purchase-coin/payment/20?payment_intent=pi_9&coins=500&returnTo=${returnTo}`
  const router = await openApp(address, { as: aUser('Buyer') })
  const success = within(await dialog('Payment Successful! Coins Added.'))
  await user.click(success.getByRole('button', { name: 'Back to your task' }))
  await until(() => assert.equal(router.state.location.pathname, '/dashboard/my-task'))
  assert.equal(router.state.location.search, '?status=open')
})

test('a payment that a bank sends back leads to no other site', async () => {
  server.serve(paymentSuccess, credited)
  const address = '/dashboard/purchase-coin/payment/20?payment_intent=pi_9&returnTo=//example.com'
  await openApp(address, { as: aUser('Buyer') })
  const success = within(await dialog('Payment Successful! Coins Added.'))
  assert.equal(success.queryByRole('button', { name: 'Back to your task' }), null)
})

test('the balance after a return from the bank is that of the server', async () => {
  server.serve(paymentSuccess, credited)
  const confirmation = server.hold(paymentSuccess)
  const address = '/dashboard/purchase-coin/payment/20?payment_intent=pi_9&coins=500'
  await openApp(address, { as: aUser('Buyer', { coin: 1000 }) })
  await screen.findByText('Confirming your payment…')
  assert.deepEqual(orderRows(), { Coins: '500 coins', 'You pay': '$20.00' })
  confirmation.release()
  await dialog('Payment Successful! Coins Added.')
  assert.equal(orderRows()['Balance after purchase'], '1,000 coins')
})

test('going back after a payment that a bank sent back does not announce it a second time', async () => {
  server.serve(paymentSuccess, credited)
  server.serveList(topWorkers, [])
  const router = await openApp('/dashboard/purchase-coin', { as: aUser('Buyer') })
  await router.navigate('/dashboard/purchase-coin/payment/20?redirect_status=succeeded&payment_intent=pi_9')
  await dialog('Payment Successful! Coins Added.')
  await user.click(button('OK'))
  await until(() => assert.equal(router.state.location.pathname, '/'))
  await router.navigate(-1)
  await until(() => assert.equal(router.state.location.pathname, '/dashboard/purchase-coin'))
})

test('a payment that the bank refused says so, and the form takes another card', async () => {
  server.serve(createPaymentIntent, { clientSecret: 'pi_9_secret' })
  server.refuse(paymentSuccess, 'payment_not_succeeded', 'This payment was not completed.')
  const address = '/dashboard/purchase-coin/payment/20?redirect_status=failed&payment_intent=pi_9'
  const router = await openApp(address, { as: aUser('Buyer') })
  await screen.findByText('Payment Failed: This payment was not completed. Try again or use another card.')
  assert.equal(server.received(paymentSuccess)[0]?.body.transactionId, 'pi_9')
  assert.equal(router.state.location.search, '')
  server.serve(sandboxConfirm, paid)
  server.serve(paymentSuccess, credited)
  await typeCard()
  await pay()
  await dialog('Payment Successful! Coins Added.')
})

test('a payment from the bank that does not fit its package says what to do', async () => {
  server.serve(createPaymentIntent, { clientSecret: 'pi_10_secret' })
  server.refuse(paymentSuccess, 'payment_mismatch', 'This payment is not for that package.')
  const address = '/dashboard/purchase-coin/payment/20?redirect_status=succeeded&payment_intent=pi_9'
  await openApp(address, { as: aUser('Buyer') })
  await screen.findByText(
    'Something went wrong during payment. This payment is not for that package. Contact us before you pay again.',
  )
})

test('a tab in which the payment was already made elsewhere shows it as paid', async () => {
  await openPayment()
  server.refuse(sandboxConfirm, 'state_conflict', 'This is not possible in the current state of the payment.')
  await typeCard()
  await pay()
  await dialog('Payment Successful! Coins Added.')
  assert.equal(server.received(paymentSuccess)[0]?.body.transactionId, 'pi_1')
})

test('a tab whose payment was cancelled meanwhile gets one that can be paid', async () => {
  await openPayment()
  server.refuse(sandboxConfirm, 'state_conflict', 'This is not possible in the current state of the payment.')
  server.refuse(paymentSuccess, 'payment_not_succeeded', 'This payment was not completed.')
  server.serve(createPaymentIntent, { clientSecret: 'pi_2_secret' })
  await typeCard()
  await pay()
  await screen.findByText(/^Payment Failed: This payment was not completed/)
  await until(() => assert.equal(input(/^card number/i).value, ''))
  server.serve(sandboxConfirm, { ...paid, transactionId: 'pi_2' })
  server.serve(paymentSuccess, credited)
  await typeCard()
  await pay()
  await dialog('Payment Successful! Coins Added.')
  assert.equal(server.received(sandboxConfirm).at(-1)?.body.clientSecret, 'pi_2_secret')
})

test('an earlier payment that came through since is shown as one, and another can be made', async () => {
  server.refuse(createPaymentIntent, 'state_conflict', 'Your last payment for this package went through.')
  await openApp('/dashboard/purchase-coin/payment/20', { as: aUser('Buyer') })
  await screen.findByRole('heading', { name: 'Your last payment' })
  screen.getByText('Your last payment for this package went through.')
  expectGone(screen.queryByRole('alert'))
  server.serve(createPaymentIntent, { clientSecret: 'pi_1_secret' })
  await user.click(button('Buy again'))
  await screen.findByLabelText(/^card number/i)
})

test('a receipt shows what was paid and what came back since', async () => {
  server.serve(paymentReceipt, {
    ...aPayment({ receipt: 7, status: 'Refunded', returned: { price: 20, coins: 500 }, real: false }),
    name: 'Nadia',
  })
  server.serve(receipt, aReceipt({ number: 'TEST-R-000007', real: false }))
  await openApp('/dashboard/paymenthistory/pi_7', { as: aUser('Buyer') })
  const sheet = within(await screen.findByRole('article', { name: 'Receipt' }))
  sheet.getByText('Visa ending in 4242')
  sheet.getByText('Refunded')
  sheet.getByText('Test')
  sheet.getByText('500 coins')
})

test('a payment that was refunded offers no second refund', async () => {
  const payment: AdminPayment = {
    ...aPayment({ status: 'Refunded', returned: { price: 20, coins: 500 } }),
    userId: anId(),
    name: 'Nadia',
    unclaimed: false,
  }
  server.serveList(listPayments, [payment])
  server.serve(listRefunds, [])
  await openApp('/dashboard/payments', { as: aUser('Admin') })
  await screen.findByText('Nadia')
  expectGone(screen.queryByRole('button', { name: /^refund/i }))
})
