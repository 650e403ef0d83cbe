import assert from 'node:assert/strict'
import type { Database } from '#server/database/database.ts'
import { processEvents } from '#server/payments/card-events.ts'
import { reconcilePurchases } from '#server/payments/reconcile.ts'
import { aBuyer, balanceOf, type TestUser } from '#tests/support/factories.ts'
import type { Processor } from './processor.ts'
import { debtOf, type Shop } from './shop.ts'

type Context = { database: Database; processor: Processor; shop: Shop; buyer: TestUser }

/** Drills of an outage, for every card processor. The books are audited afterwards. */
export const DRILLS: Record<string, (context: Context) => Promise<void>> = {
  async 'drill: the provider is down for an hour in the middle of purchases, and each is credited once'(
    context,
  ) {
    const { database, shop, processor, buyer } = context
    const [returned, closed, refunded] = [buyer, await aBuyer(database), await aBuyer(database)]
    const paid = await shop.payPackage(returned)
    const lost = await shop.payPackage(closed)
    const reversed = await shop.payPackage(refunded)
    await shop.confirm(refunded, reversed)
    await processor.refund(reversed)
    processor.outage(true)
    try {
      assert.equal((await shop.confirm(returned, paid)).code, 'payments_unavailable')
      assert.equal((await shop.begin(await aBuyer(database))).code, 'payments_unavailable')
      await shop.send(lost)
      await shop.send(reversed, { type: 'charge.refunded' })
      for (let minutes = 0; minutes < 60; minutes += 20) {
        await shop.wait('20 minutes')
        await reconcilePurchases(shop.context)
        await processEvents(shop.context)
      }
      assert.deepEqual([await balanceOf(database, returned), await balanceOf(database, refunded)], [50, 200])
    } finally {
      processor.outage(false)
    }
    await shop.wait('1 hour')
    await Promise.all([processEvents(shop.context), reconcilePurchases(shop.context)])
    await shop.waitForEvents()
    assert.equal((await shop.confirm(returned, paid)).status, 200)
    for (const [user, coins] of [
      [returned, 200],
      [closed, 200],
      [refunded, 50],
    ] as const)
      assert.deepEqual([await balanceOf(database, user), await debtOf(database, user)], [coins, 0])
  },
}
