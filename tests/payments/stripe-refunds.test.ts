import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findUnmatchedPayments } from '#server/payments/find-unmatched.ts'
import { purchaseByIntent } from '#server/payments/queries.ts'
import { comparePayments } from '#server/payments/reconcile.ts'
import { finishOpenRefunds } from '#server/payments/refunds.ts'
import { settle } from '#server/payments/settle.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, anAdmin, balanceOf, type TestUser } from '#tests/support/factories.ts'
import { changeSettings } from '#tests/support/settings.ts'
import { notificationsOf } from './shop.ts'
import { useStripeShop } from './stripe-shop.ts'

describe('refunds of the Stripe adapter', () => {
  const stripe = useStripeShop()

  /** A payment without a purchase, its row in the list of Admins, and two who decide about it. */
  async function anUnmatchedPayment() {
    const { database, shop } = stripe
    const [admin, second] = [await anAdmin(database), await anAdmin(database)]
    const id = await shop.payPackage(await aBuyer(database))
    await database.pool.query('delete from purchases where intent_id = $1', [id])
    await findUnmatchedPayments(shop.context)
    const listed = async () => {
      const { body } = await shop.ask(admin, 'GET', '/unmatched-payments')
      const rows = body as unknown as { _id: string; transactionId: string; status: string }[]
      return rows.find(({ transactionId }) => transactionId === id)
    }
    const decide = async (user: TestUser, decision: string) =>
      shop.ask(user, 'PATCH', `/unmatched-payments/${(await listed())?._id}`, { decision, reason: 'Unknown' })
    return { id, admin, second, listed, decide }
  }

  test('a refund that Stripe made in spite of an error is found, also after the last attempt', async () => {
    const admin = await anAdmin(stripe.database)
    for (const [last, expected] of [
      ['lost', { state: 'refunded', attempts: 5 }],
      ['failed', { state: 'failed', attempts: 5 }],
    ] as const) {
      const buyer = await aBuyer(stripe.database)
      const intent = await stripe.shop.payPackage(buyer)
      await stripe.shop.confirm(buyer, intent)
      stripe.fake.refunding = 'failed'
      const path = `/payments/${intent}/refunds`
      const { body } = await stripe.shop.ask(admin, 'POST', path, { reason: 'Bought twice' })
      for (let attempt = 2; attempt < 5; attempt++) await finishOpenRefunds(stripe.shop.context)
      stripe.fake.refunding = last
      await finishOpenRefunds(stripe.shop.context)
      stripe.fake.refunding = 'fine'
      await finishOpenRefunds(stripe.shop.context)
      const { rows } = await stripe.database.pool.query(
        'select state, attempts from payment_refunds where id = $1',
        [body._id],
      )
      assert.deepEqual(rows, [expected])
      assert.equal(stripe.fake.intents.get(intent)?.refunds.length, last === 'lost' ? 1 : 0)
      assert.equal(await balanceOf(stripe.database, buyer), last === 'lost' ? 50 : 200)
    }
  })

  test('a refund of a payment that Stripe does not know is reported, and has failed after five attempts', async () => {
    const [admin, buyer] = [await anAdmin(stripe.database), await aBuyer(stripe.database)]
    const intent = await stripe.shop.payPackage(buyer)
    await stripe.shop.confirm(buyer, intent)
    const operations: string[] = []
    stripe.shop.context.cards.failures.on('failure', ({ operation, status }) => {
      if (status === 404) operations.push(operation)
    })
    stripe.fake.intents.delete(intent)
    const { code } = await stripe.shop.ask(admin, 'POST', `/payments/${intent}/refunds`, {
      reason: 'Bought twice',
    })
    assert.equal(code, 'payment_not_found')
    for (let attempt = 2; attempt < 5; attempt++)
      await assert.rejects(finishOpenRefunds(stripe.shop.context), AggregateError)
    await finishOpenRefunds(stripe.shop.context)
    assert.deepEqual(operations, Array(5).fill('refunds'))
    assert.equal((await notificationsOf(stripe.database, admin, 'refund_failed')).length, 1)
  })

  test('a refund that fails afterwards without a webhook is found by the comparison job', async () => {
    const [admin, buyer] = [await anAdmin(stripe.database), await aBuyer(stripe.database)]
    const intent = await stripe.shop.payPackage(buyer)
    await stripe.shop.confirm(buyer, intent)
    await stripe.shop.ask(admin, 'POST', `/payments/${intent}/refunds`, { reason: 'Bought twice' })
    assert.equal(await balanceOf(stripe.database, buyer), 50)
    const stored = stripe.fake.intents.get(intent)
    for (const refund of stored?.refunds ?? []) refund.status = 'failed'
    if (stored) stored.refunded = 0
    const aDay = `interval '1 day'`
    await stripe.database.pool.query(
      `update purchases set created_at = created_at - ${aDay}, checked_at = checked_at - ${aDay} where intent_id = $1`,
      [intent],
    )
    await comparePayments(stripe.shop.context)
    assert.equal(await balanceOf(stripe.database, buyer), 200)
    assert.equal((await notificationsOf(stripe.database, admin, 'refund_failed')).length, 1)
    await stripe.database.pool.query(`update payment_refunds set finished_at = finished_at - ${aDay}`)
    const { rows } = await stripe.database.pool.query('select wrong::int from audit_refunds()')
    assert.deepEqual(rows, [{ wrong: 0 }])
  })

  test('a refund that Stripe rejects does not delay that of another payment', async () => {
    const admin = await anAdmin(stripe.database)
    const intents = [
      await stripe.shop.payPackage(await aBuyer(stripe.database)),
      await stripe.shop.payPackage(await aBuyer(stripe.database)),
    ]
    await stripe.database.pool.query('delete from purchases where intent_id = any ($1)', [intents])
    await findUnmatchedPayments(stripe.shop.context)
    const { body } = await stripe.shop.ask(admin, 'GET', '/unmatched-payments')
    const listed = (body as unknown as { _id: string; transactionId: string }[]).filter(({ transactionId }) =>
      intents.includes(transactionId),
    )
    stripe.fake.fault = 'error'
    for (const { _id } of listed)
      await stripe.shop.ask(admin, 'PATCH', `/unmatched-payments/${_id}`, {
        decision: 'refund',
        reason: 'Unknown',
      })
    stripe.fake.fault = 'fine'
    const [first = '', second = ''] = listed.map(({ transactionId }) => transactionId)
    await stripe.processor.dispute(first)
    await assert.rejects(findUnmatchedPayments(stripe.shop.context), AggregateError)
    assert.equal(stripe.fake.intents.get(second)?.refunds.length, 1)
    await stripe.processor.winDispute(first)
    await findUnmatchedPayments(stripe.shop.context)
    assert.equal(stripe.fake.intents.get(first)?.refunds.length, 1)
  })

  test('an unmatched payment whose refund Stripe rejects five times waits for a decision again', async () => {
    const { database, shop, fake } = stripe
    const { id, admin, second, listed, decide } = await anUnmatchedPayment()
    const rejectFiveTimes = async (last: 'failed' | 'lost') => {
      await changeSettings(database, 'refund_rules', { twoPersonAboveCents: 0 })
      await decide(admin, 'refund')
      await changeSettings(database, 'refund_rules', { twoPersonAboveCents: null })
      fake.refunding = 'failed'
      await decide(second, 'approve')
      for (let attempt = 2; attempt < 5; attempt++) {
        await assert.rejects(findUnmatchedPayments(shop.context), AggregateError)
        assert.equal((await listed())?.status, 'refunding')
      }
      fake.refunding = last
      await findUnmatchedPayments(shop.context)
      fake.refunding = 'fine'
    }
    await rejectFiveTimes('failed')
    assert.equal((await listed())?.status, 'open')
    assert.equal((await notificationsOf(database, admin, 'unmatched_refund_failed')).length, 1)
    const { rows } = await database.pool.query('select sum(wrong)::int as wrong from audit_unmatched()')
    assert.deepEqual(rows, [{ wrong: 0 }])
    await rejectFiveTimes('lost')
    assert.equal((await listed())?.status, 'refunded', 'made in spite of the last rejection')
    assert.equal((await notificationsOf(database, admin, 'unmatched_refund_failed')).length, 1)
    assert.equal(fake.intents.get(id)?.refunds.length, 1)
  })

  test('an unmatched payment whose refund fails afterwards waits for a decision again', async () => {
    const { database, shop, fake } = stripe
    const { id, admin, second, listed, decide } = await anUnmatchedPayment()
    await changeSettings(database, 'refund_rules', { twoPersonAboveCents: 0 })
    await decide(admin, 'refund')
    await decide(second, 'approve')
    assert.equal((await listed())?.status, 'refunded')
    const stored = fake.intents.get(id)
    for (const refund of stored?.refunds ?? []) refund.status = 'failed'
    if (stored) stored.refunded = 0
    for (let count = 0; count < 2; count++) await shop.send(id, { type: 'refund.failed' })
    await shop.waitForEvents()
    assert.equal((await listed())?.status, 'open')
    assert.equal((await notificationsOf(database, admin, 'unmatched_refund_failed')).length, 1)
    assert.equal((await decide(second, 'approve')).code, 'already_decided', 'needs both Admins again')
    assert.equal((await decide(second, 'refund')).body.status, 'waiting')
    fake.refunding = 'failed'
    await decide(admin, 'approve')
    for (let rejection = 2; rejection < 5; rejection++)
      await assert.rejects(findUnmatchedPayments(shop.context), AggregateError)
    fake.refunding = 'fine'
    assert.equal((await listed())?.status, 'refunding', 'the fifth rejection of this decision ends it')
    await findUnmatchedPayments(shop.context)
    assert.equal((await listed())?.status, 'refunded')
    await changeSettings(database, 'refund_rules', { twoPersonAboveCents: null })
  })

  test('a refund of a payment that Stripe no longer has does not delay that of another', async () => {
    const admin = await anAdmin(stripe.database)
    const intents: string[] = []
    stripe.fake.refunding = 'failed'
    for (let count = 0; count < 2; count++) {
      const buyer = await aBuyer(stripe.database)
      const intent = await stripe.shop.payPackage(buyer)
      await stripe.shop.confirm(buyer, intent)
      await stripe.shop.ask(admin, 'POST', `/payments/${intent}/refunds`, { reason: 'Bought twice' })
      intents.push(intent)
    }
    stripe.fake.refunding = 'fine'
    const [first = '', second = ''] = intents
    const missing = stripe.fake.intents.get(first)
    stripe.fake.intents.delete(first)
    await assert.rejects(finishOpenRefunds(stripe.shop.context), AggregateError)
    assert.equal(stripe.fake.intents.get(second)?.refunds.length, 1)
    if (missing) stripe.fake.intents.set(first, missing)
    await finishOpenRefunds(stripe.shop.context)
    assert.equal(missing?.refunds.length, 1)
  })

  test('an old response after a booked refund does not return the coins', async () => {
    const buyer = await aBuyer(stripe.database)
    const id = await stripe.shop.payPackage(buyer)
    await stripe.shop.confirm(buyer, id)
    const [purchase] = await purchaseByIntent(stripe.database, id)
    assert.ok(purchase)

    let release = () => {}
    stripe.fake.pause = new Promise((resolve) => {
      release = resolve
    })
    const asked = stripe.fake.requests.length
    const slow = settle(stripe.shop.context, purchase)
    await eventually(() => stripe.fake.requests.length > asked)
    stripe.fake.pause = undefined
    await stripe.processor.refund(id)
    await settle(stripe.shop.context, purchase)
    assert.equal(await balanceOf(stripe.database, buyer), 50)
    release()
    await slow
    assert.equal(await balanceOf(stripe.database, buyer), 50)
  })
})
