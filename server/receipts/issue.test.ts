import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decideWithdrawal } from '#server/payouts/decide-withdrawal.ts'
import { requestWithdrawal } from '#server/withdrawals/request.ts'
import { useDatabase } from '#tests/support/database.ts'
import {
  aBuyer,
  anAdmin,
  atOnce,
  aWorker,
  outcomes,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { aPayment, reverse } from '#tests/support/receipts.ts'
import { changeSettings } from '#tests/support/settings.ts'

type Row = {
  label: string
  number: number
  kind: string
  cents: number
  tax: { name: string; percent: number; cents: number } | null
  seller: Record<string, unknown>
  customer: { name: string; email: string }
}

describe('receipts', () => {
  const db = useDatabase()

  const receiptsOf = async (payment: string): Promise<Row[]> =>
    (
      await db.database.pool.query<Row>(
        'select * from receipts where payment_id = $1 order by issued_at, kind, number',
        [payment],
      )
    ).rows
  const taxesOf = async (payment: string) =>
    (await receiptsOf(payment)).map(({ kind, cents, tax }) => [kind, cents, tax?.cents ?? null])
  const numbersOf = async (series: string) =>
    (
      await db.database.pool.query<{ number: number }>(
        'select number from receipts where series = $1 order by number',
        [series],
      )
    ).rows.map(({ number }) => Number(number))

  test('fifty settlements at once have fifty numbers without a gap', async () => {
    const before = (await numbersOf('R')).length
    const buyers = await Promise.all(Array.from({ length: 10 }, () => aBuyer(db.database)))
    const results = await atOnce(50, (index) =>
      aPayment(db.database, buyers[index % 10] as TestUser, { mode: 'live' }),
    )
    assert.equal(outcomes(results).good, 50)
    assert.deepEqual(
      await numbersOf('R'),
      Array.from({ length: before + 50 }, (_, index) => index + 1),
    )
  })

  test('aborted transactions and settlements that are repeated take no number', async () => {
    const buyer = await aBuyer(db.database)
    const before = (await numbersOf('R')).length
    const results = await atOnce(30, async (index) => {
      if (index % 3 > 0) return aPayment(db.database, buyer, { mode: 'live' })
      return db.database.transaction(async (tx) => {
        const payment = await aPayment(tx, buyer, { mode: 'live' })
        // The receipt is issued now, its number is taken, and then the transaction fails.
        await tx.run({ name: 'issue_now', sql: 'set constraints all immediate' }, [])
        throw new Error(`Aborted ${payment}`)
      })
    })
    assert.equal(outcomes(results).good, 20)
    assert.deepEqual(
      await numbersOf('R'),
      Array.from({ length: before + 20 }, (_, index) => index + 1),
    )

    const payment = await aPayment(db.database, buyer)
    const again = await atOnce(10, () =>
      db.database.pool.query(`select settle_purchase($1, 0, '', '', '', 0, '[]')`, [payment]),
    )
    assert.equal(outcomes(again).good, 10)
    assert.equal((await receiptsOf(payment)).length, 1)
  })

  test('payments without real money have numbers of their own', async () => {
    const buyer = await aBuyer(db.database)
    const [sandbox] = await receiptsOf(await aPayment(db.database, buyer, { mode: 'sandbox' }))
    const [live] = await receiptsOf(await aPayment(db.database, buyer, { mode: 'live' }))
    assert.match(sandbox?.label ?? '', /^TEST-R-\d{6}$/)
    assert.match(live?.label ?? '', /^R-\d{6}$/)
  })

  test('keep the seller, the buyer and the tax as they were', async () => {
    const seller = { legalName: 'Tally GmbH', taxName: 'VAT', taxPercent: 19, numberPrefix: '26/' }
    await changeSettings(db.database, 'seller', seller)
    const buyer = await aBuyer(db.database, { name: 'Ruma' })
    const payment = await aPayment(db.database, buyer, { mode: 'live', cents: 1000 })
    await changeSettings(db.database, 'seller', { legalName: 'Another', taxPercent: 0, numberPrefix: '' })
    await db.database.pool.query('update users set name = $2 where id = $1', [buyer.id, 'Another name'])

    const [receipt] = await receiptsOf(payment)
    assert.match(receipt?.label ?? '', /^26\/R-\d{6}$/)
    assert.equal(receipt?.seller.legalName, 'Tally GmbH')
    assert.deepEqual(receipt?.customer, { name: 'Ruma', email: buyer.email })
    assert.deepEqual(receipt?.tax, { name: 'VAT', percent: 19, cents: 160 })
    assert.deepEqual(await taxesOf(await aPayment(db.database, buyer, { cents: 1000 })), [
      ['purchase', 1000, null],
    ])
  })

  test('credit notes return the tax of the purchase, in parts that add up to all of it', async () => {
    await changeSettings(db.database, 'seller', { taxName: 'VAT', taxPercent: 7.7 })
    const buyer = await aBuyer(db.database)
    const payment = await aPayment(db.database, buyer, { cents: 1000 })
    await changeSettings(db.database, 'seller', { taxPercent: 25 })
    for (const cents of [333, 666, 1000]) await reverse(db.database, payment, cents)
    assert.deepEqual(await taxesOf(payment), [
      ['purchase', 1000, 71],
      ['refund', 333, 24],
      ['refund', 333, 23],
      ['refund', 334, 24],
    ])
    await reverse(db.database, payment, 400)
    assert.deepEqual((await taxesOf(payment)).at(-1), ['purchase', 600, 43])
    await changeSettings(db.database, 'seller', { taxName: '', taxPercent: 0 })
  })

  test('a payout has one receipt when it is approved, also when two Admins decide at once', async () => {
    const worker = await aWorker(db.database, { coins: 500 })
    const { pool } = db.database
    const request = { coins: 400, system: 'Bkash', accountNumber: '01712345678' } as const
    const id = await requestWithdrawal(db.database, testConfig, worker, request, {})
    const admins = await Promise.all(Array.from({ length: 4 }, () => anAdmin(db.database)))
    await atOnce(4, (index) =>
      decideWithdrawal(db.database, id, admins[index]?.id ?? '', { status: 'approved' }, {}),
    )
    const { rows } = await pool.query('select * from receipts where withdrawal_id = $1', [id])
    assert.deepEqual(
      rows.map(({ kind, cents, user_id: user, lines }) => [kind, Number(cents), user, lines]),
      [
        [
          'payout',
          2000,
          worker.id,
          [{ item: 'coins_paid_out', coins: 400, cents: 2000, system: 'Bkash', account: '01712345678' }],
        ],
      ],
    )
  })

  test('payments that an instance without receipts booked get theirs when the triggers are created', async () => {
    const buyer = await aBuyer(db.database)
    const toggle = async (what: string) => {
      for (const table of ['payments', 'payment_reversals'])
        await db.owner.query(`alter table ${table} ${what} trigger ${table}_receipt`)
    }
    await toggle('disable')
    const payment = await aPayment(db.database, buyer)
    await reverse(db.database, payment, 400)
    await toggle('enable')
    assert.equal((await receiptsOf(payment)).length, 0)
    await db.owner.query('select issue_missing_receipts()')
    await db.owner.query('select issue_missing_receipts()')
    assert.deepEqual(await taxesOf(payment), [
      ['purchase', 1000, null],
      ['refund', 400, null],
    ])
  })

  test('no statement changes or deletes a receipt, also of the owner', async () => {
    const payment = await aPayment(db.database, await aBuyer(db.database))
    for (const attempt of [
      'update receipts set cents = 1',
      'delete from receipts',
      'truncate receipts',
      `insert into receipts select gen_random_uuid(), series, number + 1000000, label, kind, ref, payment_id, withdrawal_id,
         user_id, issued_at, seller, customer, lines, tax, cents from receipts where ref = '${payment}'`,
    ]) {
      await assert.rejects(db.owner.query(attempt), /append-only|receipts_once/, attempt)
      await assert.rejects(db.database.pool.query(attempt), /permission denied|receipts_once/, attempt)
    }
  })
})
