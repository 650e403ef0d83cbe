import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { StripeError } from '@stripe/stripe-js'
import { screen, within } from '@testing-library/react'
import { createPaymentIntent, paymentSuccess } from '#contract/payments.ts'
import { site } from '#contract/site.ts'
import { button, dialog, openApp, server, until, user } from '#web/testing/app.tsx'
import { SITE } from '#web/testing/fake-server.ts'
import { anId, aUser } from '#web/testing/records.ts'

type Confirmed = { error: Partial<StripeError> } | { paymentIntent: { id: string } }

/** The result of the next confirmation. */
let confirmed: Confirmed | Promise<Confirmed>
let billing: unknown
let returnUrl: string
let confirmations: number
/** The options that Stripe's form was created with. */
let formOptions: Record<string, unknown> | undefined

beforeEach(() => {
  confirmations = 0
  confirmed = { paymentIntent: { id: 'pi_1' } }
})

/** What Stripe's script provides: an element, and a confirmation. Its loader keeps what it found first. */
function provideStripe(): void {
  const element = () => {
    const received: Record<string, () => void> = {}
    return {
      on: (name: string, receive: () => void) => {
        received[name] = receive
      },
      mount: () => queueMicrotask(() => received.ready?.()),
      ...methods('off', 'once', 'update', 'unmount', 'destroy'),
    }
  }
  const stripe = {
    ...methods('registerAppInfo', '_registerWrapper', 'createToken', 'createPaymentMethod'),
    ...methods('confirmCardPayment'),
    elements: (options: Record<string, unknown>) => {
      formOptions = options
      return { create: element, getElement: () => null, ...methods('update', 'on', 'off') }
    },
    async confirmPayment({ confirmParams }: { confirmParams: Record<string, unknown> }) {
      confirmations++
      billing = confirmParams.payment_method_data
      returnUrl = String(confirmParams.return_url)
      return confirmed
    },
  }
  const create = () => stripe
  Object.assign(window, { Stripe: create })
}
const methods = (...names: string[]) => Object.fromEntries(names.map((name) => [name, () => {}]))

async function openPayment(session: { customerSecret?: string } = {}) {
  server.serve(site, { ...SITE, card: 'stripe', stripePublishableKey: 'pk_live_of_the_tests' })
  server.serve(createPaymentIntent, { clientSecret: 'pi_1_secret_2', ...session })
  const credit = { acknowledged: true, insertedId: anId(), coin: 1000, repaid: 0, debt: 0 }
  server.serve(paymentSuccess, { ...credit, status: 'credited' as const })
  return openApp('/dashboard/purchase-coin/payment/20', { as: aUser('Buyer') })
}

async function pay() {
  await until(() => assert.equal((button('Pay $20.00') as HTMLButtonElement).disabled, false))
  await user.click(button('Pay $20.00'))
}

// The first test, because the loader keeps a script that it found.
test("while Stripe's script is blocked, a message says so and the form can be loaded again", async () => {
  const script = () => document.querySelector('script[src^="https://js.stripe.com/"]')
  const blocked = setInterval(() => script()?.dispatchEvent(new Event('error')), 5)
  await openPayment()
  const title = await screen.findByText('Could not load the card form')
  clearInterval(blocked)
  const alert = within(title.closest<HTMLElement>('[role=alert]') ?? document.body)
  provideStripe()
  await user.click(alert.getByRole('button', { name: 'Try again' }))
  await pay()
  await dialog('Payment Successful! Coins Added.')
})

test("a payment carries the buyer's name and email for Stripe's fraud detection", async () => {
  provideStripe()
  await openPayment()
  await pay()
  await until(() => assert.equal(confirmations, 1))
  const [, number] = /"Buyer (\d+)"/.exec(JSON.stringify(billing)) ?? []
  const details = { name: `Buyer ${number}`, email: `buyer.${number}@example.com` }
  assert.deepEqual(billing, { billing_details: details })
})

