import assert from 'node:assert/strict'
import { reconcilePurchases } from '#server/payments/reconcile.ts'
import { aBuyer, anAdmin, aWorker } from '#tests/support/factories.ts'
import { coinsOf, GOOD, type Scenarios, START } from './scenario.ts'
import { purchasesOf } from './shop.ts'

/** Scenarios of choosing a package and the intent that it creates, for every card processor. */
export const INTENTS: Scenarios = {
  async 'choosing a package twelve times at once creates one intent'({ processor, shop, buyer }) {
    const made = await processor.countIntents()
    const responses = await Promise.all(Array.from({ length: 12 }, () => shop.startIntent(buyer)))
    assert.equal(new Set(responses.map(({ secret }) => secret)).size, 1)
    assert.equal((await processor.countIntents()) - made, 1)
  },

  async 'a key that comes again with another package is refused; with the same one it is the same intent'({
    database,
    shop,
    buyer,
  }) {
    const choose = (price: number) =>
      shop.ask(buyer, 'POST', '/create-payment-intent', { price }, { 'idempotency-key': `try-${buyer.id}` })
    const first = await choose(10)
    assert.equal((await choose(10)).body.clientSecret, first.body.clientSecret)
    assert.equal((await choose(35)).code, 'idempotency_key_reused')
    assert.deepEqual(await purchasesOf(database, buyer), ['open'])
  },

  async 'the same key returns the same intent after it was paid too, and another key a new one'(context) {
    const { database, processor, shop, buyer } = context
    const coins = coinsOf(context)
    const choose = (key: string) =>
      shop.ask(
        buyer,
        'POST',
        '/create-payment-intent',
        { price: 10 },
        { 'idempotency-key': `${key}-${buyer.id}` },
      )
    const secretOf = async (key: string) => (await choose(key)).body.clientSecret
    const secret = (await secretOf('one')) as string
    await processor.pay(secret, GOOD)
    assert.deepEqual([await secretOf('one'), await coins()], [secret, START], 'paid')
    const id = secret.split('_secret_')[0] ?? ''
    assert.equal((await shop.confirm(buyer, id)).status, 200)
    assert.equal(await secretOf('one'), secret, 'credited')
    assert.notEqual(await secretOf('two'), secret)
    assert.equal(await secretOf('one'), secret)
    assert.deepEqual(await purchasesOf(database, buyer), ['credited', 'open'])
  },

  async 'a key whose first attempt found an earlier payment returns a new intent'(context) {
    const { shop, buyer } = context
    const coins = coinsOf(context)
    const choose = () =>
      shop.ask(
        buyer,
        'POST',
        '/create-payment-intent',
        { price: 10 },
        { 'idempotency-key': `two-${buyer.id}` },
      )
    const paid = await shop.payPackage(buyer)
    assert.equal((await choose()).code, 'state_conflict')
    assert.equal(await coins(), START + 150)
    const secret = (await choose()).body.clientSecret as string
    assert.notEqual(secret.split('_secret_')[0], paid)
    assert.equal((await choose()).body.clientSecret, secret)
  },

  async 'the same key returns a new intent once the first was cancelled'({ processor, shop, buyer }) {
    const choose = () =>
      shop.ask(
        buyer,
        'POST',
        '/create-payment-intent',
        { price: 10 },
        { 'idempotency-key': `one-${buyer.id}` },
      )
    const secret = (await choose()).body.clientSecret as string
    await processor.cancel(secret.split('_secret_')[0] ?? '')
    const again = (await choose()).body.clientSecret
    assert.notEqual(again, secret)
    assert.equal((await choose()).body.clientSecret, again)
  },

  async 'a key whose intent was cancelled counts once against the hourly limit'({
    database,
    processor,
    shop,
    buyer,
  }) {
    const choose = () =>
      shop.ask(
        buyer,
        'POST',
        '/create-payment-intent',
        { price: 10 },
        { 'idempotency-key': `one-${buyer.id}` },
      )
    const secret = (await choose()).body.clientSecret as string
    await processor.cancel(secret.split('_secret_')[0] ?? '')
    assert.equal((await choose()).status, 200)
    const { rows } = await database.pool.query('select hits from rate_limits where key = $1', [
      `card-begin:${buyer.id}`,
    ])
    assert.deepEqual(rows, [{ hits: 2 }])
  },

  async 'unknown and invalid prices are refused'({ database, shop, buyer }) {
    for (const price of [15, 0, -10, 10.5, 1e300]) assert.equal((await shop.begin(buyer, price)).status, 422)
    for (const price of ['10', null, [10]])
      assert.equal((await shop.begin(buyer, price as unknown as number)).status, 400)
    assert.deepEqual(await purchasesOf(database, buyer), [])
  },

  async 'only a Buyer can create an intent'({ database, shop }) {
    assert.equal((await shop.begin(null)).status, 401)
    for (const other of [await aWorker(database), await anAdmin(database)]) {
      assert.equal((await shop.begin(other)).code, 'role_not_allowed')
      assert.equal((await shop.confirm(other, 'pi_whatever1')).code, 'role_not_allowed')
    }
  },

  async 'a cancelled intent credits nothing, and the next choice creates a new one'(context) {
    const { processor, shop, buyer } = context
    const coins = coinsOf(context)
    const { id } = await shop.startIntent(buyer)
    await processor.cancel(id)
    assert.equal((await shop.confirm(buyer, id)).code, 'payment_not_succeeded')
    assert.notEqual((await shop.startIntent(buyer)).id, id)
    assert.equal(await coins(), START)
  },

  async 'a user who creates or confirms very often gets Retry-After, others do not'({
    database,
    shop,
    buyer,
  }) {
    const { id } = await shop.startIntent(buyer)
    const { pool } = database
    await pool.query(`update rate_limits set hits = 60 where key = $1`, [`card-begin:${buyer.id}`])
    assert.equal((await shop.begin(buyer)).code, 'too_many_requests')
    assert.equal((await shop.begin(buyer, 15)).status, 422, 'what asks nobody is not counted')
    assert.equal((await shop.confirm(buyer, id)).code, 'payment_not_succeeded')
    await pool.query(`update rate_limits set hits = 300 where key = $1`, [`card-confirm:${buyer.id}`])
    assert.equal((await shop.confirm(buyer, id)).code, 'too_many_requests')
    await shop.startIntent(await aBuyer(database))
  },

  async 'who paid and was cut off is credited, and not charged again, on choosing the package again'(
    context,
  ) {
    const { shop, buyer } = context
    const coins = coinsOf(context)
    await shop.payPackage(buyer)
    const again = await shop.begin(buyer)
    assert.equal(again.code, 'state_conflict')
    assert.equal(await coins(), START + 150)
    assert.equal((await shop.begin(buyer)).status, 200)
  },

  async 'a purchase unpaid for a day is cancelled at the provider and closed'({
    database,
    processor,
    shop,
    buyer,
  }) {
    const { id, secret } = await shop.startIntent(buyer)
    await shop.wait('24 hours')
    await reconcilePurchases(shop.context)
    assert.deepEqual(await purchasesOf(database, buyer), ['closed'])
    await assert.rejects(processor.pay(secret, GOOD))
    assert.notEqual((await shop.startIntent(buyer)).id, id)
  },

  async 'an unpaid intent of yesterday is not offered again'({ database, shop, buyer }) {
    const { id } = await shop.startIntent(buyer)
    await shop.wait('24 hours')
    assert.notEqual((await shop.startIntent(buyer)).id, id)
    assert.deepEqual(await purchasesOf(database, buyer), ['closed', 'open'])
  },
}
