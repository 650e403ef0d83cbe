import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PayoutBatchDetails } from '#contract/payouts.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useApi } from '#tests/support/api.ts'
import { anAdmin, aWorker, balanceOf, type TestUser } from '#tests/support/factories.ts'
import { anAccountNumber, aRequest, STATEMENT_MAPPING, type TestRequest } from '#tests/support/payouts.ts'
import { changeSettings } from '#tests/support/settings.ts'
import { readCsv } from './files/csv.ts'

describe('attacks on payouts', () => {
  const api = useApi()
  const read = async (admin: TestUser, batch: string): Promise<PayoutBatchDetails> =>
    (await api.as(admin).get(`/payout-batches/${batch}`)).body
  const step = (admin: TestUser, batch: string, name: string) =>
    api.as(admin).post(`/payout-batches/${batch}/${name}`, {})
  const statusOf = async ({ id }: TestRequest) =>
    (await api.database.pool.query('select status from withdrawals where id = $1', [id])).rows[0]?.status

  async function aBatch(requests: readonly TestRequest[]) {
    const admin = await anAdmin(api.database)
    const withdrawalIds = requests.map(({ id }) => id)
    const { body, text } = await api.as(admin).post('/payout-batches', { withdrawalIds })
    assert.ok(body.insertedId, text)
    return { admin, batch: body.insertedId as string }
  }
  async function exportFile(admin: TestUser, batch: string): Promise<string[][]> {
    const [profile] = (await api.as(admin).get('/payout-file-profiles')).body
    const made = await api.as(admin).post(`/payout-batches/${batch}/files`, { profileId: profile._id })
    const { text } = await api.as(admin).get(`/payout-files/${made.body.insertedId}/csv`)
    return readCsv(Buffer.from(text)).slice(1)
  }
  const importLine = async (admin: TestUser, account: string, line: string) =>
    (
      await api.as(admin).post('/payout-statements', {
        account,
        fileName: 'statement.csv',
        content: Buffer.from(`TrxID,Reference,Amount\r\n${line}`).toString('base64'),
        mapping: STATEMENT_MAPPING,
      })
    ).body.counts

  test('a worker who changes the destination after the check is paid to the checked one', async () => {
    const worker = await aWorker(api.database, { coins: 400 })
    const destination = { payment_system: 'Bkash', accountNumber: '01712345678', holderName: 'Rafi' }
    const { body: saved } = await api.as(worker).post('/payout-destinations', destination)
    const { body } = await api.as(worker).post(`/withdraw/${worker.email}`, {
      withdrawalCoin: 200,
      payment_system: 'Bkash',
      accountNumber: '01712345678',
      destinationId: saved._id,
    })
    const { admin, batch } = await aBatch([{ id: body.insertedId, worker }])
    await step(admin, batch, 'check')
    const change = { ...destination, accountNumber: '01999999999', holderName: 'Somebody' }
    const changed = await api.as(worker).patch(`/payout-destinations/${saved._id}`, change)
    assert.equal(changed.status, 200, changed.text)
    await step(admin, batch, 'release')
    const [row = []] = await exportFile(admin, batch)
    assert.ok(
      row.some((cell) => cell.endsWith('01712345678')),
      row.join(),
    )
    assert.ok(!row.join().includes('01999999999') && !row.join().includes('Somebody'))
  })

  test('a request that stops the release of its batch is marked, and the refusal names its worker', async () => {
    const requests: TestRequest[] = []
    for (const _ of [1, 2, 3, 4])
      requests.push(await aRequest(api.database, { accountNumber: anAccountNumber() }))
    const [first, second, third] = requests as [TestRequest, TestRequest, TestRequest]
    const { admin, batch } = await aBatch(requests)
    const freeze = (path: string) => api.as(admin).post(`${path}/freezes`, { reason: 'A ring' })
    const stops = [
      [first, () => freeze(`/users/${first.worker.id}`), 'The account of NAME is frozen. End'],
      [second, () => freeze(`/withdrawals/${second.id}`), 'The request of NAME is frozen. End'],
      [
        third,
        async () => {
          await api.owner.query(
            `insert into risk_assessments (withdrawal_id, score, reasons, facts) values ($1, 100, '[]', '{}')
             on conflict (withdrawal_id) do update set score = 100, assessed_at = clock_time()`,
            [third.id],
          )
          await changeSettings(api.database, 'risk', { reviewScore: 100 })
        },
        'The request of NAME was stopped',
      ],
    ] as const
    for (const [{ worker }, stop, sentence] of stops) {
      await stop()
      const { message } = (await step(admin, batch, 'release')).body.error
      assert.ok(message.startsWith(sentence.replace('NAME', worker.name)), message)
      const stopped = (await read(admin, batch)).payouts.filter((payout) => payout.stopped)
      assert.deepEqual(
        stopped.map(({ workerId }) => workerId),
        [worker.id],
      )
      await api.as(admin).delete(`/payouts/${stopped[0]?._id}`)
    }
    assert.equal((await step(admin, batch, 'release')).body.modifiedCount, 1)
    await changeSettings(api.database, 'risk', { reviewScore: null })
  })

  test('workers who are deleted or frozen between the check and the release are not paid, and the others are', async () => {
    const requests = [
      await aRequest(api.database),
      await aRequest(api.database),
      await aRequest(api.database),
    ] as const
    const [deleted, frozen, honest] = requests
    const { admin, batch } = await aBatch(requests)
    await step(admin, batch, 'check')
    assert.equal(await deleteUser(api.database, deleted.worker.id, admin.id), 1)
    await api.as(admin).post(`/users/${frozen.worker.id}/freezes`, { reason: 'A ring' })
    assert.equal((await step(admin, batch, 'release')).body.error.code, 'account_frozen')
    const before = await read(admin, batch)
    const own = before.payouts.find(({ withdrawalId }) => withdrawalId === frozen.id)
    assert.equal((await api.as(admin).delete(`/payouts/${own?._id}`)).body.modifiedCount, 1)
    assert.equal((await step(admin, batch, 'release')).body.modifiedCount, 1)
    const { cents, counts } = await read(admin, batch)
    assert.deepEqual([cents, counts.sent, counts.removed], [1000, 1, 2])
    assert.equal((await exportFile(admin, batch)).length, 1)
    await step(admin, batch, 'confirm')
    assert.deepEqual(await Promise.all(requests.map(statusOf)), ['cancelled', 'pending', 'approved'])
    assert.equal(await balanceOf(api.database, honest.worker), 10)
  })

  test('a worker who is deleted between the file and the confirmation gets no coins back', async () => {
    const request = await aRequest(api.database)
    const { admin, batch } = await aBatch([request])
    await step(admin, batch, 'release')
    await exportFile(admin, batch)
    assert.equal(await deleteUser(api.database, request.worker.id, admin.id), 1)
    const declined = await api
      .as(admin)
      .patch(`/withdraw-status/${request.id}`, { status: 'declined', reason: 'Deleted' })
    assert.equal(declined.body.error.code, 'payout_under_way')
    const [payout] = (await read(admin, batch)).payouts
    assert.deepEqual(await importLine(admin, 'Bank', `TX1,${payout?.reference},10.00`), {
      confirmed: 1,
      failed: 0,
      settled: 0,
      repeated: 0,
      pending: 0,
      ignored: 0,
      cases: 0,
    })
    assert.equal(await statusOf(request), 'approved')
    assert.equal(await balanceOf(api.database, request.worker), 0)
  })

  test('a payment that two statements of two accounts list is booked once, and the other is a case', async () => {
    const request = await aRequest(api.database)
    const { admin, batch } = await aBatch([request])
    await step(admin, batch, 'release')
    const [payout] = (await read(admin, batch)).payouts
    const counts = []
    for (const [account, transaction] of [
      ['Bank', 'TWICE-1'],
      ['Wallet', 'TWICE-1'],
      ['Bank', 'TWICE-2'],
      ['Bank', 'TWICE-1'],
    ] as const) {
      const { confirmed, cases, repeated } = await importLine(
        admin,
        account,
        `${transaction},${payout?.reference},10.00`,
      )
      counts.push([confirmed, cases, repeated])
    }
    assert.deepEqual(counts, [
      [1, 0, 0],
      [0, 1, 0],
      [0, 1, 0],
      [0, 0, 1],
    ])
    const { rows } = await api.database.pool.query(
      `select from ledger_transfers where kind = 'withdrawal_paid' and ref = $1`,
      [request.id],
    )
    assert.equal(rows.length, 1)
  })

  test('a line of less than the payout, or of more, returns and pays nothing', async () => {
    const request = await aRequest(api.database)
    const { admin, batch } = await aBatch([request])
    await step(admin, batch, 'release')
    const [payout] = (await read(admin, batch)).payouts
    for (const amount of ['9.99', '10.01', '0.00', '-10.00']) {
      const { confirmed, failed, cases } = await importLine(
        admin,
        'Bank',
        `TX${amount},${payout?.reference},${amount}`,
      )
      assert.deepEqual([confirmed, failed, cases], [0, 0, 1], amount)
    }
    assert.deepEqual(
      [await statusOf(request), await balanceOf(api.database, request.worker)],
      ['pending', 10],
    )
  })
})
