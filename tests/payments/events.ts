import assert from 'node:assert/strict'
import { processEvents } from '#server/payments/card-events.ts'
import { reconcilePurchases } from '#server/payments/reconcile.ts'
import { coinsOf, type Scenarios, START } from './scenario.ts'
import { debtOf } from './shop.ts'

/** Scenarios of the provider's events, for every card processor. */
export const EVENTS: Scenarios = {
  async 'webhooks out of order, or late, leave the provider’s state'(context) {
    const { database, processor, shop, buyer } = context
    const coins = coinsOf(context)
    const id = await shop.payPackage(buyer)
    await processor.refund(id)
    await shop.send(id, { type: 'charge.refunded' })
    await shop.waitForEvents()
    await shop.send(id, { type: 'payment_intent.succeeded' })
    await shop.send(id, { type: 'payment_intent.created' })
    await shop.waitForEvents()
    assert.equal(await coins(), START)
    assert.equal(await debtOf(database, buyer), 0)
  },

  async 'forged, altered, stale and malformed events are rejected and not stored'(context) {
    const { database, shop, buyer } = context
    const coins = coinsOf(context)
    const id = await shop.payPackage(buyer)
    const kept = async () => (await database.pool.query('select from card_events')).rows.length
    const before = await kept()
    assert.equal(await shop.send(id, { secret: 'whsec_of_somebody_else' }), 400)
    assert.equal(await shop.send(id, { secondsAgo: 301 }), 400)
    assert.equal(await shop.send(id, { payload: 'not json' }), 400)
    assert.equal(await shop.send(id, { payload: '{}' }), 400)
    const bare = await shop.app.inject({
      method: 'POST',
      url: '/api/webhooks/card',
      payload: { id: 'evt_1' },
    })
    assert.equal(bare.statusCode, 400)
    const empty = await shop.app.inject({ method: 'POST', url: '/api/webhooks/card' })
    assert.equal(empty.statusCode, 400)
    assert.equal(await kept(), before)
    assert.equal(await coins(), START)
  },

  async 'an event about an unknown intent is acknowledged and ignored'({ shop }) {
    assert.equal(await shop.send('pi_ofAnotherShop123456'), 200)
    assert.equal(await shop.send('', { type: 'customer.created' }), 200)
    await shop.waitForEvents()
  },

  async 'after a clock that was a week ahead goes back, purchases and messages are not left lying'(context) {
    const { database, shop, buyer } = context
    const coins = coinsOf(context)
    await shop.payPackage(buyer)
    await database.pool.query(
      `update purchases set checked_at = clock_time() + interval '7 days' where user_id = $1`,
      [buyer.id],
    )
    await reconcilePurchases(shop.context)
    assert.equal(await coins(), START + 150)
    const notified = await shop.payPackage(buyer, 1)
    await database.pool.query(
      `insert into card_events (id, type, intent_id, next_try_at)
     values ($1, 'payment_intent.succeeded', $1, clock_time() + interval '7 days')`,
      [notified],
    )
    await processEvents(shop.context)
    assert.equal(await coins(), START + 160)
  },
}
