import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import PDFDocument from 'pdfkit'
import { takaText } from '#contract/amounts.en.ts'
import type { ReceiptDocument } from '#contract/receipts.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, atOnce, aWorker } from '#tests/support/factories.ts'
import { aRequest, payoutsOf } from '#tests/support/payouts.ts'
import { aPayment, reverse } from '#tests/support/receipts.ts'
import { changeSettings } from '#tests/support/settings.ts'
import { createPdf } from './pdf/create-pdf.ts'
import { FONTS, linesOf } from './pdf/text.ts'
import { receiptSheet } from './receipt-sheet.ts'

const A_RECEIPT: ReceiptDocument = {
  _id: randomUUID(),
  number: 'R-000001',
  kind: 'purchase',
  date: '2026-11-22T14:05:00.000Z',
  total: 10,
  taxAmount: 1.6,
  seller: { name: 'Tallywork', address: 'Road 1\nDhaka', email: '', taxNumber: '' },
  customer: { name: 'রবীন্দ্রনাথ ঠাকুর', email: 'rabi@example.com' },
  lines: [{ text: '150 coins', coins: 150, amount: 10 }],
  tax: { name: 'VAT', percent: 19, amount: 1.6, added: false },
  method: 'Visa ending in 4242',
  transactionId: 'pi_1',
  taka: null,
  real: true,
  related: [],
}

