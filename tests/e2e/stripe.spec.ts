import { type FakeStripe, startFakeStripe } from '#tests/payments/fake-stripe/server.ts'
import { type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'
import { expect, expectAccessible, open, type Page, signUpUser, test } from './fixtures.ts'

/**
 * The server with Stripe's settings, in a browser: the real loader of Stripe's script and the real React elements,
 * under the site's own content policy. Only what comes from stripe.com is a fake: the script, and the API behind it.
 */
let server: ServerProcess
let stripe: FakeStripe
const shared = process.env.E2E_URL ?? ''

// In one worker, so that the server is started once.
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  stripe = await startFakeStripe()
  server = await startServerProcess({
    env: {
      DEMO: '0',
      CARD_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
      STRIPE_WEBHOOK_SECRET: 'whsec_of_the_tests',
      STRIPE_API_HOST: stripe.url,
    },
  })
  process.env.E2E_URL = server.url
})
test.afterAll(async () => {
  process.env.E2E_URL = shared
  await server?.stop()
  await stripe?.close()
})

/** What js.stripe.com serves: an element with a card's number, and confirmPayment. */
const SCRIPT = `window.Stripe = (key) => {
  let number
  const element = () => {
    const received = {}
    return {
      on(name, receive) { received[name] = receive; return this },
      off() { return this }, once() { return this }, update() {}, unmount() {}, destroy() {}, focus() {}, blur() {},
      mount(place) {
        number = document.createElement('input')
        number.setAttribute('aria-label', 'Card number')
        place.append(number)
        queueMicrotask(() => received.ready?.())
      },
    }
  }
  return {
    registerAppInfo() {}, _registerWrapper() {},
    createToken() {}, createPaymentMethod() {}, confirmCardPayment() {},
    elements: ({ clientSecret }) => ({ clientSecret, create: element, update() {}, getElement: () => null, on() {}, off() {}, fetchUpdates() {}, submit() {} }),
    async confirmPayment({ elements }) {
      const response = await fetch('https://api.stripe.com/v1/payment_intents/confirm', {
        method: 'POST', body: JSON.stringify({ key, secret: elements.clientSecret, number: number.value }),
      })
      return response.json()
    },
  }
}
window.Stripe.version = 'fake'`

async function serveStripe(page: Page): Promise<void> {
  await page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: SCRIPT }),
  )
  await page.route('https://api.stripe.com/**', async (route) => {
    const { key, secret, number } = route.request().postDataJSON()
    expect(key).toBe(stripe.publishableKey)
    await route.fulfill({ json: confirm(secret, number), headers: { 'access-control-allow-origin': '*' } })
  })
}

/** What Stripe's script returns of a confirmation. The cardholder fails every 3-D Secure challenge. */
function confirm(secret: string, number: string): object {
  const id = secret.split('_secret_')[0] ?? ''
  if (stripe.intents.get(id)?.status === 'succeeded') {
    const code = 'payment_intent_unexpected_state'
    return { error: { type: 'invalid_request_error', code, message: 'The intent has already succeeded.' } }
  }
  const { status, error } = stripe.confirm(secret, number)
  if (status === 'requires_action')
    return { error: { type: 'invalid_request_error', ...stripe.authenticate(secret, false).error } }
  return error ? { error: { type: 'card_error', ...error } } : { paymentIntent: { id, status } }
}

test('Stripe: declined, then paid, through its own loader and elements', async ({ page, context }) => {
  await serveStripe(page)
  await signUpUser(context, 'Buyer')
  await open(page, '/dashboard/purchase-coin/payment/35')
  await page.getByLabel('Card number').fill('4000000000009995')
  await page.getByRole('button', { name: 'Pay $35.00' }).click()
  await expect(page.getByText('Payment Failed: Your card has insufficient funds.')).toBeVisible()
  await page.getByLabel('Card number').fill('4242424242424242')
  await page.getByRole('button', { name: 'Pay $35.00' }).click()
  await expect(page.getByRole('dialog', { name: 'Payment Successful! Coins Added.' })).toBeVisible()
  await open(page, '/dashboard/paymenthistory')
  await expect(page.getByText('Success')).toBeVisible()
})

test('Stripe: blocked, then loaded; a challenge fails; a second tab sees the payment of the first', async ({
  page,
  context,
  expected,
}) => {
  expected.push('js.stripe.com')
  await page.route('https://js.stripe.com/**', (route) => route.abort('blockedbyclient'))
  await signUpUser(context, 'Buyer')
  const path = '/dashboard/purchase-coin/payment/20'
  await open(page, path)
  const alert = page.getByRole('alert').filter({ hasText: 'Could not load the card form' })
  await expect(alert).toContainText('js.stripe.com')
  await expectAccessible(page)
  await page.unroute('https://js.stripe.com/**')
  await serveStripe(page)
  await alert.getByRole('button', { name: 'Try again' }).click()

  await page.getByLabel('Card number').fill('4000002500003155')
  await page.getByRole('button', { name: 'Pay $20.00' }).click()
  await expect(page.getByText(/^Payment Failed: We are unable to authenticate/)).toBeVisible()

  const second = await context.newPage()
  await serveStripe(second)
  await open(second, path)
  await second.getByLabel('Card number').fill('4242424242424242')

  const success = { name: 'Payment Successful! Coins Added.' }
  for (const tab of [page, second]) {
    await tab.getByLabel('Card number').fill('4242424242424242')
    await tab.getByRole('button', { name: 'Pay $20.00' }).click()
    await expect(tab.getByRole('dialog', success)).toContainText('Your balance is 550 coins')
  }
})
