import assert from 'node:assert/strict'
import type { CardDispute, Evidence } from '#contract/card-disputes.ts'
import { deleteUser } from '#server/users/delete.ts'
import { aBuyer, anAdmin, balanceOf } from '#tests/support/factories.ts'
import { coinsOf, type Scenarios } from './scenario.ts'
import { debtOf, notificationsOf, purchasesOf } from './shop.ts'

/** Scenarios of payments of deleted buyers, for every card processor. */
export const DELETED_BUYERS: Scenarios = {
  async 'a payment of a deleted user credits no coins; it is stored and the Admins are notified'(context) {
    const { database, processor, shop, buyer } = context
    const coins = coinsOf(context)
    const admin = await anAdmin(database)
    const id = await shop.payPackage(buyer)
    await deleteUser(database, buyer.id, admin.id)
    await shop.send(id)
    await shop.waitForEvents()
    assert.equal(await coins(), 0)
    assert.match(
      (await notificationsOf(database, admin, 'payment_unclaimed'))[0] ?? '',
      /No coins were credited/,
    )
    const found = await shop.ask(admin, 'GET', `/payments?q=${id}`)
    const [row] = found.body as unknown as [Record<string, unknown>]
    assert.deepEqual([row.unclaimed, row.coins, row.price], [true, 0, 10])
    await processor.refund(id)
    await shop.send(id, { type: 'charge.refunded' })
    await shop.waitForEvents()
    assert.deepEqual([await coins(), await debtOf(database, buyer)], [0, 0])
  },

  async 'the evidence for a payment of a deleted user does not claim that coins were credited'({
    database,
    processor,
    shop,
    buyer,
  }) {
    const admin = await anAdmin(database)
    const id = await shop.payPackage(buyer)
    await deleteUser(database, buyer.id, admin.id)
    await shop.send(id)
    await processor.dispute(id)
    await shop.send(id, { type: 'charge.dispute.created' })
    await shop.waitForEvents()
    const disputes = (await shop.ask(admin, 'GET', '/card-disputes')).body as unknown as CardDispute[]
    const dispute = disputes.find(({ transactionId }) => transactionId === id)
    const { body } = await shop.ask(admin, 'GET', `/card-disputes/${dispute?._id}`)
    const { evidence } = body as unknown as { evidence: Evidence }
    assert.match(
      evidence.explanation,
      /^The buyer paid on .* No coins were credited, because the account was deleted/,
    )
    assert.doesNotMatch(evidence.productDescription, /\d|were credited/)
  },

  async 'deleted and credited in the same moment: one is first, and no coin stays with nobody'({
    database,
    shop,
  }) {
    const admin = await anAdmin(database)
    for (let round = 0; round < 6; round++) {
      const buyer = await aBuyer(database)
      const id = await shop.payPackage(buyer)
      await Promise.all([
        deleteUser(database, buyer.id, admin.id),
        shop.send(id),
        shop.confirm(buyer, id),
        shop.confirm(buyer, id),
      ])
      await shop.waitForEvents()
      assert.equal(await balanceOf(database, buyer), 0)
      assert.deepEqual(await purchasesOf(database, buyer), ['credited'])
    }
  },
}