describe('the receipts of a user', () => {
  const api = useApi()

  test('a receipt names seller, buyer, item, tax and the credit notes of its payment', async () => {
    const seller = {
      legalName: 'Tally Ltd',
      address: 'Road 1\nDhaka',
      taxName: 'VAT',
      taxNumber: '42',
      taxPercent: 15,
    }
    await changeSettings(api.database, 'seller', seller)
    const buyer = await aBuyer(api.database, { name: 'Ruma' })
    const payment = await aPayment(api.database, buyer, { mode: 'live' })
    await reverse(api.database, payment, 400)
    await changeSettings(api.database, 'seller', { legalName: '', taxName: '', taxNumber: '', taxPercent: 0 })

    const { body } = await api.as(buyer).get(`/receipts/${payment}`)
    assert.deepEqual(
      { ...body, _id: '', date: '', related: body.related.length, transactionId: '' },
      {
        _id: '',
        number: 'R-000001',
        kind: 'purchase',
        date: '',
        total: 10,
        taxAmount: 1.3,
        seller: { name: 'Tally Ltd', address: 'Road 1\nDhaka', email: '', taxNumber: 'VAT number: 42' },
        customer: { name: 'Ruma', email: buyer.email },
        lines: [{ text: '150 coins', coins: 150, amount: 10 }],
        tax: { name: 'VAT', percent: 15, amount: 1.3, added: false },
        method: 'Visa ending in 4242',
        transactionId: '',
        taka: null,
        real: true,
        related: 1,
      },
    )
    const [{ _id: creditNote, kind, total }] = body.related
    assert.deepEqual([kind, total], ['refund', 4])
    const refund = (await api.as(buyer).get(`/receipts/${creditNote}`)).body
    assert.deepEqual([refund.number, refund.tax.amount, refund.seller.name], ['C-000001', 0.52, 'Tally Ltd'])
    assert.equal(refund.lines[0].text, 'Returned payment, 60 coins deducted')
    assert.equal(refund.related[0].number, 'R-000001')
  })

  test('a payout in taka shows the amount, the rate, the fee and the transaction, and keeps them', async () => {
    const admin = api.as(await anAdmin(api.database))
    const inDollars = await aRequest(api.database)
    await admin.patch(`/withdraw-status/${inDollars.id}`, { status: 'approved' })
    const dollars = (await api.as(inDollars.worker).get(`/receipts/${inDollars.id}`)).body
    assert.deepEqual([dollars.taka, dollars.transactionId], [null, null])

    await admin.post('/exchange-rates', { rate: '121.5', source: 'Bangladesh Bank', hours: 24 })
    const { id, worker } = await aRequest(api.database, { accountNumber: '01812345678' })
    const batch = (await admin.post('/payout-batches', { withdrawalIds: [id] })).body
    await admin.post(`/payout-batches/${batch.insertedId}/check`)
    assert.equal((await admin.post(`/payout-batches/${batch.insertedId}/release`)).status, 200)
    const [payout] = await payoutsOf(api.database, id)
    await api.database.pool.query(`select confirm_payout($1, 'provider', null, 'BK71', 1850)`, [payout?.id])
    const { body } = await api.as(worker).get(`/receipts/${id}`)
    assert.deepEqual(
      [body.transactionId, body.taka],
      ['BK71', { poisha: 121_500, rate: '121.5', feePoisha: 1850 }],
    )
    const sheet = receiptSheet(body, 'UTC', 'en')
    assert.deepEqual(sheet.totals.slice(1), [
      ['In taka, at 121.5 per dollar', takaText(121_500)],
      ["Provider's fee", takaText(1850)],
    ])
    assert.ok((await createPdf(sheet)) !== undefined)

    // A newer rate and a transaction id that is entered later leave the receipt as it is.
    await admin.post('/exchange-rates', { rate: '130', source: 'Bangladesh Bank', hours: 24 })
    assert.deepEqual((await api.as(worker).get(`/receipts/${id}`)).body, body)
  })

  test("only a user's own receipts are shown, and all to Admins", async () => {
    const payment = await aPayment(api.database, await aBuyer(api.database))
    for (const path of [`/receipts/${payment}`, `/receipts/${payment}/pdf`]) {
      assert.equal((await api.as(await aBuyer(api.database)).get(path)).status, 404)
      assert.equal((await api.as(await aWorker(api.database)).get(path)).status, 404)
      assert.equal((await api.anyone.get(path)).status, 401)
      assert.equal((await api.as(await anAdmin(api.database)).get(path)).status, 200)
    }
    const buyer = await aBuyer(api.database)
    assert.equal((await api.as(buyer).get(`/receipts/${randomUUID()}`)).status, 404)
    assert.equal((await api.as(buyer).get('/receipts/1/pdf')).status, 404)
  })

  test('an Admin downloads one after a recent proof of identity only', async () => {
    const [buyer, admin] = [await aBuyer(api.database), await anAdmin(api.database)]
    const path = `/receipts/${await aPayment(api.database, buyer)}/pdf`
    for (const user of [buyer, admin]) await api.as(user).get('/site') // signs in
    await api.database.pool.query("update sessions set proved_at = 'epoch'")
    assert.equal((await api.as(admin).get(path)).body.error.code, 'proof_required')
    assert.equal((await api.as(buyer).get(path)).status, 200)
  })

  test('a PDF file is an attachment with the number as its name', async () => {
    const buyer = await aBuyer(api.database)
    const { text, headers } = await api.as(buyer).get(`/receipts/${await aPayment(api.database, buyer)}/pdf`)
    assert.match(text, /^%PDF-1\.7/)
    assert.equal(headers['content-type'], 'application/pdf')
    assert.match(String(headers['content-disposition']), /^attachment; filename="TEST-R-\d{6}\.pdf"$/)
  })

  test('a user who downloads more than 60 files in an hour waits', async () => {
    const buyer = await aBuyer(api.database)
    const path = `/receipts/${await aPayment(api.database, buyer)}/pdf`
    assert.equal((await api.as(buyer).get(path)).status, 200)
    await api.database.pool.query('update rate_limits set hits = 60 where key = $1', [`pdf:${buyer.id}`])
    assert.equal((await api.as(buyer).get(path)).body.error.code, 'too_many_requests')
    const statement = `/monthly-statements/${buyer.email}/${new Date().toISOString().slice(0, 7)}/pdf`
    assert.equal((await api.as(buyer).get(statement)).status, 429)
    const logged = `select from security_log where kind = 'data_exported' and identity_id = $1`
    assert.equal((await api.owner.query(logged, [buyer.id])).rowCount, 0, 'Nothing was exported')
  })
})

