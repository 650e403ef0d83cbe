import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { poishaOf } from '#contract/exchange-rates.ts'
import type { PayoutFile, PayoutFileProfile } from '#contract/payout-files.ts'
import { useApi } from '#tests/support/api.ts'
import { anAdmin, atOnce, aWorker, type TestUser } from '#tests/support/factories.ts'
import { aRequest } from '#tests/support/payouts.ts'
import { readCsv } from './csv.ts'

describe('the file of a payout batch', () => {
  const api = useApi()

  async function aBatch(count: number) {
    const admin = await anAdmin(api.database)
    const withdrawalIds: string[] = []
    for (let index = 0; index < count; index++) withdrawalIds.push((await aRequest(api.database)).id)
    const created = await api.as(admin).post('/payout-batches', { withdrawalIds })
    const batch = created.body.insertedId as string
    return { admin, batch, release: () => api.as(admin).post(`/payout-batches/${batch}/release`) }
  }
  const profile = async (admin: TestUser, name: string) => {
    const profiles = (await api.as(admin).get('/payout-file-profiles')).body as PayoutFileProfile[]
    return profiles.find((one) => one.name === name) as PayoutFileProfile
  }
  const exportAs = async (admin: TestUser, batch: string, name = 'Neutral') =>
    api.as(admin).post(`/payout-batches/${batch}/files`, { profileId: (await profile(admin, name))._id })
  const filesOf = async (admin: TestUser, batch: string): Promise<PayoutFile[]> =>
    (await api.as(admin).get(`/payout-batches/${batch}/files`)).body
  const download = async (admin: TestUser, id: string) =>
    (await api.as(admin).get(`/payout-files/${id}/csv`)).text
  const batchOf = async (admin: TestUser, batch: string) =>
    (await api.as(admin).get(`/payout-batches/${batch}`)).body

  test('without a rate the amounts are in dollars; the hash and the totals are those of the file', async () => {
    const { admin, batch, release } = await aBatch(3)
    assert.equal((await exportAs(admin, batch)).body.error.code, 'state_conflict', 'A draft has no file')
    await release()
    const { status, body } = await exportAs(admin, batch)
    assert.equal(status, 201)
    const [file] = await filesOf(admin, batch)
    const text = await download(admin, body.insertedId)
    assert.equal(file?.sha256, createHash('sha256').update(text).digest('hex'))
    assert.deepEqual([file?.rows, file?.cents, file?.poisha], [3, 3000, null])
    const [heading = [], ...rows] = readCsv(Buffer.from(text))
    assert.equal(rows.length, 3)
    const cell = (row: string[] | undefined, name: string) => row?.[heading.indexOf(name)]
    assert.deepEqual(
      ['account_number', 'amount', 'currency', 'rate'].map((name) => cell(rows[0], name)),
      ["'01712345678", '10.00', 'USD', ''],
    )
    const { state, fileSha256, payouts } = await batchOf(admin, batch)
    assert.deepEqual([state, fileSha256], ['exported', file?.sha256])
    assert.deepEqual(
      rows.map((row) => cell(row, 'reference')),
      payouts.map(({ reference }: { reference: string }) => reference),
    )
    const log = (await api.as(admin).get('/admin-record?limit=2')).body as { act: string }[]
    assert.deepEqual(
      log.map(({ act }) => act),
      ['payout_file_downloaded', 'payout_batch_exported'],
    )
  })

  test('the same columns give the same file byte for byte, at once and after names and outcomes changed', async () => {
    const { admin, batch, release } = await aBatch(2)
    await release()
    const made = await Promise.all([1, 2, 3, 4, 5].map(() => exportAs(admin, batch)))
    assert.equal(new Set(made.map(({ body }) => body.insertedId)).size, 1)
    const id = made[0]?.body.insertedId
    const before = await download(admin, id)
    await api.owner.query(`update users set name = '=cmd|calc'`)
    const [payout] = (await batchOf(admin, batch)).payouts
    await api.as(admin).post(`/payouts/${payout._id}/confirm`, {})
    assert.equal((await exportAs(admin, batch)).body.insertedId, id)
    assert.equal(await download(admin, id), before)
    assert.equal((await exportAs(admin, batch, 'Wise')).body.error.code, 'state_conflict')
    assert.equal((await filesOf(admin, batch)).length, 1)
    await assert.rejects(api.owner.query('update payout_files set content = $1', ['x']), /append-only/)
  })

  test('a release locks the current rate; each row has whole poisha, and later rates change nothing', async () => {
    const { admin, batch, release } = await aBatch(2)
    const rate = (value: string) =>
      api.as(admin).post('/exchange-rates', { rate: value, source: 'Test', hours: 1 })
    await rate('121.123456')
    await release()
    await rate('130')
    const { body } = await exportAs(admin, batch, 'Wise')
    const rows = readCsv(Buffer.from(await download(admin, body.insertedId)))
    assert.deepEqual(rows[1]?.slice(4), ['target', '1211.23', 'USD', 'BDT'])
    const [file] = await filesOf(admin, batch)
    const { payouts, rate: locked } = await batchOf(admin, batch)
    assert.equal(locked, '121.123456')
    const poisha = poishaOf(1000, '121.123456')
    assert.deepEqual(
      payouts.map((payout: { poisha: number }) => payout.poisha),
      [poisha, poisha],
    )
    assert.equal(file?.poisha, 2 * poisha)
  })

  test('after the rate has expired batches are refused, and single payments stay in dollars', async () => {
    const { admin, batch, release } = await aBatch(1)
    await api.owner.query(
      `insert into exchange_rates (id, rate, source, entered_by, entered_at, expires_at)
       values (gen_random_uuid(), 100, 'Test', $1, now(), now() + interval '1 microsecond')`,
      [admin.id],
    )
    assert.match((await release()).body.error.message, /exchange rate has expired/)
    assert.equal((await batchOf(admin, batch)).state, 'draft')
    const single = await aRequest(api.database)
    const paid = await api.as(admin).patch(`/withdraw-status/${single.id}`, { status: 'approved' })
    assert.equal(paid.body.modifiedCount, 1)
    await api.as(admin).post('/exchange-rates', { rate: '120', source: 'Test', hours: 1 })
    assert.equal((await release()).body.modifiedCount, 1)
  })

  test('others cannot export or download, and unknown batches, profiles and files are not found', async () => {
    const { admin, batch, release } = await aBatch(1)
    await release()
    const { body } = await exportAs(admin, batch)
    const worker = api.as(await aWorker(api.database))
    assert.equal((await worker.get(`/payout-files/${body.insertedId}/csv`)).status, 403)
    assert.equal((await worker.get(`/payout-batches/${batch}/files`)).status, 403)
    assert.equal((await exportAs(admin, body.insertedId)).body.error.code, 'payout_batch_not_found')
    assert.equal((await api.as(admin).get(`/payout-files/${batch}/csv`)).status, 404)
    const unknown = await api.as(admin).post(`/payout-batches/${batch}/files`, { profileId: batch })
    assert.equal(unknown.status, 404)
  })

  test('two releases of one batch at once lock one rate', async () => {
    const { admin, batch, release } = await aBatch(1)
    await api.as(admin).post('/exchange-rates', { rate: '110', source: 'Test', hours: 1 })
    await atOnce(4, release)
    const { rows } = await api.owner.query(
      `select count(*)::int as payouts from payouts join payout_batches on payout_batches.id = batch_id
         join exchange_rates on exchange_rates.id = exchange_rate_id
        where batch_id = $1 and poisha = poisha_of(payouts.cents, rate)`,
      [batch],
    )
    assert.equal(rows[0].payouts, 1)
  })
})
