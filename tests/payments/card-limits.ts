import assert from 'node:assert/strict'
import type { Database } from '#server/database/database.ts'
import type { TestUser } from '#tests/support/factories.ts'
import { changeSettings } from '#tests/support/settings.ts'
import type { Processor } from './processor.ts'
import type { Shop } from './shop.ts'

type Context = { database: Database; processor: Processor; shop: Shop; buyer: TestUser }

/** Scenarios of the limits of cards and buyers, for every card processor (docs/specification/payments.md#card-limits). */
export const CARD_LIMITS: Record<string, (context: Context) => Promise<void>> = {
  async 'a buyer above the number or the amount of purchases in 24 hours is refused'({
    database,
    shop,
    buyer,
  }) {
    await shop.confirm(buyer, await shop.payWell(buyer))
    try {
      await changeSettings(database, 'card_limits', { purchasesPerBuyer: 1 })
      assert.equal((await shop.begin(buyer)).code, 'state_conflict')
      await changeSettings(database, 'card_limits', { purchasesPerBuyer: null, centsPerBuyer: 1900 })
      assert.equal((await shop.begin(buyer)).code, 'state_conflict')
      assert.equal((await shop.begin(buyer, 1)).status, 200)
    } finally {
      await changeSettings(database, 'card_limits', { purchasesPerBuyer: null, centsPerBuyer: null })
    }
  },

  async 'a buyer with many declined cards is refused'({ database, shop, buyer, processor }) {
    const { id, secret } = await shop.beginWell(buyer)
    await processor.pay(secret, '4000000000000002')
    await shop.send(id, { id: `evt_declined${id}`, type: 'payment_intent.payment_failed' })
    await shop.send(id, { id: `evt_declined${id}`, type: 'payment_intent.payment_failed' })
    await shop.settled()
    try {
      await changeSettings(database, 'card_limits', { declinesPerBuyer: 2 })
      assert.equal((await shop.begin(buyer)).status, 200)
      await changeSettings(database, 'card_limits', { declinesPerBuyer: 1 })
      assert.equal((await shop.begin(buyer)).code, 'state_conflict')
    } finally {
      await changeSettings(database, 'card_limits', { declinesPerBuyer: null })
    }
  },
}
