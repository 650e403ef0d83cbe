import assert from 'node:assert/strict'
import type { Database } from '#server/database/database.ts'
import { finishOpenRefunds } from '#server/payments/refunds.ts'
import { anAdmin, aTask, balanceOf, type TestUser } from '#tests/support/factories.ts'
import { changeSettings } from '#tests/support/settings.ts'
import type { Processor } from './processor.ts'
import { debtOf, type Shop } from './shop.ts'

type Context = { database: Database; processor: Processor; shop: Shop; buyer: TestUser }

/** Scenarios of refunds by Admins, for every card processor (docs/specification/payments.md#refunds-by-admins). */
export const REFUNDS: Record<string, (context: Context) => Promise<void>> = {
  async 'an Admin refunds a payment in part and then the rest: coins come back in proportion'(context) {
    const { database, shop, buyer } = context
    const { id, admin } = await aPaid(context)
    const part = await refund(shop, admin, id, 4)
    assert.deepEqual([part.status, part.body.status, part.body.amount], [200, 'refunded', 4])
    assert.equal(await balanceOf(database, buyer), 140)
    assert.equal((await refund(shop, admin, id, 6.01)).code, 'invalid_fields')
    assert.equal((await refund(shop, admin, id)).body.amount, 6)
    assert.equal(await balanceOf(database, buyer), 50)
    assert.equal((await refund(shop, admin, id)).code, 'state_conflict')
    assert.equal((await shop.ask(buyer, 'GET', `/payments/${id}`)).body.status, 'Refunded')
    await shop.send(id, { type: 'charge.refunded' })
    await shop.waitForEvents()
    assert.equal(await balanceOf(database, buyer), 50)
  },

  async 'a refund of spent coins becomes a debt'(context) {
    const { database, shop, buyer } = context
    const { id, admin } = await aPaid(context)
    await aTask(database, buyer, { slots: 1, reward: 200 })
    await refund(shop, admin, id)
    assert.deepEqual([await balanceOf(database, buyer), await debtOf(database, buyer)], [0, 150])
  },

  async 'five Admins who refund at once send the money back once'(context) {
    const { database, shop, buyer } = context
    const { id } = await aPaid(context)
    const admins = await Promise.all(Array.from({ length: 5 }, () => anAdmin(database)))
    const responses = await Promise.all(admins.map((admin) => refund(shop, admin, id)))
    assert.equal(responses.filter(({ status }) => status === 200).length, 1)
    assert.deepEqual(new Set(responses.map(({ code }) => code)), new Set([undefined, 'state_conflict']))
    assert.equal(await balanceOf(database, buyer), 50)
  },

  async 'a refund whose response is lost is made once, by the job'(context) {
    const { database, shop, buyer, processor } = context
    const { id, admin } = await aPaid(context)
    processor.outage(true)
    const asked = await refund(shop, admin, id, 5).finally(() => processor.outage(false))
    assert.deepEqual([asked.status, asked.body.status], [200, 'refunding'])
    assert.equal((await refund(shop, admin, id, 5)).code, 'state_conflict', 'not finished')
    await Promise.all([finishOpenRefunds(shop.context), finishOpenRefunds(shop.context)])
    await finishOpenRefunds(shop.context)
    assert.equal(await balanceOf(database, buyer), 125)
    const { body } = await shop.ask(buyer, 'GET', `/payments/${id}`)
    assert.deepEqual(body.returned, { price: 5, coins: 75 })
  },

  async 'the same idempotency key refunds a part once, also when the provider has not responded'(context) {
    const { database, shop, buyer, processor } = context
    const { id, admin } = await aPaid(context)
    const ask = (key: string) =>
      shop.ask(admin, 'POST', `/payments/${id}/refunds`, PART, { 'idempotency-key': key })
    const first = await ask('part-1')
    assert.deepEqual([first.status, first.body.status], [200, 'refunded'])
    assert.deepEqual(await ask('part-1'), first)
    assert.equal(await balanceOf(database, buyer), 140)

    processor.outage(true)
    const waiting = await ask('part-2').finally(() => processor.outage(false))
    assert.equal(waiting.body.status, 'refunding')
    const repeated = await Promise.all([ask('part-2'), ask('part-2'), ask('part-2')])
    assert.deepEqual(new Set(repeated.map(({ body }) => body._id)), new Set([waiting.body._id]))
    await finishOpenRefunds(shop.context)
    assert.equal(await balanceOf(database, buyer), 80)
    assert.notEqual((await ask('part-3')).code, undefined, 'two dollars are left')
  },

  async 'above the setting another Admin approves a refund, also when it is asked for in parts'(context) {
    const { database, shop, buyer } = context
    const { id, admin } = await aPaid(context)
    const second = await anAdmin(database)
    await changeSettings(database, 'refund_rules', { twoPersonAboveCents: 500 })
    try {
      assert.equal((await refund(shop, admin, id, 5)).body.status, 'refunded')
      const waiting = (await refund(shop, admin, id, 5)).body
      assert.deepEqual([waiting.status, await balanceOf(database, buyer)], ['waiting', 125])
      assert.equal((await decide(shop, admin, waiting._id, 'approve')).code, 'yourself')
      assert.equal((await decide(shop, buyer, waiting._id, 'approve')).code, 'role_not_allowed')
      const both = await Promise.all([1, 2, 3].map(() => decide(shop, second, waiting._id, 'approve')))
      assert.deepEqual(new Set(both.map(({ status }) => status)), new Set([200]))
      await finishOpenRefunds(shop.context)
      assert.equal(await balanceOf(database, buyer), 50)
      assert.equal((await decide(shop, admin, waiting._id, 'cancel')).code, 'already_decided')
    } finally {
      await changeSettings(database, 'refund_rules', { twoPersonAboveCents: null })
    }
  },

  async 'a cancelled refund sends nothing, and a disputed payment is not refunded'(context) {
    const { database, shop, buyer, processor } = context
    const { id, admin } = await aPaid(context)
    await changeSettings(database, 'refund_rules', { twoPersonAboveCents: 0 })
    const waiting = (await refund(shop, admin, id)).body
    await changeSettings(database, 'refund_rules', { twoPersonAboveCents: null })
    assert.equal((await decide(shop, admin, waiting._id, 'cancel')).body.status, 'cancelled')
    assert.equal(await balanceOf(database, buyer), 200)
    await processor.dispute(id)
    await shop.send(id, { type: 'charge.dispute.created' })
    await shop.waitForEvents()
    assert.equal((await refund(shop, admin, id)).code, 'state_conflict')
  },

  async 'a buyer who is an Admin now neither refunds a payment of their own nor approves its refund'(
    context,
  ) {
    const { database, shop, buyer } = context
    const { id, admin } = await aPaid(context)
    await shop.ask(admin, 'PUT', `/update-role/${buyer.id}`, { value: 'Admin' })
    assert.equal((await refund(shop, buyer, id)).code, 'yourself')
    await changeSettings(database, 'refund_rules', { twoPersonAboveCents: 0 })
    try {
      const waiting = (await refund(shop, admin, id)).body
      assert.equal((await decide(shop, buyer, waiting._id, 'approve')).code, 'yourself')
      assert.equal((await decide(shop, buyer, waiting._id, 'cancel')).body.status, 'cancelled')
    } finally {
      await changeSettings(database, 'refund_rules', { twoPersonAboveCents: null })
    }
    assert.equal(await balanceOf(database, buyer), 200)
  },
}

async function aPaid({ database, shop, buyer }: Context) {
  const id = await shop.payPackage(buyer)
  await shop.confirm(buyer, id)
  return { id, admin: await anAdmin(database) }
}

const PART = { amount: 4, reason: 'Bought twice' }

const refund = (shop: Shop, admin: TestUser, id: string, amount?: number) =>
  shop.ask(admin, 'POST', `/payments/${id}/refunds`, { ...(amount && { amount }), reason: 'Bought twice' })

const decide = (shop: Shop, user: TestUser, id: unknown, decision: string) =>
  shop.ask(user, 'PATCH', `/refunds/${String(id)}`, { decision })
