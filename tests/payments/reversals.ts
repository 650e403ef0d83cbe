import assert from 'node:assert/strict'
import type { CardDispute } from '#contract/card-disputes.ts'
import type { Waiting } from '#contract/waiting.ts'
import { comparePayments } from '#server/payments/reconcile.ts'
import { anAdmin, aTask } from '#tests/support/factories.ts'
import { coinsOf, type Scenarios, START } from './scenario.ts'
import { debtOf, notificationsOf } from './shop.ts'

/** Scenarios of refunds and disputes that the provider reports, for every card processor. */
export const REVERSALS: Scenarios = {
  async 'refunds in parts take coins in proportion, each part once'(context) {
    const { processor, shop, buyer } = context
    const coins = coinsOf(context)
    const id = await shop.payPackage(buyer)
    await shop.confirm(buyer, id)
    await processor.refund(id, 333)
    await shop.send(id, { type: 'charge.refunded' })
    await shop.waitForEvents()
    assert.equal(await coins(), START + 150 - 49)
    await processor.refund(id, 1000)
    await shop.send(id, { type: 'charge.refunded' })
    await shop.send(id, { type: 'charge.refunded' })
    await shop.waitForEvents()
    assert.equal(await coins(), START)
  },

  async 'a won dispute returns the coins'(context) {
    const { database, processor, shop, buyer } = context
    const coins = coinsOf(context)
    const id = await shop.payPackage(buyer)
    await shop.confirm(buyer, id)
    await aTask(database, buyer, { reward: 12, slots: 10 })
    await processor.dispute(id)
    await shop.send(id, { type: 'charge.dispute.created' })
    await shop.waitForEvents()
    assert.deepEqual([await coins(), await debtOf(database, buyer)], [0, 70])
    await processor.winDispute(id)
    await shop.send(id, { type: 'charge.dispute.closed' })
    await shop.waitForEvents()
    assert.deepEqual([await coins(), await debtOf(database, buyer)], [80, 0])
  },

  async 'only a state of a dispute that is final in our favour gives the coins back'(context) {
    const { database, processor, shop, buyer } = context
    const coins = coinsOf(context)
    const admin = await anAdmin(database)
    const id = await shop.payPackage(buyer)
    await shop.confirm(buyer, id)
    await processor.dispute(id)
    const withheld = [
      'needs_response',
      'under_review',
      'lost',
      'appeal_needs_response',
      'appeal_under_review',
      'lost',
      'a_state_of_next_year',
      'warning_under_review',
      'constructor',
    ]
    for (const status of withheld) {
      await processor.setDispute(id, status)
      await shop.send(id, { type: 'charge.dispute.updated' })
      await shop.waitForEvents()
      assert.equal(await coins(), START, status)
    }
    for (const status of ['won', 'prevented', 'warning_closed']) {
      await processor.setDispute(id, status)
      await shop.send(id, { type: 'charge.dispute.closed' })
      await shop.waitForEvents()
      assert.equal(await coins(), START + 150, status)
      await processor.setDispute(id, 'needs_response')
      await shop.send(id, { type: 'charge.dispute.updated' })
      await shop.waitForEvents()
      assert.equal(await coins(), START, `${status}, and disputed again`)
    }
    const alerts = await notificationsOf(database, admin, 'dispute_unknown')
    assert.deepEqual(
      alerts.map((text) => /status "(\w+)"/.exec(text)?.[1]),
      ['a_state_of_next_year', 'constructor'],
    )
  },

  async 'an inquiry takes no coins, and the Admins are asked for evidence'(context) {
    const { database, processor, shop, buyer } = context
    const admin = await anAdmin(database)
    const read = async <Row>(path: string) => (await shop.ask(admin, 'GET', path)).body as unknown as Row[]
    const numberWaiting = async () =>
      (await read<Waiting>('/waiting')).find(({ kind }) => kind === 'disputes')?.count ?? 0
    const before = await numberWaiting()
    const coins = coinsOf(context)
    const id = await shop.payPackage(buyer)
    await shop.confirm(buyer, id)
    await processor.dispute(id)
    for (const status of ['warning_needs_response', 'warning_under_review', 'warning_closed']) {
      await processor.setDispute(id, status)
      await shop.send(id, { type: 'charge.dispute.updated' })
      await shop.waitForEvents()
      assert.equal(await coins(), START + 150, status)
      const needsResponse = status === 'warning_needs_response'
      assert.equal(await numberWaiting(), before + Number(needsResponse), status)
      const listed = await read<CardDispute>('/card-disputes')
      const firstClosed = listed.findIndex(({ isOpen, canRespond }) => !isOpen && !canRespond)
      const index = listed.findIndex(({ transactionId }) => transactionId === id)
      assert.equal(firstClosed === -1 || index < firstClosed, needsResponse, status)
    }
    assert.deepEqual(await notificationsOf(database, admin, 'payment_reversed'), [
      `The card's bank asks for evidence about $10.00 of ${buyer.name}'s card payment. Submit it before the deadline.`,
    ])
  },

  async 'refunds and disputes without webhooks are found by the comparison job'(context) {
    const { database, processor, shop, buyer } = context
    const coins = coinsOf(context)
    const id = await shop.payPackage(buyer)
    await shop.confirm(buyer, id)
    const aDayLater = async (days = 1) => {
      await database.pool.query(
        `update purchases set created_at = created_at - $2 * interval '1 day', checked_at = checked_at - $2 * interval '1 day'
          where intent_id = $1`,
        [id, days],
      )
      await comparePayments(shop.context)
      await comparePayments(shop.context)
    }
    await processor.refund(id, 400)
    await comparePayments(shop.context)
    assert.equal(await coins(), START + 150, 'asked about today already')
    await aDayLater()
    assert.equal(await coins(), START + 90)
    await processor.dispute(id)
    await aDayLater()
    assert.equal(await coins(), START)
    await processor.winDispute(id)
    await aDayLater()
    assert.equal(await coins(), START + 90)
    assert.equal((await notificationsOf(database, buyer, 'payment_reversed')).length, 3)
    await processor.dispute(id)
    await aDayLater(180)
    assert.equal(await coins(), START + 90, 'nobody asks about a payment for ever')
  },
}

