import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screen, within } from '@testing-library/react'
import { createPaymentIntent, paymentHistory, paymentSuccess } from '#contract/payments.ts'
import { sandboxConfirm, sandboxConfirmSaved } from '#contract/sandbox-cards.ts'
import { removeSavedCard, type SavedCard, savedCards } from '#contract/saved-cards.ts'
import { myWithdrawals } from '#contract/withdrawals.ts'
import {
  button,
  dialog,
  expectFocus,
  expectGone,
  field,
  fill,
  openApp,
  server,
  until,
  user,
} from '#web/testing/app.tsx'
import { anId, aPayment, aUser } from '#web/testing/records.ts'

const VISA: SavedCard = { _id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 4, expYear: 2031 }
const AMEX: SavedCard = { ...VISA, _id: 'pm_3', brand: 'amex', last4: '0005' }
const MASTERCARD: SavedCard = { ...VISA, _id: 'pm_2', brand: 'mastercard', last4: '4444' }
const paid = { transactionId: 'pi_1', status: 'succeeded' as const, error: null }

async function openPayment(cards: SavedCard[]) {
  server.serve(savedCards, cards)
  server.serve(createPaymentIntent, { clientSecret: 'pi_1_secret' })
  server.serve(sandboxConfirm, paid)
  server.serve(sandboxConfirmSaved, paid)
  const credit = { acknowledged: true, insertedId: anId(), coin: 1000, repaid: 0, debt: 0 }
  server.serve(paymentSuccess, { ...credit, status: 'credited' as const })
  await openApp('/dashboard/purchase-coin/payment/20', { as: aUser('Buyer') })
}

async function typeCard() {
  await fill(await screen.findByLabelText(/^card number/i), '4242424242424242')
  await fill(field(/^expiry/i), '1234')
  await fill(field(/^cvc/i), '123')
}

const pay = () => user.click(button('Pay $20.00'))

test('a card is saved only when its box is checked, which it is not at first', async () => {
  await openPayment([])
  await typeCard()
  const box = screen.getByRole('checkbox', { name: 'Save this card for next time' }) as HTMLInputElement
  assert.equal(box.checked, false)
  await user.click(box)
  await pay()
  await dialog('Payment Successful! Coins Added.')
  assert.equal(server.received(sandboxConfirm)[0]?.body.save, true)
})

test('a saved card pays without typing; another card can be chosen', async () => {
  await openPayment([MASTERCARD, VISA, AMEX])
  const choice = await screen.findByRole('radiogroup', { name: 'Pay with' })
  const names = within(choice)
    .getAllByRole('radio')
    .map((radio) => (radio as HTMLInputElement).labels?.[0]?.textContent)
  assert.deepEqual(names, [
    'Mastercard ending in 4444',
    'Visa ending in 4242',
    'American Express ending in 0005',
    'Another card',
  ])
  assert.equal(screen.queryByLabelText(/^card number/i), null)
  screen.getByText(/real cards are not accepted/)
  expectGone(screen.queryByText(/test cards below/))
  await user.click(screen.getByRole('radio', { name: /^Another card/ }))
  await screen.findByLabelText(/^card number/i)
  screen.getByText(/Use one of the test cards below/)
  await user.click(screen.getByRole('radio', { name: /^Visa/ }))
  await pay()
  await dialog('Payment Successful! Coins Added.')
  assert.deepEqual(server.received(sandboxConfirmSaved)[0]?.body, {
    clientSecret: 'pi_1_secret',
    card: 'pm_1',
  })
  assert.equal(server.received(sandboxConfirm).length, 0)
})

test('a saved card that is declined shows the reason, and another can be used', async () => {
  await openPayment([VISA])
  const declined = { code: 'card_declined', message: 'Your card was declined.' }
  server.serve(sandboxConfirmSaved, { transactionId: 'pi_1', status: 'failed', error: declined })
  await screen.findByRole('radiogroup', { name: 'Pay with' })
  await pay()
  await screen.findByText('Payment Failed: Your card was declined.')
  await user.click(screen.getByRole('radio', { name: /^Another card/ }))
  await typeCard()
  await pay()
  await dialog('Payment Successful! Coins Added.')
})

test('without the list of saved cards a new card can be used', async () => {
  server.refuse(savedCards, 'payments_unavailable', 'Card payments are unavailable right now.')
  server.serve(createPaymentIntent, { clientSecret: 'pi_1_secret' })
  await openApp('/dashboard/purchase-coin/payment/20', { as: aUser('Buyer') })
  await screen.findByLabelText(/^card number/i)
})

test('a saved card is removed on the payment history after a question', async () => {
  let cards = [VISA, MASTERCARD]
  server.serve(savedCards, () => cards)
  server.serve(paymentHistory, [aPayment()])
  server.serve(myWithdrawals, [])
  server.serve(removeSavedCard, ({ params }) => {
    cards = cards.filter(({ _id }) => _id !== params.id)
  })
  await openApp('/dashboard/paymenthistory', { as: aUser('Buyer') })
  const section = within(await screen.findByRole('region', { name: 'Saved cards' }))
  section.getAllByText('Expires 04/2031')
  await user.click(section.getByRole('button', { name: 'Remove Visa ending in 4242' }))
  const question = within(await dialog('Remove Visa ending in 4242?'))
  await user.click(question.getByRole('button', { name: 'Remove card' }))
  await until(() => expectGone(section.queryByRole('button', { name: 'Remove Visa ending in 4242' })))
  section.getByRole('button', { name: 'Remove Mastercard ending in 4444' })
  await until(() => expectFocus(screen.getByRole('region', { name: 'Saved cards' })))
  assert.deepEqual(
    server.received(removeSavedCard).map(({ params }) => params.id),
    ['pm_1'],
  )
})

test('payments are shown while the card processor cannot be reached', async () => {
  server.refuse(savedCards, 'payments_unavailable', 'Card payments are unavailable right now.')
  server.serve(paymentHistory, [aPayment()])
  server.serve(myWithdrawals, [])
  await openApp('/dashboard/paymenthistory', { as: aUser('Buyer') })
  await screen.findAllByText('Success')
  await screen.findByText('Card payments are unavailable right now.')
})
