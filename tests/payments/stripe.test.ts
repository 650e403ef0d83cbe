import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deleteCustomers } from '#server/payments/customers.ts'
import { findUnmatchedPayments } from '#server/payments/find-unmatched.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useDatabase } from '#tests/support/database.ts'
import {
  aBuyer,
  anAdmin,
  aSubmission,
  aTask,
  aWorker,
  balanceOf,
  type TestUser,
} from '#tests/support/factories.ts'
import { changeSettings } from '#tests/support/settings.ts'
import type { FakeStripe } from './fake-stripe/server.ts'
import { paymentMatrix } from './matrix.ts'
import { aStripe } from './processors.ts'
import { aShop, noticesOf, type Shop } from './shop.ts'

paymentMatrix('Stripe', aStripe)

describe('the Stripe adapter', () => {
  const db = useDatabase()
  let fake: FakeStripe
  let processor: Awaited<ReturnType<typeof aStripe>>
  let shop: Shop

  before(async () => {
    processor = await aStripe()
    fake = processor.fake
    shop = await aShop(db.database, processor)
  })
  after(async () => {
    await shop.close()
    await processor.close()
  })

  test('the purchase id is the idempotency key: a retry after a lost response creates nothing twice', async () => {
    const buyer = await aBuyer(db.database)
    await shop.startIntent(buyer, 1)
    fake.requests.length = 0
    const made = fake.intents.size
    fake.fault = 'reset'
    assert.equal((await shop.begin(buyer)).status, 503)
    fake.fault = 'fine'
    await shop.startIntent(buyer)
    const keys = fake.requests.filter(({ call }) => call === 'POST /v1/payment_intents').map(({ key }) => key)
    assert.ok(keys.length >= 3)
    assert.equal(new Set(keys).size, 1)
    assert.match(keys[0] ?? '', /^purchase:[0-9a-f-]{36}$/)
    assert.equal(fake.intents.size - made, 1)
  })

  test('a stored error does not block the package: the next attempt has a new key', async () => {
    const buyer = await aBuyer(db.database)
    fake.requests.length = 0
    fake.creation = 'failed'
    const failed = await shop.begin(buyer)
    fake.creation = 'fine'
    assert.deepEqual([failed.status, failed.code], [503, 'payments_unavailable'])
    const { secret, id } = await shop.startIntent(buyer)
    assert.equal((await processor.pay(secret, '4242424242424242')).status, 'succeeded')
    assert.equal((await shop.confirm(buyer, id)).status, 200)
    const keys = fake.requests.filter(({ call }) => call === 'POST /v1/payment_intents').map(({ key }) => key)
    assert.equal(new Set(keys).size, 3)
  })

  test('an intent that was created in spite of an error is found', async () => {
    const buyer = await aBuyer(db.database)
    const made = fake.intents.size
    fake.creation = 'lost'
    await shop.startIntent(buyer)
    fake.creation = 'fine'
    await shop.startIntent(buyer)
    assert.equal(fake.intents.size - made, 1)
  })

  test('a payment that Stripe no longer has does not keep the search from others', async () => {
    const [buyer, other] = [await aBuyer(db.database), await aBuyer(db.database)]
    const found = await shop.payPackage(buyer)
    // Stripe lists the newest first.
    const lost = await shop.payPackage(other)
    await db.database.pool.query('update purchases set intent_id = null where intent_id = any ($1)', [
      [found, lost],
    ])
    const missing = fake.intents.get(lost)
    fake.alter = (value) => {
      if (value.object === 'list') fake.intents.delete(lost)
      return value
    }
    await assert.rejects(findUnmatchedPayments(shop.context), AggregateError)
    fake.alter = undefined
    assert.deepEqual([await balanceOf(db.database, buyer), await balanceOf(db.database, other)], [200, 50])
    if (missing) fake.intents.set(lost, missing)
    await findUnmatchedPayments(shop.context)
    assert.equal(await balanceOf(db.database, other), 200)
  })

  test('while nothing is known about the first attempt, the key stays', async () => {
    const buyer = await aBuyer(db.database)
    await shop.startIntent(buyer, 1)
    fake.requests.length = 0
    for (const fault of ['page', 'busy', 'reset'] as const) {
      fake.fault = fault
      assert.equal((await shop.begin(buyer)).code, 'payments_unavailable')
    }
    fake.fault = 'fine'
    await shop.startIntent(buyer)
    const keys = fake.requests.filter(({ call }) => call === 'POST /v1/payment_intents').map(({ key }) => key)
    assert.equal(new Set(keys).size, 1)
  })

  test('a charge has the configured text on the card statement', async () => {
    const { id } = await shop.startIntent(await aBuyer(db.database))
    assert.equal(fake.intents.get(id)?.statement_descriptor_suffix, 'COINS')
  })

  test('a Stripe timeout is reported, and a retry finds the same intent', async () => {
    const buyer = await aBuyer(db.database)
    fake.fault = 'silence'
    const begun = await shop.begin(buyer)
    const id = 'pi_nobodyanswers'
    await db.database.pool.query(
      `update purchases set intent_id = $2 where user_id = $1 and state = 'open'`,
      [buyer.id, id],
    )
    const confirmed = await shop.confirm(buyer, id)
    fake.fault = 'fine'
    assert.deepEqual([begun.code, confirmed.code], ['payments_unavailable', 'payments_unavailable'])
    await db.database.pool.query('update purchases set intent_id = null where intent_id = $1', [id])
    await shop.startIntent(buyer)
  })

  for (const fault of ['error', 'page', 'busy', 'reset'] as const) {
    test(`a "${fault}" response of Stripe is reported in our own words`, async () => {
      const buyer = await aBuyer(db.database)
      const id = await shop.payPackage(buyer)
      fake.fault = fault
      const response = await shop.confirm(buyer, id)
      fake.fault = 'fine'
      assert.deepEqual([response.status, response.code], [503, 'payments_unavailable'])
      assert.doesNotMatch(JSON.stringify(response.body), /stripe|gateway|our end|sk_test/i)
      assert.equal((await shop.confirm(buyer, id)).status, 200)
    })
  }

  test('a buyer has one customer with what Radar compares, which is deleted after the user', async () => {
    const buyer = await aBuyer(db.database)
    const customerOf = (id: string) => fake.intents.get(id)?.customer ?? ''
    const first = await shop.payPackage(buyer)
    await shop.confirm(buyer, first)
    const { id: second } = await shop.startIntent(buyer)
    assert.equal(customerOf(first), customerOf(second))
    const { 'metadata[account_created]': accountCreated, ...details } =
      fake.customers.get(customerOf(first)) ?? {}
    assert.deepEqual(details, { email: buyer.email, name: buyer.name, 'metadata[user_id]': buyer.id })
    assert.match(accountCreated ?? '', /^\d{4}-\d{2}-\d{2}$/)
    assert.equal(fake.intents.get(first)?.description, '150 coins')
    await deleteCustomers(shop.context)
    assert.ok(fake.customers.has(customerOf(first)))
    await deleteUser(db.database, buyer.id, (await anAdmin(db.database)).id)
    await deleteCustomers(shop.context)
    assert.ok(!fake.customers.has(customerOf(first)))
  })

  test('the card form receives a session of the buyer, with the box that saves a card', async () => {
    const [buyer, other] = [await aBuyer(db.database), await aBuyer(db.database)]
    const sessionOf = async (user: TestUser) => {
      const { clientSecret, customerSecret } = (await shop.begin(user)).body as Record<string, string>
      const intent = fake.intents.get(clientSecret?.split('_secret_')[0] ?? '')
      const session = fake.sessions.get(customerSecret ?? '')
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
    const { rows } = await db.database.pool.query(`select from card_failures where message like '%cuss_%'`)
    assert.equal(rows.length, 0)
  })

  test("a buyer's new name and email reach their customer before the next purchase, once", async () => {
    const buyer = await aBuyer(db.database)
    const { id } = await shop.startIntent(buyer)
    const customer = fake.intents.get(id)?.customer ?? ''
    await db.database.pool.query(`update users set name = 'Rahima Khatun' where id = $1`, [buyer.id])
    const updates = () => fake.requests.filter(({ call }) => call === `POST /v1/customers/${customer}`).length
    for (const price of [1, 20, 35]) await shop.startIntent(buyer, price)
    const { email, name } = fake.customers.get(customer) ?? {}
    assert.deepEqual([email, name], [buyer.email, 'Rahima Khatun'])
    assert.equal(updates(), 1)
  })

  test('a session that Stripe does not create leaves the payment without saved cards', async () => {
    const buyer = await aBuyer(db.database)
    fake.alter = (value) =>
      value.object === 'customer_session' ? { ...value, customer: 'cus_other' } : value
    const { body } = await shop.begin(buyer)
    fake.alter = undefined
    assert.deepEqual(Object.keys(body), ['clientSecret'])
    assert.ok('customerSecret' in (await shop.begin(buyer)).body)
  })

  test('an early fraud warning notifies the Admins once and flags withdrawals, as does a shared card', async () => {
    const admin = await anAdmin(db.database)
    const [buyer, other, worker] = [
      await aBuyer(db.database),
      await aBuyer(db.database),
      await aWorker(db.database),
    ]
    const flags = async () => {
      const { body } = await shop.ask(admin, 'GET', '/withdraw')
      const [request] = body as unknown as [{ origin: { flags: string[] } }]
      return ['fraud_warning', 'shared_card'].filter((flag) => request.origin.flags.includes(flag))
    }
    const buy = async (user: TestUser, number: string) => {
      const { secret, id } = await shop.startIntent(user, 20)
      await processor.pay(secret, number)
      await shop.confirm(user, id)
      return id
    }
    const id = await buy(buyer, '4000056655665556')
    const task = await aTask(db.database, buyer, { slots: 1, reward: 250 })
    await approveSubmission(db.database, await aSubmission(db.database, task, worker), buyer.id)
    const request = { withdrawalCoin: 200, payment_system: 'Other', accountNumber: 'Cash at the office' }
    await shop.ask(worker, 'POST', `/withdraw/${worker.email}`, request)
    assert.deepEqual(await flags(), [])
    for (let count = 0; count < 2; count++) await shop.send(id, { type: 'radar.early_fraud_warning.created' })
    await shop.waitForEvents()
    assert.equal((await noticesOf(db.database, admin, 'fraud_warning')).length, 1)
    assert.deepEqual(await flags(), ['fraud_warning'])
    await buy(other, '4000056655665556')
    assert.deepEqual(await flags(), ['fraud_warning', 'shared_card'])
  })

  test('a card that pays for more buyers than allowed freezes the last of them', async () => {
    await changeSettings(db.database, 'card_limits', { buyersPerCard: 1 })
    const isFrozen = async (user: TestUser) => {
      const sql = 'select is_frozen($1) as frozen'
      return (await db.database.pool.query<{ frozen: boolean }>(sql, [user.id])).rows[0]?.frozen
    }
    const buyers = [await aBuyer(db.database), await aBuyer(db.database)] as const
    for (const buyer of buyers) {
      const { secret, id } = await shop.startIntent(buyer)
      await processor.pay(secret, '4000056655665572')
      await shop.confirm(buyer, id)
    }
    assert.deepEqual([await isFrozen(buyers[0]), await isFrozen(buyers[1])], [false, true])
    assert.equal((await shop.begin(buyers[0])).code, 'state_conflict')
    assert.equal(await balanceOf(db.database, buyers[1]), 200, 'the coins that were paid are credited')
    await changeSettings(db.database, 'card_limits', { buyersPerCard: null })
  })

  test('another currency does not match the order', async () => {
    const buyer = await aBuyer(db.database)
    const id = await shop.payPackage(buyer)
    await processor.change(id, { currency: 'bdt' })
    assert.equal((await shop.confirm(buyer, id)).code, 'payment_mismatch')
    assert.equal(await balanceOf(db.database, buyer), 50)
  })

  test('the intent response names Stripe and its publishable key', async () => {
    const { body } = await shop.ask(null, 'GET', '/site')
    assert.deepEqual([body.card, body.stripePublishableKey], ['stripe', fake.publishableKey])
    assert.equal((await shop.ask(null, 'POST', '/sandbox/confirm', {})).status, 404)
  })
})
