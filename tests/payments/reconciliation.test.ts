import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { reconcileBalance } from '#server/payments/card-transactions.ts'
import { aBuyer, anAdmin, type TestUser } from '#tests/support/factories.ts'
import { notificationsOf } from './shop.ts'
import { useStripeShop } from './stripe-shop.ts'

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
  const stripe = useStripeShop()
  let admin: TestUser

  before(async () => {
    admin = await anAdmin(stripe.database)
  })
  const read = async () =>
    (await stripe.shop.ask(admin, 'GET', '/card-reconciliation')).body as unknown as Reconciliation
  const casesOf = async (id: string) =>
    (await read()).cases.filter(({ transactionId }) => transactionId === id)
  const HOURS = 3600

  /** A payment of some hours ago, on both sides. */
  async function aPayment(hours = 2, price = 10): Promise<string> {
    const buyer = await aBuyer(stripe.database)
    const id = await stripe.shop.payPackage(buyer, price)
    await stripe.shop.confirm(buyer, id)
    const intent = stripe.fake.intents.get(id)
    assert.ok(intent)
    intent.created -= hours * HOURS
    await stripe.database.pool.query(
      `update payments set paid_at = paid_at - $2 * interval '1 hour' where transaction_id = $1`,
      [id, hours],
    )
    return id
  }
  async function aRefund(id: string): Promise<void> {
    await stripe.processor.refund(id)
    await stripe.shop.send(id, { type: 'charge.refunded' })
    await stripe.shop.waitForEvents()
    await stripe.database.pool.query(
      `update payment_reversals set created_at = created_at - interval '2 hours'`,
    )
  }

  test('payments, refunds, disputes, fees and payouts that agree make no case and are totalled', async () => {
    const [first, second, third] = [await aPayment(), await aPayment(3, 20), await aPayment(4, 35)]
    await aRefund(second ?? '')
    await stripe.processor.dispute(third ?? '')
    await stripe.shop.send(third ?? '', { type: 'charge.dispute.created' })
    await stripe.shop.waitForEvents()
    await stripe.database.pool.query(
      `update payment_reversals set created_at = created_at - interval '2 hours'`,
    )
    const created = Math.floor(Date.now() / 1000) - 2 * HOURS
    const other = {
      object: 'balance_transaction',
      fee: 0,
      currency: 'usd',
      created,
      available_on: created,
      source: null,
    }
    stripe.fake.otherTransactions = [
      { ...other, id: 'txn_payout', type: 'payout', reporting_category: 'payout', amount: -500, net: -500 },
      { ...other, id: 'txn_fee', type: 'stripe_fee', reporting_category: 'fee', amount: -200, net: -200 },
    ]
    assert.equal(await reconcileBalance(stripe.shop.context), 0)
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
    const { body } = await stripe.shop.ask(admin, 'GET', '/admin-stats')
    assert.equal((body.solvency as { feeCents: number }).feeCents, fees + 1700)
    assert.equal((await casesOf(first ?? '')).length, 0)
  })

  test('a charge of another amount is a case, which an Admin resolves once with a note', async () => {
    const id = await aPayment()
    const intent = stripe.fake.intents.get(id)
    assert.ok(intent)
    intent.amount = 900
    assert.equal(await reconcileBalance(stripe.shop.context), 1)
    assert.equal((await notificationsOf(stripe.database, admin, 'card_cases_opened')).length, 1)
    const [one] = await casesOf(id)
    assert.deepEqual([one?.kind, one?.provider, one?.ours], ['amount_differs', 9, 10])
    const resolve = (user = admin, note = 'A discount at the provider') =>
      stripe.shop.ask(user, 'PATCH', `/card-cases/${one?._id}`, { note })
    assert.equal((await resolve(await aBuyer(stripe.database))).code, 'role_not_allowed')
    assert.equal((await resolve(admin, '')).status, 422)
    assert.equal((await resolve()).status, 200)
    assert.equal((await resolve()).code, 'already_decided')
    assert.equal(await reconcileBalance(stripe.shop.context), 0)
    assert.notEqual((await casesOf(id))[0]?.resolved, null)
  })

  test('what only one side knows is a case, until the other side learns of it', async () => {
    const created = Math.floor(Date.now() / 1000) - 2 * HOURS
    const known = await aPayment(80)
    const missing = await aPayment(72)
    const intent = stripe.fake.intents.get(missing)
    assert.ok(intent)
    stripe.fake.intents.delete(missing)
    stripe.fake.otherTransactions.push({
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
    await stripe.database.pool.query(`delete from installation where name = 'card_transactions_until'`)
    assert.equal(await reconcileBalance(stripe.shop.context), 2)
    assert.deepEqual(
      [
        (await casesOf(missing))[0]?.kind,
        (await casesOf('pi_ofSomebodyElse1'))[0]?.kind,
        (await casesOf(known)).length,
      ],
      ['missing_charge', 'unknown_charge', 0],
    )
    stripe.fake.intents.set(missing, intent)
    await stripe.database.pool.query(`delete from installation where name = 'card_transactions_until'`)
    await reconcileBalance(stripe.shop.context)
    assert.notEqual((await casesOf(missing))[0]?.resolved, null)
  })

  test('a charge without a payment intent is a case by its own id', async () => {
    const created = Math.floor(Date.now() / 1000) - 2 * HOURS
    const charge = {
      id: 'txn_no_intent',
      object: 'balance_transaction',
      type: 'charge',
      reporting_category: 'charge',
      amount: 900,
      fee: 50,
      net: 850,
      currency: 'usd',
      created,
      available_on: created,
    }
    stripe.fake.otherTransactions.push({ ...charge, source: { id: 'ch_no_intent', payment_intent: null } })
    assert.equal(await reconcileBalance(stripe.shop.context), 1)
    assert.deepEqual(
      (await casesOf('ch_no_intent')).map(({ kind, provider, ours }) => [kind, provider, ours]),
      [['unknown_charge', 9, 0]],
    )
  })

  test('a refund that was never booked is a case', async () => {
    const id = await aPayment()
    await stripe.processor.refund(id)
    await reconcileBalance(stripe.shop.context)
    const [one] = await casesOf(id)
    assert.deepEqual([one?.kind, one?.provider, one?.ours], ['reversal_differs', 10, 0])
  })

  test('charges that are settled in another currency are one case, and in no total', async () => {
    const before = await read()
    for (const id of [await aPayment(70), await aPayment(70)]) {
      stripe.fake.intents.delete(id)
      await stripe.database.pool.query(
        `insert into card_transactions
           (id, type, category, intent_id, cents, fee_cents, net_cents, currency, created_at, available_at)
         values ('txn_pounds_' || $1, 'charge', 'charge', $1, 790, 40, 750, 'gbp', clock_time() - interval '70 hours', clock_time())`,
        [id],
      )
    }
    assert.equal(await reconcileBalance(stripe.shop.context), 1)
    const { totals, cases } = await read()
    assert.deepEqual(totals, before.totals)
    const known = new Set(before.cases.map(({ _id }) => _id))
    const [one, ...others] = cases.filter(({ _id }) => !known.has(_id))
    assert.deepEqual(others, [])
    assert.equal(one?.kind, 'other_currency')
    assert.match(one?.transactionId ?? '', /^txn_pounds_/)
    await stripe.shop.ask(admin, 'PATCH', `/card-cases/${one?._id}`, { note: 'It settles in dollars now' })
    assert.equal(await reconcileBalance(stripe.shop.context), 0)
  })

  test('the file has every transaction, and what the provider writes stays one value', async () => {
    const id = await aPayment()
    await stripe.database.pool.query(
      `insert into card_transactions
         (id, type, category, cents, fee_cents, net_cents, currency, created_at, available_at)
       values ('txn_of_a_word', '=1+1', 'fees, "other"', -500, 0, -500, 'usd', clock_time(), clock_time())`,
    )
    await reconcileBalance(stripe.shop.context)
    const response = await stripe.shop.app.inject({
      url: '/api/card-transactions/csv',
      headers: { authorization: await stripe.shop.authorization(admin) },
    })
    assert.equal(response.headers['content-type'], 'text/csv; charset=utf-8')
    const { rows } = await stripe.database.pool.query('select from card_transactions')
    assert.equal(response.body.trimEnd().split('\r\n').length, rows.length + 1)
    assert.ok(response.body.includes(`,"charge_${id}","${id}","1000","59","941","usd"`))
    assert.ok(
      response.body.includes(`"txn_of_a_word","'=1+1","fees, ""other""",,,"-500","0","-500","usd"`),
      response.body,
    )
  })
})

describe('the balance of the provider is empty', () => {
  const stripe = useStripeShop()

  test('a payment that the provider does not know is a case', async () => {
    const buyer = await aBuyer(stripe.database)
    const id = await stripe.shop.payPackage(buyer)
    await stripe.shop.confirm(buyer, id)
    const { rowCount } = await stripe.database.pool.query(
      `update payments set paid_at = paid_at - interval '3 days' where transaction_id = $1`,
      [id],
    )
    assert.equal(rowCount, 1)
    stripe.fake.intents.delete(id)
    assert.equal(await reconcileBalance(stripe.shop.context), 1)
    const { rows } = await stripe.database.pool.query('select kind, intent_id from card_cases')
    assert.deepEqual(rows, [{ kind: 'missing_charge', intent_id: id }])
  })
})
