import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { reconcileBalance } from '#server/payments/card-transactions.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, anAdmin, type TestUser } from '#tests/support/factories.ts'
import type { FakeStripe } from './fake-stripe/server.ts'
import { aStripe } from './processors.ts'
import { aShop, noticesOf, type Shop } from './shop.ts'

type Reconciliation = {
  totals: Record<string, number>
  cases: {
    _id: string
    kind: string
    transactionId: string
    provider: number
    ours: number
    resolved: object | null
  }[]
}

describe('the balance of the provider is compared with our payments', () => {
  const db = useDatabase()
  let fake: FakeStripe
  let processor: Awaited<ReturnType<typeof aStripe>>
  let shop: Shop
  let admin: TestUser

  before(async () => {
    processor = await aStripe()
    fake = processor.fake
    shop = await aShop(db.database, processor)
    admin = await anAdmin(db.database)
  })
  after(async () => {
    await shop.close()
    await processor.close()
  })
  const read = async () =>
    (await shop.ask(admin, 'GET', '/card-reconciliation')).body as unknown as Reconciliation
  const casesOf = async (id: string) =>
    (await read()).cases.filter(({ transactionId }) => transactionId === id)
  const HOURS = 3600

  /** A payment of some hours ago, on both sides. */
  async function aPayment(hours = 2, price = 10): Promise<string> {
    const buyer = await aBuyer(db.database)
    const id = await shop.payPackage(buyer, price)
    await shop.confirm(buyer, id)
    const intent = fake.intents.get(id)
    assert.ok(intent)
    intent.created -= hours * HOURS
    await db.database.pool.query(
      `update payments set paid_at = paid_at - $2 * interval '1 hour' where transaction_id = $1`,
      [id, hours],
    )
    return id
  }
  async function aRefund(id: string): Promise<void> {
    await processor.refund(id)
    await shop.send(id, { type: 'charge.refunded' })
    await shop.waitForEvents()
    await db.database.pool.query(`update payment_reversals set created_at = created_at - interval '2 hours'`)
  }

  test('payments, refunds, disputes, fees and payouts that agree make no case and are totalled', async () => {
    const [first, second, third] = [await aPayment(), await aPayment(3, 20), await aPayment(4, 35)]
    await aRefund(second ?? '')
    await processor.dispute(third ?? '')
    await shop.send(third ?? '', { type: 'charge.dispute.created' })
    await shop.waitForEvents()
    await db.database.pool.query(`update payment_reversals set created_at = created_at - interval '2 hours'`)
    const created = Math.floor(Date.now() / 1000) - 2 * HOURS
    const other = {
      object: 'balance_transaction',
      fee: 0,
      currency: 'usd',
      created,
      available_on: created,
      source: null,
    }
    fake.otherTransactions = [
      { ...other, id: 'txn_payout', type: 'payout', reporting_category: 'payout', amount: -500, net: -500 },
      { ...other, id: 'txn_fee', type: 'stripe_fee', reporting_category: 'fee', amount: -200, net: -200 },
    ]
    assert.equal(await reconcileBalance(shop.context), 0)
    const { totals, cases } = await read()
    assert.deepEqual(cases, [])
    const fees = [1000, 2000, 3500].reduce((sum, cents) => sum + Math.round(cents * 0.029) + 30, 0)
    assert.deepEqual(totals, {
      charged: 65,
      refunded: 20,
      disputed: 35,
      fees: (fees + 1500 + 200) / 100,
      tax: 0,
      payouts: 5,
    })
    const { body } = await shop.ask(admin, 'GET', '/admin-stats')
    assert.equal((body.solvency as { feeCents: number }).feeCents, fees + 1700)
    assert.equal((await casesOf(first ?? '')).length, 0)
  })

  test('a charge of another amount is a case, which an Admin resolves once with a note', async () => {
    const id = await aPayment()
    const intent = fake.intents.get(id)
    assert.ok(intent)
    intent.amount = 900
    assert.equal(await reconcileBalance(shop.context), 1)
    assert.equal((await noticesOf(db.database, admin, 'card_cases_opened')).length, 1)
    const [one] = await casesOf(id)
    assert.deepEqual([one?.kind, one?.provider, one?.ours], ['amount_differs', 9, 10])
    const resolve = (user = admin, note = 'A discount at the provider') =>
      shop.ask(user, 'PATCH', `/card-cases/${one?._id}`, { note })
    assert.equal((await resolve(await aBuyer(db.database))).code, 'role_not_allowed')
    assert.equal((await resolve(admin, '')).status, 422)
    assert.equal((await resolve()).status, 200)
    assert.equal((await resolve()).code, 'already_decided')
    assert.equal(await reconcileBalance(shop.context), 0)
    assert.notEqual((await casesOf(id))[0]?.resolved, null)
  })

  test('what only one side knows is a case, until the other side learns of it', async () => {
    const created = Math.floor(Date.now() / 1000) - 2 * HOURS
    const known = await aPayment(80)
    const missing = await aPayment(72)
    const intent = fake.intents.get(missing)
    assert.ok(intent)
    fake.intents.delete(missing)
    fake.otherTransactions.push({
      id: 'txn_unknown',
      object: 'balance_transaction',
      type: 'charge',
      reporting_category: 'charge',
      amount: 777,
      fee: 50,
      net: 727,
      currency: 'usd',
      created,
      available_on: created,
      source: { id: 'ch_unknown', payment_intent: 'pi_ofSomebodyElse1' },
    })
    await db.database.pool.query(`delete from installation where name = 'card_transactions_until'`)
    assert.equal(await reconcileBalance(shop.context), 2)
    assert.deepEqual(
      [
        (await casesOf(missing))[0]?.kind,
        (await casesOf('pi_ofSomebodyElse1'))[0]?.kind,
        (await casesOf(known)).length,
      ],
      ['missing_charge', 'unknown_charge', 0],
    )
    fake.intents.set(missing, intent)
    await db.database.pool.query(`delete from installation where name = 'card_transactions_until'`)
    await reconcileBalance(shop.context)
    assert.notEqual((await casesOf(missing))[0]?.resolved, null)
  })

  test('a refund that was never booked is a case', async () => {
    const id = await aPayment()
    await processor.refund(id)
    await reconcileBalance(shop.context)
    const [one] = await casesOf(id)
    assert.deepEqual([one?.kind, one?.provider, one?.ours], ['reversal_differs', 10, 0])
  })

  test('the file has every transaction', async () => {
    const id = await aPayment()
    await reconcileBalance(shop.context)
    const response = await shop.app.inject({
      url: '/api/card-transactions/csv',
      headers: { authorization: await shop.authorization(admin) },
    })
    assert.equal(response.headers['content-type'], 'text/csv; charset=utf-8')
    const { rows } = await db.database.pool.query('select from card_transactions')
    assert.equal(response.body.trimEnd().split('\r\n').length, rows.length + 1)
    assert.ok(response.body.includes(`,charge_${id},${id},1000,59,941,usd`))
  })
})
