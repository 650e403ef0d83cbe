import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PayoutFile, PayoutFileProfile } from '#contract/payout-files.ts'
import type { Payout, PayoutBatchDetails } from '#contract/payouts.ts'
import { useApi } from '#tests/support/api.ts'
import { anAdmin, balanceOf, type TestUser } from '#tests/support/factories.ts'
import { aRequest, STATEMENT_MAPPING, type TestRequest } from '#tests/support/payouts.ts'
import { changeSettings } from '#tests/support/settings.ts'
import { readCsv } from './csv.ts'

describe('payouts that are stopped between the release and the file', () => {
  const api = useApi({ payoutProvider: 'sandbox' })

  let next = 0

  async function aReleasedBatch(count: number, provider?: 'sandbox') {
    const admin = await anAdmin(api.database)
    const requests: TestRequest[] = []
    for (let index = 0; index < count; index++) {
      const accountNumber = `017${String(next++).padStart(8, '0')}`
      requests.push(await aRequest(api.database, { accountNumber }))
    }
    requests.sort((a, b) => (a.id < b.id ? -1 : 1))
    const created = await api
      .as(admin)
      .post('/payout-batches', { withdrawalIds: requests.map(({ id }) => id), provider })
    const batch = created.body.insertedId as string
    assert.equal((await api.as(admin).post(`/payout-batches/${batch}/release`)).body.modifiedCount, 1)
    return { admin, batch, requests: requests as [TestRequest, ...TestRequest[]] }
  }
  const freeze = (admin: TestUser, { id }: TestRequest) =>
    api.as(admin).post(`/withdrawals/${id}/freezes`, { reason: 'A ring' })
  const read = async (admin: TestUser, batch: string): Promise<PayoutBatchDetails> =>
    (await api.as(admin).get(`/payout-batches/${batch}`)).body
  const filesOf = async (admin: TestUser, batch: string): Promise<PayoutFile[]> =>
    (await api.as(admin).get(`/payout-batches/${batch}/files`)).body
  const exportAs = async (admin: TestUser, batch: string, name = 'Neutral') => {
    const profiles = (await api.as(admin).get('/payout-file-profiles')).body as PayoutFileProfile[]
    const profileId = profiles.find((one) => one.name === name)?._id
    return api.as(admin).post(`/payout-batches/${batch}/files`, { profileId })
  }
  /** The references in a file, in its order. */
  const referencesIn = async (admin: TestUser, file: string) => {
    const { text } = await api.as(admin).get(`/payout-files/${file}/csv`)
    const [heading = [], ...rows] = readCsv(Buffer.from(text))
    return rows.map((row) => row[heading.findIndex((name) => /reference/i.test(name))])
  }
  const sent = (payouts: readonly Payout[]) =>
    payouts.filter(({ state }) => state === 'sent').map(({ reference }) => reference)

  test('a frozen request fails and is neither in the file nor in its totals', async () => {
    const { admin, batch, requests } = await aReleasedBatch(3)
    await freeze(admin, requests[1] as TestRequest)
    const before = await read(admin, batch)
    assert.deepEqual(
      before.payouts.map(({ stopped }) => stopped),
      [false, true, false],
    )
    const { body } = await exportAs(admin, batch)
    const { state, payouts } = await read(admin, batch)
    assert.deepEqual(
      payouts.map((payout) => [payout.state, payout.failure, payout.retryable, payout.stopped]),
      [
        ['sent', '', false, false],
        ['failed', 'Stopped before it was sent', true, false],
        ['sent', '', false, false],
      ],
    )
    assert.equal(state, 'exported', 'Another profile can still be chosen')
    assert.deepEqual(await referencesIn(admin, body.insertedId), sent(payouts))
    const [file] = await filesOf(admin, batch)
    assert.deepEqual([file?.rows, file?.cents, file?.stopped], [2, 2000, []])
    assert.equal(await balanceOf(api.database, (requests[1] as TestRequest).worker), 10, 'On hold')

    const other = await exportAs(admin, batch, 'Wise')
    assert.equal((await referencesIn(admin, other.body.insertedId)).length, 2)
    assert.equal((await api.as(admin).post(`/payout-batches/${batch}/confirm`, {})).body.modifiedCount, 2)
    assert.equal((await read(admin, batch)).state, 'reconciled')
  })

  test('payouts of a frozen worker and those stopped by risk are not in a file either', async () => {
    const { admin, batch, requests } = await aReleasedBatch(3)
    const [first, second] = requests as [TestRequest, TestRequest, TestRequest]
    await api.as(admin).post(`/users/${first.worker.id}/freezes`, { reason: 'A ring' })
    await api.owner.query(
      `insert into risk_assessments (withdrawal_id, score, reasons, facts) values ($1, 100, '[]', '{}')
       on conflict (withdrawal_id) do update set score = 100, assessed_at = clock_time()`,
      [second.id],
    )
    await changeSettings(api.database, 'risk', { reviewScore: 100 })
    const { body } = await exportAs(admin, batch)
    await changeSettings(api.database, 'risk', { reviewScore: null })
    const { payouts } = await read(admin, batch)
    assert.deepEqual(
      payouts.map(({ state }) => state),
      ['failed', 'failed', 'sent'],
    )
    assert.deepEqual(await referencesIn(admin, body.insertedId), sent(payouts))
  })

  test('where every payout was stopped there is no file, and the failures stay', async () => {
    const { admin, batch, requests } = await aReleasedBatch(2)
    for (const request of requests) await freeze(admin, request)
    for (const _ of [1, 2]) {
      const { status, body } = await exportAs(admin, batch)
      assert.equal(status, 409)
      assert.match(body.error.message, /^Every payout in this payout batch was stopped/)
    }
    assert.deepEqual(await filesOf(admin, batch), [])
    const { state, counts } = await read(admin, batch)
    assert.deepEqual([state, counts.failed], ['reconciled', 2])
  })

  test('a file that exists stays as it is, with a warning, and no other is made', async () => {
    const { admin, batch, requests } = await aReleasedBatch(2)
    const { insertedId: file } = (await exportAs(admin, batch)).body
    const { text } = await api.as(admin).get(`/payout-files/${file}/csv`)
    await freeze(admin, requests[0])
    assert.equal((await exportAs(admin, batch)).body.insertedId, file)
    assert.equal((await api.as(admin).get(`/payout-files/${file}/csv`)).text, text)
    const { payouts } = await read(admin, batch)
    assert.deepEqual((await filesOf(admin, batch))[0]?.stopped, [payouts[0]?.reference])
    const other = await exportAs(admin, batch, 'Wise')
    assert.match(other.body.error.message, /was stopped after the first file was created/)
    assert.deepEqual(sent((await read(admin, batch)).payouts).length, 2, 'It may have been uploaded')
  })

  test('a payout whose stop ended since the Admin saw the batch is not confirmed with the others', async () => {
    const { admin, batch, requests } = await aReleasedBatch(3)
    const { body: frozen } = await freeze(admin, requests[0])
    const seen = (await read(admin, batch)).payouts.filter(({ stopped }) => !stopped).map(({ _id }) => _id)
    assert.equal(seen.length, 2)
    const ended = await api.as(admin).post(`/freezes/${frozen.freezeId}/end`, { reason: 'Not a ring' })
    assert.equal(ended.status, 200, ended.text)
    const all = await api.as(admin).post(`/payout-batches/${batch}/confirm`, { payoutIds: seen })
    assert.equal(all.body.modifiedCount, 2)
    const { payouts } = await read(admin, batch)
    assert.deepEqual(payouts.map(({ state }) => state).toSorted(), ['confirmed', 'confirmed', 'sent'])
  })

  test('a payout that is stopped after the file was made is confirmed by a statement alone', async () => {
    const { admin, batch, requests } = await aReleasedBatch(3)
    await exportAs(admin, batch)
    await freeze(admin, requests[0])
    const [stopped] = (await read(admin, batch)).payouts as [Payout, ...Payout[]]
    const refused = await api.as(admin).post(`/payouts/${stopped._id}/confirm`, {})
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'payout_under_way'])
    assert.match(refused.body.error.message, /^This request was stopped after its file was created/)

    const all = await api.as(admin).post(`/payout-batches/${batch}/confirm`, {})
    assert.equal(all.body.modifiedCount, 2)
    const { state, payouts } = await read(admin, batch)
    assert.deepEqual(
      [state, ...payouts.map((one) => one.state)],
      ['settling', 'unknown', 'confirmed', 'confirmed'],
    )
    assert.equal(payouts[0]?.failure, 'Stopped after its file was made')
    for (const [step, body] of [
      ['confirm', {}],
      ['fail', { reason: 'I think not', returnCoins: true }],
      ['retry', { accountNumber: '01712345678' }],
    ] as const)
      assert.equal((await api.as(admin).post(`/payouts/${stopped._id}/${step}`, body)).status, 409, step)
    const batched = await api.as(admin).post('/payout-batches', { withdrawalIds: [requests[0].id] })
    assert.equal(batched.body.error.code, 'payout_under_way')

    const content = `TrxID,Reference,Amount\r\nTX1,${stopped.reference},10.00\r\n`
    const imported = await api.as(admin).post('/payout-statements', {
      account: 'Bank',
      fileName: 'statement.csv',
      content: Buffer.from(content).toString('base64'),
      mapping: STATEMENT_MAPPING,
    })
    assert.equal(imported.body.counts?.confirmed, 1, imported.text)
    assert.equal((await read(admin, batch)).state, 'reconciled')
  })

  test('a payout that was taken out of the file is marked as failed, and its coins stay on hold', async () => {
    const { admin, batch, requests } = await aReleasedBatch(1)
    await exportAs(admin, batch)
    await freeze(admin, requests[0])
    const [stopped] = (await read(admin, batch)).payouts as [Payout]
    const failure = { reason: 'Not uploaded', returnCoins: false }
    const failed = await api.as(admin).post(`/payouts/${stopped._id}/fail`, failure)
    assert.equal(failed.body.modifiedCount, 1)
    const paid = await api.as(admin).patch(`/withdraw-status/${requests[0].id}`, { status: 'approved' })
    assert.equal(paid.body.error.code, 'withdrawal_frozen')
    assert.equal(await balanceOf(api.database, requests[0].worker), 10)
  })

  test('a payout by hand that is stopped is confirmed separately, not with its batch', async () => {
    const { admin, batch, requests } = await aReleasedBatch(2)
    await freeze(admin, requests[0])
    const all = await api.as(admin).post(`/payout-batches/${batch}/confirm`, {})
    assert.equal(all.body.modifiedCount, 1)
    const { payouts } = await read(admin, batch)
    assert.deepEqual(
      payouts.map(({ state }) => state),
      ['sent', 'confirmed'],
    )
    const one = await api.as(admin).post(`/payouts/${payouts[0]?._id}/confirm`, {})
    assert.equal(one.body.modifiedCount, 1, 'It was paid before the freeze')
  })

  test('concurrent freezes and exports: a request that is frozen first is in no file', async () => {
    for (let round = 0; round < 8; round++) {
      const { admin, batch, requests } = await aReleasedBatch(3)
      const other = await anAdmin(api.database)
      const responses = await Promise.all([
        exportAs(admin, batch),
        freeze(other, requests[1] as TestRequest),
        exportAs(other, batch, round % 2 === 0 ? 'Neutral' : 'Wise'),
      ])
      assert.deepEqual(
        responses.filter(({ status }) => status >= 500).map(({ text }) => text),
        [],
      )
      const { payouts } = await read(admin, batch)
      const stopped = payouts[1] as Payout
      for (const { _id, stopped: warned } of await filesOf(admin, batch)) {
        const references = await referencesIn(admin, _id)
        assert.equal(references.includes(stopped.reference), stopped.state === 'sent')
        assert.deepEqual(warned, stopped.state === 'sent' ? [stopped.reference] : [])
      }
      assert.notEqual((await filesOf(admin, batch)).length, 0)
    }
  })

  test('a batch with a provider has no file', async () => {
    const { admin, batch, requests } = await aReleasedBatch(1, 'sandbox')
    await freeze(admin, requests[0])
    assert.match((await exportAs(admin, batch)).body.error.message, /A file would pay it again/)
    assert.equal((await read(admin, batch)).payouts[0]?.state, 'sent')
  })
})
