import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deleteCustomers } from '#server/payments/customers.ts'
import { findUnmatchedPayments } from '#server/payments/find-unmatched.ts'
import { deleteUser } from '#server/users/delete.ts'
import { aBuyer, anAdmin, balanceOf, type TestUser } from '#tests/support/factories.ts'
import { paymentMatrix } from './matrix.ts'
import { aStripe } from './processors.ts'
import { useStripeShop } from './stripe-shop.ts'

paymentMatrix('Stripe', aStripe)

describe('the Stripe adapter', () => {
  const stripe = useStripeShop()

  test('the purchase id is the idempotency key: a retry after a lost response creates nothing twice', async () => {
    const buyer = await aBuyer(stripe.database)
    await stripe.shop.startIntent(buyer, 1)
    stripe.fake.requests.length = 0
    const made = stripe.fake.intents.size
    stripe.fake.fault = 'reset'
    assert.equal((await stripe.shop.begin(buyer)).status, 503)
    stripe.fake.fault = 'fine'
    await stripe.shop.startIntent(buyer)
    const keys = stripe.fake.requests
      .filter(({ call }) => call === 'POST /v1/payment_intents')
      .map(({ key }) => key)
    assert.ok(keys.length >= 3)
    assert.equal(new Set(keys).size, 1)
    assert.match(keys[0] ?? '', /^purchase:[0-9a-f-]{36}$/)
    assert.equal(stripe.fake.intents.size - made, 1)
  })

  test('a stored error does not block the package: the next attempt has a new key', async () => {
    const buyer = await aBuyer(stripe.database)
    stripe.fake.requests.length = 0
    stripe.fake.creation = 'failed'
    const failed = await stripe.shop.begin(buyer)
    stripe.fake.creation = 'fine'
    assert.deepEqual([failed.status, failed.code], [503, 'payments_unavailable'])
    const { secret, id } = await stripe.shop.startIntent(buyer)
    assert.equal((await stripe.processor.pay(secret, '4242424242424242')).status, 'succeeded')
    assert.equal((await stripe.shop.confirm(buyer, id)).status, 200)
    const keys = stripe.fake.requests
      .filter(({ call }) => call === 'POST /v1/payment_intents')
      .map(({ key }) => key)
    assert.equal(new Set(keys).size, 3)
  })

  test('an intent that was created in spite of an error is found', async () => {
    const buyer = await aBuyer(stripe.database)
    const made = stripe.fake.intents.size
    stripe.fake.creation = 'lost'
    await stripe.shop.startIntent(buyer)
    stripe.fake.creation = 'fine'
    await stripe.shop.startIntent(buyer)
    assert.equal(stripe.fake.intents.size - made, 1)
  })

  for (const creation of ['failed', 'lost'] as const) {
    test(`an attempt of hours ago that "${creation}" is looked up among thousands of later intents`, async () => {
      const { fake, shop, database } = stripe
      const buyer = await aBuyer(database)
      const known = new Set(fake.intents.keys())
      fake.creation = creation
      fake.alter = (value) => (value.object === 'list' ? {} : value)
      assert.equal((await shop.begin(buyer)).code, 'payments_unavailable')
      fake.creation = 'fine'
      fake.alter = undefined

      await shop.wait('3 hours')
      for (const intent of fake.intents.values()) intent.created -= 3 * 3_600
      const lost = [...fake.intents.keys()].filter((id) => !known.has(id))
      const { id } = await shop.startIntent(await aBuyer(database))
      const model = fake.intents.get(id)
      for (let made = 0; model && made < 1_001; made++) {
        const later = { ...model, id: `pi_later${creation}${made}`, created: model.created - 3_600 }
        fake.intents.set(later.id, { ...later, client_secret: `${later.id}_secret_x` })
      }
      const made = fake.intents.size
      const { id: found } = await shop.startIntent(buyer)
      assert.deepEqual(lost, creation === 'lost' ? [found] : [])
      assert.equal(fake.intents.size - made, creation === 'lost' ? 0 : 1)
    })
  }

  test('a payment that Stripe no longer has does not keep the search from others', async () => {
    const [buyer, other] = [await aBuyer(stripe.database), await aBuyer(stripe.database)]
    const found = await stripe.shop.payPackage(buyer)
    // Stripe lists the newest first.
    const lost = await stripe.shop.payPackage(other)
    await stripe.database.pool.query('update purchases set intent_id = null where intent_id = any ($1)', [
      [found, lost],
    ])
    const missing = stripe.fake.intents.get(lost)
    stripe.fake.alter = (value) => {
      if (value.object === 'list') stripe.fake.intents.delete(lost)
      return value
    }
    await assert.rejects(findUnmatchedPayments(stripe.shop.context), AggregateError)
    stripe.fake.alter = undefined
    assert.deepEqual(
      [await balanceOf(stripe.database, buyer), await balanceOf(stripe.database, other)],
      [200, 50],
    )
    if (missing) stripe.fake.intents.set(lost, missing)
    await findUnmatchedPayments(stripe.shop.context)
    assert.equal(await balanceOf(stripe.database, other), 200)
  })

  test('while nothing is known about the first attempt, the key stays', async () => {
    const buyer = await aBuyer(stripe.database)
    await stripe.shop.startIntent(buyer, 1)
    stripe.fake.requests.length = 0
    for (const fault of ['page', 'busy', 'reset'] as const) {
      stripe.fake.fault = fault
      assert.equal((await stripe.shop.begin(buyer)).code, 'payments_unavailable')
    }
    stripe.fake.fault = 'fine'
    await stripe.shop.startIntent(buyer)
    const keys = stripe.fake.requests
      .filter(({ call }) => call === 'POST /v1/payment_intents')
      .map(({ key }) => key)
    assert.equal(new Set(keys).size, 1)
  })

  test('a charge has the configured text on the card statement', async () => {
    const { id } = await stripe.shop.startIntent(await aBuyer(stripe.database))
    assert.equal(stripe.fake.intents.get(id)?.statement_descriptor_suffix, 'COINS')
  })

  test('a Stripe timeout is reported, and a retry finds the same intent', async () => {
    const buyer = await aBuyer(stripe.database)
    stripe.fake.fault = 'silence'
    const begun = await stripe.shop.begin(buyer)
    const id = 'pi_nobodyanswers'
    await stripe.database.pool.query(
      `update purchases set intent_id = $2 where user_id = $1 and state = 'open'`,
      [buyer.id, id],
    )
    const confirmed = await stripe.shop.confirm(buyer, id)
    stripe.fake.fault = 'fine'
    assert.deepEqual([begun.code, confirmed.code], ['payments_unavailable', 'payments_unavailable'])
    await stripe.database.pool.query('update purchases set intent_id = null where intent_id = $1', [id])
    await stripe.shop.startIntent(buyer)
  })

  for (const fault of ['error', 'page', 'busy', 'reset'] as const) {
    test(`a "${fault}" response of Stripe is reported in our own words`, async () => {
      const buyer = await aBuyer(stripe.database)
      const id = await stripe.shop.payPackage(buyer)
      stripe.fake.fault = fault
      const response = await stripe.shop.confirm(buyer, id)
      stripe.fake.fault = 'fine'
      assert.deepEqual([response.status, response.code], [503, 'payments_unavailable'])
      assert.doesNotMatch(JSON.stringify(response.body), /stripe|gateway|our end|sk_test/i)
      assert.equal((await stripe.shop.confirm(buyer, id)).status, 200)
    })
  }

  test('a buyer has one customer with what Radar compares, which is deleted after the user', async () => {
    const buyer = await aBuyer(stripe.database)
    const customerOf = (id: string) => stripe.fake.intents.get(id)?.customer ?? ''
    const first = await stripe.shop.payPackage(buyer)
    await stripe.shop.confirm(buyer, first)
    const { id: second } = await stripe.shop.startIntent(buyer)
    assert.equal(customerOf(first), customerOf(second))
    const { 'metadata[account_created]': accountCreated, ...details } =
      stripe.fake.customers.get(customerOf(first)) ?? {}
    assert.deepEqual(details, { email: buyer.email, name: buyer.name, 'metadata[user_id]': buyer.id })
    assert.match(accountCreated ?? '', /^\d{4}-\d{2}-\d{2}$/)
    assert.equal(stripe.fake.intents.get(first)?.description, '150 coins')
    await deleteCustomers(stripe.shop.context)
    assert.ok(stripe.fake.customers.has(customerOf(first)))
    await deleteUser(stripe.database, buyer.id, (await anAdmin(stripe.database)).id)
    await deleteCustomers(stripe.shop.context)
    assert.ok(!stripe.fake.customers.has(customerOf(first)))
  })

  test('the card form receives a session of the buyer, with the box that saves a card', async () => {
    const [buyer, other] = [await aBuyer(stripe.database), await aBuyer(stripe.database)]
    const sessionOf = async (user: TestUser) => {
      const { clientSecret, customerSecret } = (await stripe.shop.begin(user)).body as Record<string, string>
      const intent = stripe.fake.intents.get(clientSecret?.split('_secret_')[0] ?? '')
      const session = stripe.fake.sessions.get(customerSecret ?? '')
      assert.equal(session?.customer, intent?.customer)
      return session
    }
    const session = await sessionOf(buyer)
    assert.deepEqual(session?.features, {
      payment_method_save: 'enabled',
      payment_method_save_usage: 'on_session',
      payment_method_redisplay: 'enabled',
      payment_method_remove: 'enabled',
    })
    assert.notEqual((await sessionOf(other))?.customer, session?.customer)
    const { rows } = await stripe.database.pool.query(
      `select from card_failures where message like '%cuss_%'`,
    )
    assert.equal(rows.length, 0)
  })

  test("a buyer's new name and email reach their customer before the next purchase, once", async () => {
    const buyer = await aBuyer(stripe.database)
    const { id } = await stripe.shop.startIntent(buyer)
    const customer = stripe.fake.intents.get(id)?.customer ?? ''
    await stripe.database.pool.query(`update users set name = 'Rahima Khatun' where id = $1`, [buyer.id])
    const updates = () =>
      stripe.fake.requests.filter(({ call }) => call === `POST /v1/customers/${customer}`).length
    for (const price of [1, 20, 35]) await stripe.shop.startIntent(buyer, price)
    const { email, name } = stripe.fake.customers.get(customer) ?? {}
    assert.deepEqual([email, name], [buyer.email, 'Rahima Khatun'])
    assert.equal(updates(), 1)
  })

  test('a key that may not write customers lets new and renamed buyers pay, and is reported', async () => {
    const [known, buyer] = [await aBuyer(stripe.database), await aBuyer(stripe.database)]
    const { id: first } = await stripe.shop.startIntent(known)
    await stripe.database.pool.query(`update users set name = 'Rahima Khatun' where id = $1`, [known.id])
    stripe.fake.fault = 'no customers'
    const { id: without } = await stripe.shop.startIntent(buyer)
    const { id: second } = await stripe.shop.startIntent(known, 20)
    stripe.fake.fault = 'fine'
    const customerOf = (id: string) => stripe.fake.intents.get(id)?.customer
    assert.equal(customerOf(without), null)
    assert.equal(customerOf(second), customerOf(first))
    const { rows } = await stripe.database.pool.query(
      `select operation from card_failures where kind = 'permission' order by operation`,
    )
    assert.deepEqual(
      rows.map(({ operation }) => operation),
      ['create customer', 'update customer'],
    )
  })

  test('a session that Stripe does not create leaves the payment without saved cards', async () => {
    const buyer = await aBuyer(stripe.database)
    stripe.fake.alter = (value) =>
      value.object === 'customer_session' ? { ...value, customer: 'cus_other' } : value
    const { body } = await stripe.shop.begin(buyer)
    stripe.fake.alter = undefined
    assert.deepEqual(Object.keys(body), ['clientSecret'])
    assert.ok('customerSecret' in (await stripe.shop.begin(buyer)).body)
  })

  test('another currency does not match the order', async () => {
    const buyer = await aBuyer(stripe.database)
    const id = await stripe.shop.payPackage(buyer)
    await stripe.processor.change(id, { currency: 'bdt' })
    assert.equal((await stripe.shop.confirm(buyer, id)).code, 'payment_mismatch')
    assert.equal(await balanceOf(stripe.database, buyer), 50)
  })

  test('the intent response names Stripe and its publishable key', async () => {
    const { body } = await stripe.shop.ask(null, 'GET', '/site')
    assert.deepEqual([body.card, body.stripePublishableKey], ['stripe', stripe.fake.publishableKey])
    assert.equal((await stripe.shop.ask(null, 'POST', '/sandbox/confirm', {})).status, 404)
  })
})