describe('PDF files', () => {
  test('are tagged, name their language, and are the same for the same receipt', async () => {
    const [first, second] = await Promise.all([
      createPdf(receiptSheet(A_RECEIPT, 'UTC', 'en')),
      createPdf(receiptSheet(A_RECEIPT, 'UTC', 'en')),
    ])
    const text = first?.toString('latin1') ?? ''
    for (const part of ['/StructTreeRoot', '/Marked true', '/Lang (en)', '/ActualText', 'pdfuaid:part'])
      assert.ok(text.includes(part), part)
    assert.deepEqual(first, second)
  })

  test('are in the language of the user', async () => {
    const { title, facts, totals, ...sheet } = receiptSheet(A_RECEIPT, 'UTC', 'bn')
    assert.deepEqual(
      [title, totals],
      [
        'রসিদ R-000001',
        [
          ['কর ছাড়া', '৮.৪০$'],
          ['VAT ১৯%, দামের মধ্যে', '১.৬০$'],
          ['মোট', '১০.০০$'],
        ],
      ],
    )
    assert.match(facts[1]?.join(' ') ?? '', /^তারিখ ২২ নভেম্বর, ২০২৬ .*১৪:০৫ UTC$/)
    const local = receiptSheet(A_RECEIPT, 'Asia/Dhaka', 'en')
    assert.match(local.facts[1]?.join(' ') ?? '', /22 November 2026 .*20:05 Asia\/Dhaka$/)
    const file = (await createPdf({ ...sheet, title, facts, totals })).toString('latin1')
    for (const part of ['/Lang (bn)', '+HindSiliguri-Regular', '+HindSiliguri-SemiBold'])
      assert.ok(file.includes(part), part)
  })

  test('are made one after the other, and requests beyond the queue are refused', async () => {
    const sheet = receiptSheet(A_RECEIPT, 'UTC', 'en')
    const small = { ...sheet, parties: [], facts: [], tables: [], totals: [], note: undefined }
    const results = await atOnce(60, () => createPdf(small))
    const refused = results.filter(({ status }) => status === 'rejected')
    assert.ok(refused.length > 0 && refused.length < 15, `${refused.length} refused`)
  })

  test('shape the conjuncts of Bengali names', () => {
    const doc = new PDFDocument()
    doc.registerFont('bengali', FONTS.bengali).font('bengali').fontSize(1000)
    // The widths of HarfBuzz for this font.
    const widths = { ন্দ্র: 787, চন্দ্র: 1320, ক্ষ: 1042 }
    for (const [letters, width] of Object.entries(widths))
      assert.equal(doc.widthOfString(letters), width, letters)
  })

  test('set each script in its font, and break long words', () => {
    const measure = (text: string, _: string, size: number) => text.length * size
    const runs = (text: string) =>
      linesOf(text, 1000, { size: 1 }, measure)[0]?.runs.map(({ font, text }) => [font, text])
    assert.deepEqual(runs('রুমা Łuba'), [
      ['bengali', 'রুমা '],
      ['extended', 'Ł'],
      ['latin', 'uba'],
    ])
    assert.deepEqual(runs('Đặng 田'), [
      ['extended', 'Đ'],
      ['latin', 'ang ?'],
    ])
    assert.deepEqual(runs('র‍্যাব।'), [['bengali', 'র‍্যাব।']])
    // Persian and Hindi names and an emoji, whose joiners the Bengali font has too.
    for (const [name, printed] of [
      ['می\u200cخواهم', '???????'],
      ['शक\u200dत', '???'],
      ['👩\u200d👧', '?'],
      ['R\u200cuma', 'Ruma'],
    ] as const)
      assert.deepEqual(runs(name), [['latin', printed]])
    const lines = linesOf(`a ${'x'.repeat(25)} b`, 10, { size: 1 }, measure)
    assert.deepEqual(
      lines.map(({ runs }) => runs.map(({ text }) => text).join('')),
      ['a', 'xxxxxxxxxx', 'xxxxxxxxxx', 'xxxxx b'],
    )
    assert.equal(linesOf('x'.repeat(10_000), 10, { size: 1 }, measure).length, 12)
  })
})
