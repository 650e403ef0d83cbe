import assert from 'node:assert/strict'
import type { Database } from '#server/database/database.ts'
import { processEvents } from '#server/payments/card-events.ts'
import { findUnmatchedPayments } from '#server/payments/find-unmatched.ts'
import { comparePayments } from '#server/payments/reconcile.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, anAdmin, balanceOf, type TestUser } from '#tests/support/factories.ts'
import { inOpenTransaction, lockWaits } from '#tests/support/lock-waits.ts'
import { changeSettings } from '#tests/support/settings.ts'
import type { Processor } from './processor.ts'
import { notificationsOf, purchasesOf, type Shop } from './shop.ts'

type Context = { database: Database; processor: Processor; shop: Shop; buyer: TestUser }
type Listed = {
  _id: string
  transactionId: string
  status: string
  cause: string
  coins: number | null
  fraudWarningAt: string | null
  disputes: { amount: number; status: string }[]
}

/** Scenarios of paid intents that credited nothing, for every card processor. */
export const UNMATCHED: Record<string, (context: Context) => Promise<void>> = {
  async 'payments that a restored backup lacks are found and credited once'(context) {
    const { database, shop, buyer } = context
    const admin = await anAdmin(database)
    const id = await shop.payPackage(buyer)
    await forget(database, id)
    await findUnmatchedPayments(shop.context)
    await findUnmatchedPayments(shop.context)
    const { _id, status, cause, coins } = await listed(shop, admin, id)
    assert.deepEqual([status, cause, coins], ['open', 'no_purchase', 150])
    assert.equal(
      (await notificationsOf(database, admin, 'payment_unmatched')).filter((text) => text.includes(id))
        .length,
      1,
    )
    assert.equal(await balanceOf(database, buyer), 50)

    const decisions = await Promise.all(Array.from({ length: 5 }, () => decide(shop, admin, _id, 'credit')))
    assert.deepEqual(
      decisions.map((response) => response.status).sort((a, b) => a - b),
      [200, 409, 409, 409, 409],
    )
    assert.equal(await balanceOf(database, buyer), 200)
    assert.equal((await decide(shop, admin, _id, 'refund')).code, 'already_decided')
    assert.equal((await shop.ask(buyer, 'GET', `/payments/${id}`)).body.coins, 150)
    await context.processor.refund(id)
    await shop.send(id, { type: 'charge.refunded' })
    await shop.waitForEvents()
    assert.equal(await balanceOf(database, buyer), 50)
  },

  async 'an unmatched payment is refunded by a decision, and is part of the totals until then'(context) {
    const { database, shop, buyer } = context
    const admin = await anAdmin(database)
    const totals = async () => {
      const { body } = await shop.ask(admin, 'GET', '/admin-stats')
      const { unmatchedCents, coverCents } = body.solvency as { unmatchedCents: number; coverCents: number }
      return [body.totalPayments as number, unmatchedCents, coverCents]
    }
    const before = await totals()
    const id = await shop.payPackage(buyer)
    await forget(database, id)
    await findUnmatchedPayments(shop.context)
    assert.deepEqual(await totals(), [(before[0] ?? 0) + 10, (before[1] ?? 0) + 1000, before[2]])
    const { _id } = await listed(shop, admin, id)
    const response = await decide(shop, admin, _id, 'refund')
    assert.deepEqual([response.status, response.body.status, response.body.refunded], [200, 'refunded', 10])
    assert.deepEqual(await totals(), before)
    await findUnmatchedPayments(shop.context)
    assert.equal((await listed(shop, admin, id)).status, 'refunded')
    assert.equal(await balanceOf(database, buyer), 50)
  },

  async 'the provider is down when an unmatched payment is refunded: it is refunded later, once'(context) {
    const { database, processor, shop, buyer } = context
    const admin = await anAdmin(database)
    const id = await shop.payPackage(buyer)
    await forget(database, id)
    await findUnmatchedPayments(shop.context)
    const { _id } = await listed(shop, admin, id)
    processor.outage(true)
    const response = await decide(shop, admin, _id, 'refund').finally(() => processor.outage(false))
    assert.equal(response.code, 'payments_unavailable')
    assert.equal((await listed(shop, admin, id)).status, 'refunding')
    await findUnmatchedPayments(shop.context)
    assert.equal((await listed(shop, admin, id)).status, 'refunded')
  },

  async 'a payment that an Admin refunds while a search reads it stays refunded'(context) {
    const { database, processor, shop, buyer } = context
    const { cards } = shop.context
    for (const read of ['listPaid', 'retrieve'] as const) {
      const admin = await anAdmin(database)
      const id = await shop.payPackage(buyer)
      await forget(database, id)
      await findUnmatchedPayments(shop.context)
      const { _id } = await listed(shop, admin, id)
      await processor.refund(id, 300)
      let decided: Promise<unknown> | undefined
      const thenRefund = async <Result>(result: Promise<Result>) => {
        const before = await result
        decided ??= decide(shop, admin, _id, 'refund')
        await decided
        return before
      }
      const slow = {
        listPaid: (...values: Parameters<typeof cards.listPaid>) => thenRefund(cards.listPaid(...values)),
        retrieve: (other: string) => (other === id ? thenRefund(cards.retrieve(id)) : cards.retrieve(other)),
      }
      await findUnmatchedPayments({ ...shop.context, cards: { ...cards, [read]: slow[read] } })
      assert.equal((await listed(shop, admin, id)).status, 'refunded', read)
      assert.deepEqual(await notificationsOf(database, admin, 'unmatched_refund_failed'), [])
    }
  },

  async 'above the setting another Admin approves the decision about an unmatched payment'(context) {
    const { database, shop, buyer } = context
    const [admin, second] = [await anAdmin(database), await anAdmin(database)]
    const found = async (price: number) => {
      const id = await shop.payPackage(buyer, price)
      await forget(database, id)
      await findUnmatchedPayments(shop.context)
      return { id, ...(await listed(shop, admin, id)) }
    }
    const [small, credited, refunded] = [await found(10), await found(20), await found(35)]
    try {
      await changeSettings(database, 'refund_rules', { twoPersonAboveCents: 1000 })
      assert.equal((await decide(shop, admin, small._id, 'credit')).body.status, 'credited')
      for (const [{ _id, id }, decision, result] of [
        [credited, 'credit', 'credited'],
        [refunded, 'refund', 'refunded'],
      ] as const) {
        assert.equal((await respondTo(shop, second, _id, 'approve')).code, 'already_decided', 'nobody asked')
        assert.equal((await decide(shop, admin, _id, decision)).body.status, 'waiting')
        assert.equal((await decide(shop, admin, _id, decision)).code, 'already_decided', 'asked again')
        assert.equal((await decide(shop, second, _id, decision)).code, 'already_decided', 'not an approval')
        assert.equal((await respondTo(shop, admin, _id, 'approve')).code, 'yourself')
        assert.equal((await respondTo(shop, second, _id, 'cancel')).body.status, 'open')
        assert.equal((await respondTo(shop, second, _id, 'approve')).code, 'already_decided', 'cancelled')
        assert.equal((await shop.context.cards.retrieve(id)).refundedCents, 0)
        await decide(shop, admin, _id, decision)
        const approvals = await Promise.all(
          Array.from({ length: 4 }, () => respondTo(shop, second, _id, 'approve')),
        )
        assert.equal(approvals.filter(({ body }) => body.status === result).length > 0, true)
        assert.equal((await listed(shop, admin, id)).status, result)
      }
    } finally {
      await changeSettings(database, 'refund_rules', { twoPersonAboveCents: null })
    }
    assert.equal(await balanceOf(database, buyer), 50 + 150 + 500)
    assert.equal((await shop.context.cards.retrieve(refunded.id)).refundedCents, 3500)
    assert.equal((await respondTo(shop, buyer, refunded._id, 'approve')).code, 'role_not_allowed')
  },

  async 'an Admin does not decide about an unmatched payment of their own'({ database, shop, buyer }) {
    const admin = await anAdmin(database)
    const id = await shop.payPackage(buyer)
    await forget(database, id)
    await findUnmatchedPayments(shop.context)
    await shop.ask(admin, 'PUT', `/update-role/${buyer.id}`, { value: 'Admin' })
    const { _id } = await listed(shop, admin, id)
    for (const decision of ['credit', 'refund'])
      assert.equal((await decide(shop, buyer, _id, decision)).code, 'yourself')
    await changeSettings(database, 'refund_rules', { twoPersonAboveCents: 0 })
    try {
      await decide(shop, admin, _id, 'refund')
      assert.equal((await respondTo(shop, buyer, _id, 'approve')).code, 'yourself')
    } finally {
      await changeSettings(database, 'refund_rules', { twoPersonAboveCents: null })
    }
    assert.equal((await shop.context.cards.retrieve(id)).refundedCents, 0)
  },

  async 'a decision that was replaced since an Admin saw it is not approved'({ database, shop, buyer }) {
    const [admin, second] = [await anAdmin(database), await anAdmin(database)]
    const id = await shop.payPackage(buyer)
    await forget(database, id)
    await findUnmatchedPayments(shop.context)
    const { _id } = await listed(shop, admin, id)
    const approve = (requested: string) =>
      shop.ask(second, 'PATCH', `/unmatched-payments/${_id}`, { decision: 'approve', requested })
    try {
      await changeSettings(database, 'refund_rules', { twoPersonAboveCents: 0 })
      await decide(shop, admin, _id, 'credit')
      await respondTo(shop, admin, _id, 'cancel')
      await decide(shop, admin, _id, 'refund')
      assert.equal((await approve('credit')).code, 'already_decided')
      assert.equal((await listed(shop, admin, id)).status, 'waiting')
      assert.equal((await approve('refund')).body.status, 'refunded')
    } finally {
      await changeSettings(database, 'refund_rules', { twoPersonAboveCents: null })
    }
  },

  async 'a refused payment is listed, and credited with the package of what was paid'(context) {
    const { database, processor, shop, buyer } = context
    const admin = await anAdmin(database)
    const id = await shop.payPackage(buyer)
    await processor.change(id, { amountCents: 2000 })
    assert.equal((await shop.confirm(buyer, id)).code, 'payment_mismatch')
    const { _id, cause, coins } = await listed(shop, admin, id)
    assert.deepEqual([cause, coins], ['order_differs', 500])
    assert.equal((await decide(shop, admin, _id, 'credit')).status, 200)
    assert.equal(await balanceOf(database, buyer), 550)
    assert.deepEqual(await purchasesOf(database, buyer), ['credited'])
  },

  async 'a refused payment that the provider refunds needs no decision'(context) {
    const { database, processor, shop, buyer } = context
    const admin = await anAdmin(database)
    const id = await shop.payPackage(buyer)
    await processor.change(id, { metadata: { coins: '1000' } })
    await shop.confirm(buyer, id)
    await processor.refund(id)
    await shop.send(id, { type: 'charge.refunded' })
    await shop.waitForEvents()
    assert.equal((await listed(shop, admin, id)).status, 'refunded')
  },

  async 'an unmatched payment of nobody or of no package cannot be credited'(context) {
    const { database, processor, shop, buyer } = context
    const admin = await anAdmin(database)
    const nobody = await shop.payPackage(buyer)
    await processor.change(nobody, { metadata: { user_id: '00000000-0000-4000-8000-000000000000' } })
    await forget(database, nobody)
    const odd = await shop.payPackage(buyer, 20)
    await processor.change(odd, { amountCents: 1234 })
    await forget(database, odd)
    await findUnmatchedPayments(shop.context)
    const codes = []
    for (const id of [nobody, odd]) {
      const { _id } = await listed(shop, admin, id)
      codes.push((await decide(shop, admin, _id, 'credit')).code)
      assert.equal((await decide(shop, admin, _id, 'refund')).status, 200)
    }
    assert.deepEqual(codes, ['user_not_found', 'state_conflict'])
  },

  async 'a paid intent whose purchase has no intent is credited without a decision'({
    database,
    shop,
    buyer,
  }) {
    const id = await shop.payPackage(buyer)
    await database.pool.query('update purchases set intent_id = null where intent_id = $1', [id])
    await findUnmatchedPayments(shop.context)
    assert.equal(await balanceOf(database, buyer), 200)
  },

  async 'a paid intent whose purchase gets another one meanwhile is listed, and credits nothing'(context) {
    const { database, shop, buyer } = context
    const admin = await anAdmin(database)
    const id = await shop.payPackage(buyer)
    await database.pool.query('update purchases set intent_id = null where intent_id = $1', [id])
    await inOpenTransaction(database.pool, async (other) => {
      await other.query(`update purchases set intent_id = 'pi_other' where user_id = $1`, [buyer.id])
      const found = findUnmatchedPayments(shop.context)
      await eventually(() => lockWaits(database.pool))
      await other.query('commit')
      await found
    })
    assert.equal((await listed(shop, admin, id)).cause, 'no_purchase')
    assert.equal(await balanceOf(database, buyer), 50)
  },

  async 'a payment that names another buyer than its purchase can only be refunded'(context) {
    const { database, processor, shop, buyer } = context
    const admin = await anAdmin(database)
    const other = await aBuyer(database)
    const id = await shop.payPackage(buyer)
    await processor.change(id, { metadata: { user_id: other.id } })
    assert.equal((await shop.confirm(buyer, id)).code, 'payment_mismatch')
    const { _id } = await listed(shop, admin, id)
    assert.equal((await decide(shop, admin, _id, 'credit')).code, 'state_conflict')
    assert.equal((await decide(shop, admin, _id, 'refund')).body.status, 'refunded')
    assert.deepEqual([await balanceOf(database, buyer), await balanceOf(database, other)], [50, 50])
  },

  async 'a payment that is disputed while it is unmatched is contained when it is credited'(context) {
    const { database, processor, shop } = context
    const admin = await anAdmin(database)
    for (const isDown of [false, true]) {
      const buyer = await aBuyer(database)
      const id = await shop.payPackage(buyer)
      await forget(database, id)
      await findUnmatchedPayments(shop.context)
      await processor.dispute(id)
      await shop.send(id, { type: 'charge.dispute.created' })
      await shop.waitForEvents()
      const { _id } = await listed(shop, admin, id)
      processor.outage(isDown)
      const response = await decide(shop, admin, _id, 'credit').finally(() => processor.outage(false))
      assert.equal(response.body.status, 'credited')
      if (isDown) await comparePayments(shop.context)
      assert.equal(await balanceOf(database, buyer), 50)
      const { rows } = await database.pool.query('select is_frozen($1) as "isFrozen"', [buyer.id])
      assert.deepEqual(rows, [{ isFrozen: true }])
    }
  },

  async 'an open dispute of an unmatched payment freezes its buyer, and is in no total'(context) {
    const { database, processor, shop, buyer } = context
    const admin = await anAdmin(database)
    const total = async () => (await shop.ask(admin, 'GET', '/admin-stats')).body.totalPayments
    const isFrozen = async () =>
      (await database.pool.query('select is_frozen($1) as frozen', [buyer.id])).rows[0]?.frozen
    const before = await total()
    const id = await shop.payPackage(buyer)
    await forget(database, id)
    await processor.dispute(id)
    await findUnmatchedPayments(shop.context)
    const { disputes } = await listed(shop, admin, id)
    assert.deepEqual(
      disputes.map(({ amount, status }) => [amount, status]),
      [[10, 'needs_response']],
    )
    assert.deepEqual([await isFrozen(), await total()], [true, before])
    assert.equal(
      (await decide(shop, admin, (await listed(shop, admin, id))._id, 'refund')).code,
      'state_conflict',
    )
    assert.equal((await notificationsOf(database, admin, 'unmatched_disputed')).length, 1)
    await processor.winDispute(id)
    await shop.send(id, { type: 'charge.dispute.closed' })
    await shop.waitForEvents()
    assert.deepEqual([await isFrozen(), await total()], [false, Number(before) + 10])
  },

  async 'a fraud warning about a lost payment waits for the search, and is copied with the credit'(context) {
    const { database, shop, buyer } = context
    const admin = await anAdmin(database)
    await findUnmatchedPayments(shop.context)
    const id = await shop.payPackage(buyer)
    await forget(database, id)
    await shop.send(id, { type: 'radar.early_fraud_warning.created' })
    await eventually(async () => {
      const { rowCount } = await database.pool.query(
        `select from card_events where intent_id = $1 and outcome = 'not listed' and processed_at is null`,
        [id],
      )
      return rowCount === 1
    })
    await findUnmatchedPayments(shop.context)
    await shop.wait('1 hour')
    await processEvents(shop.context)
    await shop.waitForEvents()
    assert.equal((await notificationsOf(database, admin, 'unmatched_disputed')).length, 1)
    const { _id, fraudWarningAt } = await listed(shop, admin, id)
    assert.notEqual(fraudWarningAt, null)
    await decide(shop, admin, _id, 'credit')
    const { rows } = await database.pool.query(
      'select fraud_warning_at is not null as warned from payments where transaction_id = $1',
      [id],
    )
    assert.deepEqual(rows, [{ warned: true }])
  },

  async 'only an Admin lists and decides unmatched payments'({ database, shop, buyer }) {
    const admin = await anAdmin(database)
    const id = await shop.payPackage(buyer)
    await forget(database, id)
    await findUnmatchedPayments(shop.context)
    const { _id } = await listed(shop, admin, id)
    const other = await aBuyer(database)
    assert.equal((await shop.ask(other, 'GET', '/unmatched-payments')).code, 'role_not_allowed')
    assert.equal((await decide(shop, other, _id, 'credit')).code, 'role_not_allowed')
    assert.equal((await decide(shop, admin, _id, 'refund', '')).status, 422)
    assert.equal((await decide(shop, admin, other.id, 'refund')).code, 'payment_not_found')
  },
}

const decide = (
  shop: Shop,
  user: TestUser,
  id: string,
  decision: string,
  reason = 'Checked at the provider',
) => shop.ask(user, 'PATCH', `/unmatched-payments/${id}`, { decision, reason })

const respondTo = (shop: Shop, user: TestUser, id: string, decision: 'approve' | 'cancel') =>
  shop.ask(user, 'PATCH', `/unmatched-payments/${id}`, { decision })

async function listed(shop: Shop, admin: TestUser, intentId: string): Promise<Listed> {
  const { body } = await shop.ask(admin, 'GET', '/unmatched-payments')
  const found = (body as unknown as Listed[]).find(({ transactionId }) => transactionId === intentId)
  assert.ok(found, `${intentId} is not listed`)
  return found
}

/** Removes the purchase, as the restore of an older backup does. */
async function forget(database: Database, intentId: string): Promise<void> {
  await database.pool.query('delete from purchases where intent_id = $1', [intentId])
}