for (const what of ['refund', 'dispute'] as const) {
  const type = what === 'refund' ? 'charge.refunded' : 'charge.dispute.created'

  REVERSALS[`a ${what} before the coins were spent takes them back`] = async (context) => {
    const { database, processor, shop, buyer } = context
    const coins = coinsOf(context)
    const admin = await anAdmin(database)
    const id = await shop.payPackage(buyer)
    await shop.confirm(buyer, id)
    await processor[what](id)
    await Promise.all([shop.send(id, { type }), shop.send(id, { type }), shop.send(id, { type })])
    await shop.waitForEvents()
    assert.deepEqual([await coins(), await debtOf(database, buyer)], [START, 0])
    assert.equal((await notificationsOf(database, admin, 'payment_reversed')).length, 1)
    const [row] = (await shop.ask(buyer, 'GET', `/payment-history/${buyer.email}`)).body as unknown as [
      Record<string, unknown>,
    ]
    assert.equal(row.status, what === 'refund' ? 'Refunded' : 'Disputed')
  }

  REVERSALS[`a ${what} after the coins were spent takes the balance and the rest becomes debt`] = async (
    context,
  ) => {
    const { database, processor, shop, buyer } = context
    const coins = coinsOf(context)
    const admin = await anAdmin(database)
    const id = await shop.payPackage(buyer)
    await shop.confirm(buyer, id)
    await aTask(database, buyer, { reward: 12, slots: 10 })
    assert.equal(await coins(), 80)
    await processor[what](id)
    await shop.send(id, { type })
    await shop.waitForEvents()
    assert.deepEqual([await coins(), await debtOf(database, buyer)], [0, 70])
    assert.match(
      (await notificationsOf(database, admin, 'payment_reversed'))[0] ?? '',
      / 80 coins were deducted. Another 70 coins had already been spent/,
    )
    const record = async () => (await shop.ask(buyer, 'GET', `/user-details/${buyer.email}`)).body
    assert.equal((await record()).debt, 70)
    const next = await shop.payPackage(buyer)
    for (const attempt of [1, 2]) {
      const { coin, repaid, debt } = (await shop.confirm(buyer, next)).body
      assert.deepEqual([coin, repaid, debt], [80, 70, 0], `confirmation ${attempt}`)
    }
    assert.deepEqual([await coins(), await debtOf(database, buyer)], [80, 0])
    assert.equal((await record()).debt, 0)
  }
}

REVERSALS['who owes coins, paid and was cut off learns what was repaid on choosing the package again'] =
  async ({ database, processor, shop, buyer }) => {
    const id = await shop.payPackage(buyer)
    await shop.confirm(buyer, id)
    await aTask(database, buyer, { reward: 20, slots: 10 })
    await processor.refund(id)
    await shop.send(id, { type: 'charge.refunded' })
    await shop.waitForEvents()
    await shop.payPackage(buyer)
    const again = await shop.begin(buyer)
    assert.match(
      JSON.stringify(again.body),
      /you bought 150 coins, of which 150 coins repaid what you owed\. Your balance is 0 coins\. You were charged once/,
    )
  }
