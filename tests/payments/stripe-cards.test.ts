import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Freeze } from '#contract/freezes.ts'
import { findUnmatchedPayments } from '#server/payments/find-unmatched.ts'
import { purchaseByIntent } from '#server/payments/queries.ts'
import { settlePurchase } from '#server/payments/settle.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { eventually } from '#tests/support/eventually.ts'
import {
  aBuyer,
  anAdmin,
  aSubmission,
  aTask,
  aWorker,
  balanceOf,
  type TestUser,
} from '#tests/support/factories.ts'
import { lockWaits } from '#tests/support/lock-waits.ts'
import { changeSettings } from '#tests/support/settings.ts'
import { notificationsOf } from './shop.ts'
import { useStripeShop } from './stripe-shop.ts'

/** What Stripe says about a card besides its payment: its fingerprint and fraud warnings. */
describe('cards of the Stripe adapter', () => {
  const stripe = useStripeShop()

  test('an early fraud warning notifies the Admins once and flags withdrawals, as does a shared card', async () => {
    const admin = await anAdmin(stripe.database)
    const [buyer, other, worker] = [
      await aBuyer(stripe.database),
      await aBuyer(stripe.database),
      await aWorker(stripe.database),
    ]
    const flags = async () => {
      const { body } = await stripe.shop.ask(admin, 'GET', '/withdraw')
      const [request] = body as unknown as [{ origin: { flags: string[] } }]
      return ['fraud_warning', 'shared_card'].filter((flag) => request.origin.flags.includes(flag))
    }
    const buy = async (user: TestUser, number: string) => {
      const { secret, id } = await stripe.shop.startIntent(user, 20)
      await stripe.processor.pay(secret, number)
      await stripe.shop.confirm(user, id)
      return id
    }
    const id = await buy(buyer, '4000056655665556')
    const task = await aTask(stripe.database, buyer, { slots: 1, reward: 250 })
    await approveSubmission(stripe.database, await aSubmission(stripe.database, task, worker), buyer.id)
    const request = { withdrawalCoin: 200, payment_system: 'Other', accountNumber: 'Cash at the office' }
    await stripe.shop.ask(worker, 'POST', `/withdraw/${worker.email}`, request)
    assert.deepEqual(await flags(), [])
    for (let count = 0; count < 2; count++)
      await stripe.shop.send(id, { type: 'radar.early_fraud_warning.created' })
    await stripe.shop.waitForEvents()
    assert.equal((await notificationsOf(stripe.database, admin, 'fraud_warning')).length, 1)
    assert.deepEqual(await flags(), ['fraud_warning'])
    await buy(other, '4000056655665556')
    assert.deepEqual(await flags(), ['fraud_warning', 'shared_card'])
  })

  test('a card that pays for more buyers than allowed freezes the last of them', async () => {
    await changeSettings(stripe.database, 'card_limits', { buyersPerCard: 1 })
    const isFrozen = async (user: TestUser) => {
      const sql = 'select is_frozen($1) as frozen'
      return (await stripe.database.pool.query<{ frozen: boolean }>(sql, [user.id])).rows[0]?.frozen
    }
    const buyers = [await aBuyer(stripe.database), await aBuyer(stripe.database)] as const
    for (const buyer of buyers) {
      const { secret, id } = await stripe.shop.startIntent(buyer)
      await stripe.processor.pay(secret, '4000056655665572')
      await stripe.shop.confirm(buyer, id)
    }
    assert.deepEqual([await isFrozen(buyers[0]), await isFrozen(buyers[1])], [false, true])
    const refused = await stripe.shop.begin(buyers[0])
    assert.equal(refused.code, 'state_conflict')
    assert.doesNotMatch(JSON.stringify(refused.body), /tomorrow/)
    assert.equal(await balanceOf(stripe.database, buyers[1]), 200, 'the coins that were paid are credited')
    await changeSettings(stripe.database, 'card_limits', { buyersPerCard: null })
  })

  test('a freeze says which limit of the card was exceeded', async () => {
    for (const [limit, value, number, reason] of [
      [
        'purchasesPerCard',
        1,
        '6011111111111117',
        'Your card was used more often than is allowed in 24 hours.',
      ],
      ['centsPerCard', 1500, '3056930009020004', 'More was paid with your card than is allowed in 24 hours.'],
      ['buyersPerCard', 1, '3566002020360505', 'Your card was used by more accounts than are allowed.'],
    ] as const) {
      const [first, second] = [await aBuyer(stripe.database), await aBuyer(stripe.database)]
      await changeSettings(stripe.database, 'card_limits', { [limit]: value })
      for (const buyer of [first, second]) {
        const { secret, id } = await stripe.shop.startIntent(buyer)
        await stripe.processor.pay(secret, number)
        await stripe.shop.confirm(buyer, id)
      }
      await changeSettings(stripe.database, 'card_limits', { [limit]: null })
      const { body } = await stripe.shop.ask(second, 'GET', '/my-freezes')
      assert.deepEqual(
        (body as unknown as Freeze[]).map((freeze) => freeze.reason),
        [reason],
      )
    }
  })

  test('a card that pays for two buyers at once freezes the second of them', async () => {
    const { database, shop, processor } = stripe
    const [first, second] = [await aBuyer(database), await aBuyer(database)]
    const pay = async (buyer: TestUser) => {
      const { secret, id } = await shop.startIntent(buyer)
      await processor.pay(secret, '4000056655665564')
      return id
    }
    const [firstId, secondId] = [await pay(first), await pay(second)]
    const [purchase] = await purchaseByIntent(database, firstId)
    const { card } = await shop.context.cards.retrieve(firstId)
    assert.ok(purchase && card)
    await changeSettings(database, 'card_limits', { buyersPerCard: 1 })
    const beside = await database.transaction(async (tx) => {
      await settlePurchase(tx, {
        ...card,
        purchase: purchase.id,
        revision_seen: purchase.revision,
        refunded_cents: 0,
        disputes: '[]',
      })
      const confirming = shop.confirm(second, secondId)
      await eventually(() => lockWaits(database.pool))
      return { confirming }
    })
    assert.equal((await beside.confirming).status, 200)
    await changeSettings(database, 'card_limits', { buyersPerCard: null })
    const { rows } = await database.pool.query('select is_frozen($1) as first, is_frozen($2) as second', [
      first.id,
      second.id,
    ])
    assert.deepEqual(rows, [{ first: false, second: true }])
  })

  test('a credited payment without a purchase counts for the limits of its card', async () => {
    const { database, shop, processor } = stripe
    const admin = await anAdmin(database)
    const [first, second] = [await aBuyer(database), await aBuyer(database)]
    const pay = async (buyer: TestUser) => {
      const { secret, id } = await shop.startIntent(buyer)
      await processor.pay(secret, '5555555555554444')
      return id
    }
    const id = await pay(first)
    await database.pool.query('delete from purchases where intent_id = $1', [id])
    await findUnmatchedPayments(shop.context)
    const { body } = await shop.ask(admin, 'GET', '/unmatched-payments')
    const [listed] = body as unknown as { _id: string }[]
    const decision = { decision: 'credit', reason: 'Checked at the provider' }
    const credited = await shop.ask(admin, 'PATCH', `/unmatched-payments/${listed?._id}`, decision)
    assert.equal(credited.body.status, 'credited')
    await changeSettings(database, 'card_limits', { buyersPerCard: 1 })
    await shop.confirm(second, await pay(second))
    await changeSettings(database, 'card_limits', { buyersPerCard: null })
    const { rows } = await database.pool.query('select is_frozen($1) as frozen', [second.id])
    assert.deepEqual(rows, [{ frozen: true }])
  })
})
