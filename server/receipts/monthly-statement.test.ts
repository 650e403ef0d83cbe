import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Locale } from '#contract/locales.ts'
import type { MonthlyStatement } from '#contract/monthly-statements.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, aWorker, giveCoins, type TestUser } from '#tests/support/factories.ts'
import { aPayment, reverse } from '#tests/support/receipts.ts'
import { changeSettings } from '#tests/support/settings.ts'
import { readMonthlyStatement } from './monthly-statement.ts'
import { statementSheet } from './statement-sheet.ts'

describe('monthly statements', () => {
  const api = useApi()
  const month = async (user: TestUser, name: string): Promise<MonthlyStatement> => {
    const { status, body } = await api.as(user).get(`/monthly-statements/${user.email}/${name}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  /** The month of the site's time zone `by` months from now. */
  async function monthFromNow(by: number): Promise<string> {
    const { rows } = await api.database.pool.query<{ month: string }>(
      `select to_char((clock_time() at time zone 'Asia/Dhaka') + $1 * interval '1 month', 'YYYY-MM') as month`,
      [by],
    )
    return rows[0]?.month ?? ''
  }
  /** Moves the transfers and receipts so far of a user to the month before. */
  async function oneMonthPasses(user: TestUser): Promise<void> {
    const client = await api.owner.connect()
    try {
      await client.query('begin')
      for (const table of ['ledger_transfers', 'receipts'])
        await client.query(`alter table ${table} disable trigger user`)
      await client.query(
        `update ledger_transfers set created_at = created_at - interval '1 month' where $1 in (debit, credit)`,
        [user.accountId],
      )
      await client.query(
        `update receipts set issued_at = issued_at - interval '1 month' where user_id = $1`,
        [user.id],
      )
      for (const table of ['ledger_transfers', 'receipts'])
        await client.query(`alter table ${table} enable trigger user`)
      await client.query('commit')
    } finally {
      client.release()
    }
  }

  test('have the coins of a won dispute as a restored payment, not as a purchase', async () => {
    const buyer = await aBuyer(api.database)
    const payment = await aPayment(api.database, buyer)
    for (const cents of [1000, 0]) await reverse(api.database, payment, cents)
    const { totals } = await month(buyer, await monthFromNow(0))
    assert.deepEqual(
      totals.map(({ text, coins }) => [text, coins]),
      [
        ['Starting coins', 50],
        ['Coins bought by card', 150],
        ['Card payment reversed', -150],
        ['Card payment restored', 150],
      ],
    )
  })

  test('begin with the balance of the month before, and have its totals, lines and receipts', async () => {
    const buyer = await aBuyer(api.database)
    await aPayment(api.database, buyer)
    await oneMonthPasses(buyer)
    const payment = await aPayment(api.database, buyer)
    await reverse(api.database, payment, 500)
    const [now, before, earlier, later] = (await Promise.all([0, -1, -2, 1].map(monthFromNow))) as [
      string,
      string,
      string,
      string,
    ]

    const last = await month(buyer, before)
    assert.deepEqual([last.opening, last.closing, last.transfers, last.receipts.length], [0, 200, 2, 1])
    const current = await month(buyer, now)
    assert.deepEqual([current.opening, current.closing, current.transfers], [200, 275, 2])
    assert.deepEqual(
      current.totals.map(({ text, coins, transfers }) => [text, coins, transfers]),
      [
        ['Coins bought by card', 150, 1],
        ['Card payment reversed', -75, 1],
      ],
    )
    assert.deepEqual(
      current.lines.map(({ coins, balance }) => [coins, balance]),
      [
        [-75, 275],
        [150, 350],
      ],
    )
    assert.deepEqual(
      current.receipts.map(({ kind, total }) => [kind, total]),
      [
        ['purchase', 10],
        ['refund', 5],
      ],
    )
    assert.deepEqual([(await month(buyer, earlier)).closing, (await month(buyer, later)).opening], [0, 275])
  })

  test('have the seller with the tax, in the language of the reader', async () => {
    const buyer = await aBuyer(api.database)
    const seller = { legalName: 'Tally GmbH', address: 'Main Street 1\nBerlin', email: 'tax@example.com' }
    await changeSettings(api.database, 'seller', {
      ...seller,
      taxName: 'VAT',
      taxNumber: 'DE1',
      taxPercent: 19,
    })
    const read = (locale: Locale) =>
      readMonthlyStatement(
        api.database,
        { email: buyer.email, month: '2026-11', timeZone: 'UTC', locale },
        'Tallywork',
        10,
      )
    const statement = await read('en')
    const { seller: printed } = statement
    assert.deepEqual(printed, {
      name: 'Tally GmbH',
      address: 'Main Street 1\nBerlin',
      email: 'tax@example.com',
      taxNumber: 'VAT number: DE1',
      tax: 'VAT 19%, included',
    })
    assert.deepEqual(statementSheet(statement, 'UTC', 'en').parties[0]?.lines, [
      'Tally GmbH',
      'Main Street 1',
      'Berlin',
      'tax@example.com',
      'VAT number: DE1',
      'VAT 19%, included',
    ])
    assert.match((await read('bn')).seller.tax, /দামের মধ্যে/)
    await changeSettings(api.database, 'seller', { legalName: '', taxName: '', taxPercent: 0 })
    const { name, tax } = (await read('en')).seller
    assert.deepEqual([name, tax], ['Tallywork', ''])
  })

  test('the CSV file has all lines of the month, the PDF file its newest', async () => {
    const worker = await aWorker(api.database)
    await api.database.pool.query(
      `select transfer('coins_bought', gen_random_uuid(), card_clearing_account(), $1, 1) from generate_series(1, 1500)`,
      [worker.accountId],
    )
    await oneMonthPasses(worker)
    await giveCoins(api.database, worker.accountId, 5)
    const path = `/monthly-statements/${worker.email}/${await monthFromNow(-1)}`
    const { text, headers } = await api.as(worker).get(`${path}/csv`)
    const lines = text.trimEnd().split('\r\n')
    assert.equal(lines.length, 1 + 1501)
    assert.match(lines[1] ?? '', /,1,1510,0$/)
    assert.match(lines.at(-1) ?? '', /"Starting coins",10,10,0$/)
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    assert.equal((await api.as(worker).get(path)).body.lines.length, 200)
    const pdf = await api.as(worker).get(`${path}/pdf`)
    assert.match(pdf.text, /^%PDF-1\.7/)
    assert.match(String(pdf.headers['content-disposition']), /filename="statement-\d{4}-\d\d\.pdf"/)
  })

  test("are a user's own, and Admins'", async () => {
    const buyer = await aBuyer(api.database)
    const now = await monthFromNow(0)
    for (const path of [
      `/monthly-statements/${buyer.email}/${now}`,
      `/monthly-statements/${buyer.email}/${now}/pdf`,
    ]) {
      assert.equal((await api.as(await aBuyer(api.database)).get(path)).status, 403)
      assert.equal((await api.anyone.get(path)).status, 401)
      assert.equal((await api.as(await anAdmin(api.database)).get(path)).status, 200)
    }
    for (const name of ['2026-13', '2026-00', '26-01', '1999-01', '2026-01-01'])
      assert.equal((await api.as(buyer).get(`/monthly-statements/${buyer.email}/${name}`)).status, 404)
    assert.equal((await api.as(buyer).get(`/monthly-statements/${buyer.email}/${now}/doc`)).status, 404)
  })
})
