import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { anAdmin, aWorker } from '#tests/support/factories.ts'

describe('the file of withdrawal requests', () => {
  const api = useApi()

  async function aRequest(name: string, accountNumber: string, payment_system = 'Other') {
    const worker = await aWorker(api.database, { name, coins: 200 })
    const body = { withdrawalCoin: 200, payment_system, accountNumber }
    return (await api.as(worker).post(`/withdraw/${worker.email}`, body)).body.insertedId as string
  }

  test('has the requests of the filter in the order of the list, safe for spreadsheets', async () => {
    const admin = await anAdmin(api.database)
    const ids = [
      await aRequest('Nadia', '=HYPERLINK("http://a.example")'),
      await aRequest('+Rafi', '01712345678', 'Bkash'),
      await aRequest('Nadia Paid', 'Wise nadia'),
    ]
    const approval = { status: 'approved', transactionId: 'TX9' }
    await api.as(admin).patch(`/withdraw-status/${ids[2]}`, approval)
    const linesOf = async (query: string) => {
      const { status, text, headers } = await api.as(admin).get(`/withdraw-requests/export${query}`)
      assert.equal(status, 200, text)
      assert.match(headers['content-disposition'] as string, /withdrawal-requests\.csv/)
      assert.ok(text.startsWith('\ufeff"Request","Requested","Worker"'))
      return text.split('\r\n').slice(1, -1)
    }
    const pending = await linesOf('')
    assert.deepEqual(
      pending.map((line) => line.slice(1, 37)),
      ids.slice(0, 2),
    )
    assert.match(
      pending[0] ?? '',
      /"200","10\.00","Other","'=HYPERLINK\(""http:\/\/a\.example""\)","pending"/,
    )
    assert.match(pending[1] ?? '', /"'\+Rafi".*"bKash","01712345678"/)
    assert.equal((await linesOf('?q=nadia')).length, 1)
    assert.equal((await linesOf('?q=---')).length, 0, 'A search without a word finds nothing')
    assert.deepEqual(await linesOf('?status=declined'), [])
    const [paid = '', ...others] = await linesOf('?status=approved')
    assert.deepEqual([paid.slice(1, 37), others.length], [ids[2], 0])
    assert.match(paid, new RegExp(`"${admin.name}".*"confirmed","TW[0-9A-F]{12}","TX9"$`))
  })

  test('is for Admins only', async () => {
    const worker = await aWorker(api.database)
    assert.equal((await api.as(worker).get('/withdraw-requests/export')).status, 403)
  })
})
