import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findUnmatchedPayments } from '#server/payments/find-unmatched.ts'
import { purchaseByIntent } from '#server/payments/queries.ts'
import { finishOpenRefunds } from '#server/payments/refunds.ts'
import { settle } from '#server/payments/settle.ts'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, anAdmin, balanceOf } from '#tests/support/factories.ts'
import type { FakeStripe } from './fake-stripe/server.ts'
import { aStripe } from './processors.ts'
import { aShop, type Shop } from './shop.ts'

describe('refunds of the Stripe adapter', () => {
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

  test('a refund that Stripe made in spite of an error is found, also after the last attempt', async () => {
    const admin = await anAdmin(db.database)
    for (const [last, expected] of [
      ['lost', { state: 'refunded', attempts: 5 }],
      ['failed', { state: 'failed', attempts: 5 }],
    ] as const) {
      const buyer = await aBuyer(db.database)
      const intent = await shop.payPackage(buyer)
      await shop.confirm(buyer, intent)
      fake.refunding = 'failed'
      const path = `/payments/${intent}/refunds`
      const { body } = await shop.ask(admin, 'POST', path, { reason: 'Bought twice' })
      for (let attempt = 2; attempt < 5; attempt++) await finishOpenRefunds(shop.context)
      fake.refunding = last
      await finishOpenRefunds(shop.context)
      fake.refunding = 'fine'
      await finishOpenRefunds(shop.context)
      const { rows } = await db.database.pool.query(
        'select state, attempts from payment_refunds where id = $1',
        [body._id],
      )
      assert.deepEqual(rows, [expected])
      assert.equal(fake.intents.get(intent)?.refunds.length, last === 'lost' ? 1 : 0)
      assert.equal(await balanceOf(db.database, buyer), last === 'lost' ? 50 : 200)
    }
  })

  test('a refund that Stripe rejects does not delay that of another payment', async () => {
    const admin = await anAdmin(db.database)
    const intents = [
      await shop.payPackage(await aBuyer(db.database)),
      await shop.payPackage(await aBuyer(db.database)),
    ]
    await db.database.pool.query('delete from purchases where intent_id = any ($1)', [intents])
    await findUnmatchedPayments(shop.context)
    const { body } = await shop.ask(admin, 'GET', '/unmatched-payments')
    const listed = (body as unknown as { _id: string; transactionId: string }[]).filter(({ transactionId }) =>
      intents.includes(transactionId),
    )
    fake.fault = 'error'
    for (const { _id } of listed)
      await shop.ask(admin, 'PATCH', `/unmatched-payments/${_id}`, { decision: 'refund', reason: 'Unknown' })
    fake.fault = 'fine'
    const [first = '', second = ''] = listed.map(({ transactionId }) => transactionId)
    await processor.dispute(first)
    await assert.rejects(findUnmatchedPayments(shop.context), AggregateError)
    assert.equal(fake.intents.get(second)?.refunds.length, 1)
    await processor.winDispute(first)
    await findUnmatchedPayments(shop.context)
    assert.equal(fake.intents.get(first)?.refunds.length, 1)
  })

  test('a refund of a payment that Stripe no longer has does not delay that of another', async () => {
    const admin = await anAdmin(db.database)
    const intents: string[] = []
    fake.refunding = 'failed'
    for (let count = 0; count < 2; count++) {
      const buyer = await aBuyer(db.database)
      const intent = await shop.payPackage(buyer)
      await shop.confirm(buyer, intent)
      await shop.ask(admin, 'POST', `/payments/${intent}/refunds`, { reason: 'Bought twice' })
      intents.push(intent)
    }
    fake.refunding = 'fine'
    const [first = '', second = ''] = intents
    const missing = fake.intents.get(first)
    fake.intents.delete(first)
    await assert.rejects(finishOpenRefunds(shop.context), AggregateError)
    assert.equal(fake.intents.get(second)?.refunds.length, 1)
    if (missing) fake.intents.set(first, missing)
    await finishOpenRefunds(shop.context)
    assert.equal(missing?.refunds.length, 1)
  })

  test('an old response after a booked refund does not return the coins', async () => {
    const buyer = await aBuyer(db.database)
    const id = await shop.payPackage(buyer)
    await shop.confirm(buyer, id)
    const [purchase] = await purchaseByIntent(db.database, id)
    assert.ok(purchase)

    let release = () => {}
    fake.pause = new Promise((resolve) => {
      release = resolve
    })
    const asked = fake.requests.length
    const slow = settle(shop.context, purchase)
    await eventually(() => fake.requests.length > asked)
    fake.pause = undefined
    await processor.refund(id)
    await settle(shop.context, purchase)
    assert.equal(await balanceOf(db.database, buyer), 50)
    release()
    await slow
    assert.equal(await balanceOf(db.database, buyer), 50)
  })
})
