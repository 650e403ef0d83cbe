import assert from 'node:assert/strict'
import { reconcilePurchases } from '#server/payments/reconcile.ts'
import { aBuyer, anAdmin } from '#tests/support/factories.ts'
import { coinsOf, GOOD, type Scenarios, START } from './scenario.ts'
import { notificationsOf } from './shop.ts'

/** Scenarios of what credits a payment, and what does not, for every card processor. */
export const CREDITS: Scenarios = {
  async 'a package is chosen, paid, credited and listed in the history'(context) {
    const { database, shop, buyer } = context
    const coins = coinsOf(context)
    const id = await shop.payPackage(buyer, 35)
    assert.equal(await coins(), START)
    const claims = { email: buyer.email, coins: 1000, price: 35, date: 'whenever' }
    const first = await shop.confirm(buyer, id, claims)
    assert.equal(first.status, 200)
    assert.deepEqual([first.body.status, first.body.coin], ['credited', START + 1000])
    const again = await shop.confirm(buyer, id, claims)
    assert.deepEqual(again.body, first.body)

    const history = await shop.ask(buyer, 'GET', `/payment-history/${buyer.email}`)
    const [payment, ...others] = history.body as unknown as Record<string, unknown>[]
    assert.equal(others.length, 0)
    const { email, price, transactionId, status, card } = payment ?? {}
    assert.deepEqual(
      { email, price, transactionId, status, coins: payment?.coins, card },
      {
        email: buyer.email,
        price: 35,
        transactionId: id,
        status: 'Success',
        coins: 1000,
        card: { brand: 'visa', last4: '4242' },
      },
    )
    assert.deepEqual(await notificationsOf(database, buyer, 'coins_bought'), [
      'You bought 1,000 coins for $35.00.',
    ])
  },

  async 'the client dies after paying: the webhook credits'(context) {
    const { shop, buyer } = context
    const coins = coinsOf(context)
    const id = await shop.payPackage(buyer)
    assert.equal(await shop.send(id), 200)
    await shop.waitForEvents()
    assert.equal(await coins(), START + 150)
  },

  async 'the client dies and the webhook is lost: reconciliation credits'(context) {
    const { shop, buyer } = context
    const coins = coinsOf(context)
    await shop.payPackage(buyer)
    await reconcilePurchases(shop.context)
    assert.equal(await coins(), START, 'too early to ask')
    await shop.wait('11 minutes')
    await reconcilePurchases(shop.context)
    await reconcilePurchases(shop.context)
    assert.equal(await coins(), START + 150)
  },

  async 'the webhook arrives before the client: the client finds it credited'({ shop, buyer }) {
    const id = await shop.payPackage(buyer)
    await shop.send(id)
    await shop.waitForEvents()
    const { status, body } = await shop.confirm(buyer, id)
    assert.deepEqual([status, body.status, body.coin], [200, 'credited', START + 150])
  },

  async 'the same webhook ten times at once, with others about the same intent, credits once'(context) {
    const { shop, buyer } = context
    const coins = coinsOf(context)
    const id = await shop.payPackage(buyer)
    const same = Array.from({ length: 10 }, () => shop.send(id, { id: `evt_same${id.slice(3)}` }))
    const others = Array.from({ length: 10 }, () => shop.send(id))
    assert.deepEqual(new Set(await Promise.all([...same, ...others])), new Set([200]))
    await shop.waitForEvents()
    assert.equal(await coins(), START + 150)
  },

  async 'fifty confirmations at once, with webhooks between them, credit once'(context) {
    const { shop, buyer } = context
    const coins = coinsOf(context)
    const id = await shop.payPackage(buyer)
    // On a busy machine fifty responses of the provider take longer than a user's request may.
    const confirm = async () => {
      for (;;) {
        const response = await shop.confirm(buyer, id)
        if (response.code !== 'payments_unavailable') return response
      }
    }
    const responses = await Promise.all([
      ...Array.from({ length: 50 }, confirm),
      ...Array.from({ length: 5 }, async () => ({ status: await shop.send(id) })),
    ])
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
    await shop.waitForEvents()
    assert.equal(await coins(), START + 150)
  },

  async "another user's transaction is not found and credits no one"(context) {
    const { database, shop, buyer } = context
    const coins = coinsOf(context)
    const id = await shop.payPackage(buyer)
    const thief = await aBuyer(database)
    for (const claims of [{}, { email: buyer.email }, { email: thief.email }])
      assert.equal((await shop.confirm(thief, id, claims)).code, 'payment_not_found')
    assert.deepEqual([await coins(), await coins(thief)], [START, START])
  },

  async 'invalid transaction ids are not found'({ shop, buyer }) {
    for (const id of ['x', 'pi_unknown12345678', '../v1/charges', 'pi_%00', '💳'.repeat(20)])
      assert.equal((await shop.confirm(buyer, id)).status, 404)
  },

  async 'ten dollars claimed as a thousand coins are refused and change nothing'(context) {
    const { shop, buyer } = context
    const coins = coinsOf(context)
    const id = await shop.payPackage(buyer)
    for (const claims of [
      { coins: 1000 },
      { price: 35 },
      { coins: 1000, price: 35 },
      { coins: 150, price: 1 },
    ])
      assert.equal((await shop.confirm(buyer, id, claims)).code, 'payment_mismatch')
    assert.equal((await shop.confirm(buyer, id, { email: 'else@example.com' })).code, 'not_yours')
    assert.equal(await coins(), START)
    assert.equal((await shop.confirm(buyer, id, { coins: 150, price: 10 })).status, 200)
    assert.equal(await coins(), START + 150)
  },

  async 'a processing intent stays open'(context) {
    const { processor, shop, buyer } = context
    const coins = coinsOf(context)
    const { id, secret } = await shop.startIntent(buyer)
    await processor.pay(secret, GOOD)
    await processor.change(id, { status: 'processing' })
    const response = await shop.confirm(buyer, id)
    assert.deepEqual(
      [response.status, response.body.status, response.body.insertedId],
      [202, 'processing', null],
    )
    assert.equal((await shop.begin(buyer)).code, 'state_conflict')
    await processor.change(id, { status: 'succeeded' })
    await shop.wait('11 minutes')
    await reconcilePurchases(shop.context)
    assert.equal(await coins(), START + 150)
  },

  async 'an unpaid intent claimed as paid credits nothing'(context) {
    const { shop, buyer } = context
    const coins = coinsOf(context)
    const { id } = await shop.startIntent(buyer)
    assert.equal((await shop.confirm(buyer, id)).code, 'payment_not_succeeded')
    await shop.send(id)
    await shop.waitForEvents()
    assert.equal(await coins(), START)
  },

  async 'payments are visible to their owner and Admins only'({ database, shop, buyer }) {
    const admin = await anAdmin(database)
    const stranger = await aBuyer(database)
    const id = await shop.payPackage(buyer)
    await shop.confirm(buyer, id)
    assert.equal((await shop.ask(stranger, 'GET', `/payment-history/${buyer.email}`)).status, 403)
    assert.equal((await shop.ask(stranger, 'GET', `/payments/${id}`)).status, 404)
    assert.equal((await shop.ask(stranger, 'GET', '/payments')).status, 403)
    assert.equal((await shop.ask(null, 'GET', `/payments/${id}`)).status, 401)
    assert.equal((await shop.ask(buyer, 'GET', `/payments/${id}`)).body.name, buyer.name)
    assert.equal((await shop.ask(admin, 'GET', `/payments/${id}`)).body.email, buyer.email)
    const byName = await shop.ask(
      admin,
      'GET',
      `/payments?q=${encodeURIComponent(buyer.email)}&status=Success`,
    )
    assert.equal((byName.body as unknown as unknown[]).length, 1)
  },
}

const stranger = '00000000-0000-4000-8000-000000000000'
const TAMPERED = {
  amount: { amountCents: 100 },
  user: { metadata: { user_id: stranger } },
  package: { metadata: { coins: '1000' } },
  order: { metadata: { purchase_id: stranger } },
}
for (const [what, changes] of Object.entries(TAMPERED)) {
  CREDITS[`an intent whose ${what} does not match the order credits nothing and notifies the Admins once`] =
    async (context) => {
      const { database, processor, shop, buyer } = context
      const admin = await anAdmin(database)
      const id = await shop.payPackage(buyer)
      await processor.change(id, changes)
      assert.equal((await shop.confirm(buyer, id)).code, 'payment_mismatch')
      assert.equal((await shop.confirm(buyer, id)).code, 'payment_mismatch')
      await shop.send(id)
      await shop.waitForEvents()
      assert.equal(await coinsOf(context)(), START)
      assert.equal((await notificationsOf(database, admin, 'payment_refused')).length, 1)
    }
}
