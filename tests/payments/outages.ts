import assert from 'node:assert/strict'
import { processEvents } from '#server/payments/card-events.ts'
import { reconcilePurchases } from '#server/payments/reconcile.ts'
import { eventually } from '#tests/support/eventually.ts'
import { coinsOf, type Scenarios, START } from './scenario.ts'
import { purchasesOf } from './shop.ts'

/** Scenarios of a provider that is down, for every card processor. */
export const OUTAGES: Scenarios = {
  async 'the provider is down when a package is chosen: 503, and a retry works, once'({
    database,
    processor,
    shop,
    buyer,
  }) {
    const made = await processor.countIntents()
    processor.outage(true)
    const response = await shop.begin(buyer).finally(() => processor.outage(false))
    assert.deepEqual([response.status, response.code], [503, 'payments_unavailable'])
    await shop.startIntent(buyer)
    assert.equal((await processor.countIntents()) - made, 1)
    assert.deepEqual(await purchasesOf(database, buyer), ['open'])
  },

  async 'the provider is down when the client returns: 503, no credit, and it recovers'(context) {
    const { processor, shop, buyer } = context
    const coins = coinsOf(context)
    const id = await shop.payPackage(buyer)
    processor.outage(true)
    const response = await shop.confirm(buyer, id).finally(() => processor.outage(false))
    assert.deepEqual([response.status, response.code], [503, 'payments_unavailable'])
    assert.equal(await coins(), START)
    await shop.wait('11 minutes')
    await reconcilePurchases(shop.context)
    assert.equal(await coins(), START + 150)
  },

  async 'the provider is down when its event is processed: the event is kept and retried'(context) {
    const { database, processor, shop, buyer } = context
    const coins = coinsOf(context)
    const id = await shop.payPackage(buyer)
    processor.outage(true)
    assert.equal(await shop.send(id), 200)
    const tried = 'select from card_events where processed_at is null and outcome <> $1'
    await eventually(async () => (await database.pool.query(tried, [''])).rowCount === 1)
    processor.outage(false)
    assert.equal(await coins(), START)
    await shop.wait('1 hour')
    await processEvents(shop.context)
    await shop.waitForEvents()
    assert.equal(await coins(), START + 150)
  },
}