test("the bank's own page returns with the coins and the task that they are for", async () => {
  provideStripe()
  const router = await openPayment()
  // The screen that is shown now has no task to lead back to.
  await router.navigate('/dashboard/purchase-coin')
  await screen.findByRole('heading', { level: 1, name: 'Purchase Coin' })
  const returnTo = '/dashboard/add-task?draft=1'
  await router.navigate('/dashboard/purchase-coin/payment/20', { state: { returnTo } })
  await pay()
  await until(() => assert.equal(confirmations, 1))
  const { searchParams } = new URL(returnUrl)
  assert.deepEqual([searchParams.get('coins'), searchParams.get('returnTo')], ['500', returnTo])
})

test('a second click while Stripe confirms does not pay twice', async () => {
  const confirmation = Promise.withResolvers<Confirmed>()
  confirmed = confirmation.promise
  await openPayment()
  await pay()
  await until(() => assert.equal(confirmations, 1))
  await user.click(button('Pay $20.00'))
  confirmation.resolve({ paymentIntent: { id: 'pi_1' } })
  await dialog('Payment Successful! Coins Added.')
  assert.equal(confirmations, 1)
  assert.equal(server.received(paymentSuccess).length, 1)
})

const AUTHENTICATION_FAILED =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.'

const REFUSED: [name: string, error: object, shown: string][] = [
  [
    'a declined card',
    { type: 'card_error', code: 'card_declined', message: 'Your card has insufficient funds.' },
    'Your card has insufficient funds.',
  ],
  [
    'a failed 3-D Secure challenge',
    {
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      message: AUTHENTICATION_FAILED,
    },
    AUTHENTICATION_FAILED,
  ],
  [
    'an attempt that Stripe only describes in the intent',
    {
      type: 'invalid_request_error',
      message: 'For developers',
      payment_intent: {
        status: 'requires_payment_method',
        last_payment_error: { message: 'Your card was declined.' },
      },
    },
    'Your card was declined.',
  ],
]
for (const [name, error, shown] of REFUSED) {
  test(`${name} shows Stripe's message`, async () => {
    confirmed = { error: error as Partial<StripeError> }
    provideStripe()
    await openPayment()
    await pay()
    await screen.findByText(`Payment Failed: ${shown}`)
    assert.equal(server.received(paymentSuccess).length, 0)
  })
}

test('a payment that was made in another tab is shown as paid', async () => {
  confirmed = {
    error: {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      message: 'You cannot confirm this PaymentIntent because it has already succeeded.',
    },
  }
  provideStripe()
  await openPayment()
  await pay()
  await dialog('Payment Successful! Coins Added.')
  assert.equal(server.received(paymentSuccess)[0]?.body.transactionId, 'pi_1')
})

test('a lost connection to Stripe shows whether the card was charged', async () => {
  confirmed = { error: { type: 'api_connection_error', message: 'For developers' } }
  provideStripe()
  await openPayment()
  server.refuse(paymentSuccess, 'payment_not_succeeded', 'You were not charged.')
  await pay()
  await screen.findByText('Payment Failed: You were not charged. Try again or use another card.')
})

test("Stripe's form receives the session of the buyer's saved cards", async () => {
  provideStripe()
  await openPayment({ customerSecret: 'cuss_1' })
  await until(() => assert.equal((button('Pay $20.00') as HTMLButtonElement).disabled, false))
  assert.equal(formOptions?.customerSessionClientSecret, 'cuss_1')
  assert.equal(formOptions?.clientSecret, 'pi_1_secret_2')
})

test("without such a session Stripe's form offers no saved cards", async () => {
  provideStripe()
  await openPayment()
  await until(() => assert.equal((button('Pay $20.00') as HTMLButtonElement).disabled, false))
  assert.equal(formOptions && 'customerSessionClientSecret' in formOptions, false)
})
