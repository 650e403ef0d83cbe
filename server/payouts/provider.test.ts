import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ReceiptDocument } from '#contract/receipts.ts'
import type { Database } from '#server/database/database.ts'
import { receiptSheet } from '#server/receipts/receipt-sheet.ts'
import { useApi } from '#tests/support/api.ts'
import { atTime, later } from '#tests/support/clock.ts'
import { anAdmin, atOnce, aWorker, type TestUser } from '#tests/support/factories.ts'
import { aRequest, payoutsOf } from '#tests/support/payouts.ts'
import { createSandboxPayouts } from './sandbox-provider.ts'
import { payoutWarnings, queryPayouts, sendPayouts } from './send.ts'

describe('payouts by a provider', () => {
  const api = useApi({ payoutProvider: 'sandbox' })
  const send = (database: Database) => sendPayouts(database, createSandboxPayouts(database))
  const ask = (minutes: number) =>
    atTime(api.url, later(new Date(), { minutes }), (database) =>
      queryPayouts(database, createSandboxPayouts(database)),
    )

  /** Releases a batch of requests to these account numbers. */
  async function aReleasedBatch(...endings: string[]) {
    const admin = await anAdmin(api.database)
    const requests = await Promise.all(
      endings.map((ending) => aRequest(api.database, { accountNumber: `017123456${ending}` })),
    )
    const ids = requests.map(({ id }) => id)
    const created = await api.as(admin).post('/payout-batches', { withdrawalIds: ids, provider: 'sandbox' })
    assert.equal(created.status, 201, created.text)
    const batch = created.body.insertedId as string
    await api.as(admin).post(`/payout-batches/${batch}/release`)
    const states = async () =>
      (await Promise.all(ids.map((id) => payoutsOf(api.database, id)))).map(
        (payouts) => payouts.at(-1)?.state,
      )
    const payments = async () =>
      Number(
        (
          await api.database.pool.query(
            `select count(*) from sandbox_payouts join payouts using (reference) where withdrawal_id = any ($1)`,
            [ids],
          )
        ).rows[0].count,
      )
    return { admin, ids, batch, states, payments }
  }

  test('a draft says which provider can pay it, and an Admin chooses it until the batch is checked', async () => {
    const [admin, other] = [await anAdmin(api.database), await anAdmin(api.database)]
    const { id } = await aRequest(api.database)
    const { insertedId: batch } = (await api.as(admin).post('/payout-batches', { withdrawalIds: [id] })).body
    const read = async () => (await api.as(admin).get(`/payout-batches/${batch}`)).body
    const choose = (by: TestUser, provider: string | null) =>
      api.as(by).put(`/payout-batches/${batch}/provider`, { provider })
    assert.deepEqual([(await read()).providers, (await read()).provider], [['sandbox'], null])
    const chosen = await Promise.all([choose(admin, 'sandbox'), choose(other, 'sandbox')])
    assert.deepEqual(
      chosen.map(({ body }) => body.modifiedCount).toSorted((a, b) => a - b),
      [0, 1],
    )
    assert.equal((await read()).provider, 'sandbox')
    assert.equal((await choose(admin, null)).body.modifiedCount, 1)
    assert.equal((await choose(admin, 'bkash')).status, 422)
    await api.as(admin).post(`/payout-batches/${batch}/check`)
    assert.equal((await choose(other, 'sandbox')).body.error.code, 'state_conflict')
    assert.equal((await choose(await aWorker(api.database), 'sandbox')).status, 403)
  })

  test('concurrent jobs submit each payout to the provider once', async () => {
    const { states, payments } = await aReleasedBatch('10', '11', '12')
    await atOnce(4, () => send(api.database))
    assert.deepEqual([await states(), await payments()], [['confirmed', 'confirmed', 'confirmed'], 3])
  })

  test('a payout that was marked long before the provider would be called is not given to it', async () => {
    const { states, payments } = await aReleasedBatch('15')
    await api.owner.query(
      `create function eleven_minutes_pass() returns trigger language plpgsql as
         'begin new.submitted_at := new.submitted_at - interval ''11 minutes''; return new; end';
       create trigger eleven_minutes_pass before update of submitted_at on payouts for each row execute function eleven_minutes_pass()`,
    )
    try {
      await send(api.database)
    } finally {
      await api.owner.query('drop function eleven_minutes_pass cascade')
    }
    assert.deepEqual([await states(), await payments()], [['sent'], 0])
    await ask(60)
    assert.deepEqual([await states(), await payments()], [['failed'], 0])
  })

  test('payouts that move no money have receipts with numbers of their own, and a notice', async () => {
    const { admin, ids } = await aReleasedBatch('13')
    const { id } = await aRequest(api.database, { accountNumber: '01712345614' })
    await send(api.database)
    await api.as(admin).patch(`/withdraw-status/${id}`, { status: 'approved' })
    const [test, real] = await Promise.all(
      [ids[0], id].map(async (of) => (await api.as(admin).get(`/receipts/${of}`)).body as ReceiptDocument),
    )
    assert.ok(test && real)
    assert.match(test.number, /^TEST-P-\d{6}$/)
    assert.deepEqual([test.real, real.real], [false, true])
    assert.equal(receiptSheet(test, 'UTC', 'en').notice, 'Test mode: no real money was sent.')
    assert.equal(real.number, 'P-000001')
  })

  test('timeouts are unknown until the status query, and nothing is sent again', async () => {
    const { admin, ids, states, payments } = await aReleasedBatch('91', '92')
    await send(api.database)
    assert.deepEqual(await states(), ['unknown', 'unknown'])
    const [first] = await payoutsOf(api.database, ids[0] as string)
    const byHand = await api.as(admin).post(`/payouts/${first?.id}/confirm`, {})
    assert.equal(byHand.body.error.code, 'payout_under_way')
    await send(api.database)
    await ask(2)
    assert.deepEqual(await states(), ['confirmed', 'unknown'])
    await ask(61)
    await send(api.database)
    assert.deepEqual([await states(), await payments()], [['confirmed', 'failed'], 1])
  })

  test('a payout whose query fails does not delay that of another', async () => {
    const { states } = await aReleasedBatch('91', '91')
    await send(api.database)
    const provider = createSandboxPayouts(api.database)
    let queries = 0
    const find = async (reference: string) => {
      if (queries++ === 0) throw new Error('The provider does not respond')
      return provider.find(reference)
    }
    const inTwoMinutes = later(new Date(), { minutes: 2 })
    await assert.rejects(
      atTime(api.url, inTwoMinutes, (database) => queryPayouts(database, { ...provider, find })),
      AggregateError,
    )
    assert.deepEqual(
      (await states()).toSorted((a, b) => String(a).localeCompare(String(b))),
      ['confirmed', 'unknown'],
    )
    await ask(2)
    assert.deepEqual(await states(), ['confirmed', 'confirmed'])
  })

  test('a payout can fail at once, or later, or be paid later', async () => {
    const { states } = await aReleasedBatch('93', '94', '95')
    await send(api.database)
    assert.deepEqual(await states(), ['failed', 'sent', 'sent'])
    await ask(2)
    assert.deepEqual(await states(), ['failed', 'sent', 'sent'])
    await ask(3)
    assert.deepEqual(await states(), ['failed', 'failed', 'confirmed'])
  })

  test('a payout that was submitted before the server died is not sent again', async () => {
    const { ids, states, payments } = await aReleasedBatch('20')
    const [payout] = await payoutsOf(api.database, ids[0] as string)
    await api.database.pool.query('select submit_payout($1)', [payout?.id])
    await send(api.database)
    assert.deepEqual([await states(), await payments()], [['sent'], 0])
    await ask(61)
    assert.deepEqual(await states(), ['failed'])
  })

  test('the provider refuses a reference that it has already', async () => {
    const provider = createSandboxPayouts(api.database)
    const order = {
      reference: 'TW1',
      system: 'Bkash' as const,
      accountNumber: '01712345600',
      holderName: '',
      cents: 1000,
      poisha: null,
    }
    await provider.pay(order)
    await assert.rejects(provider.pay(order), { name: 'Error', message: 'TW1' })
  })

  test('without its provider a payout that was not submitted is warned of, and fails by an Admin', async () => {
    const { admin, ids, states, payments } = await aReleasedBatch('41', '95')
    const [first, second] = (await Promise.all(ids.map((id) => payoutsOf(api.database, id)))).map(
      ([payout]) => payout?.id,
    )
    const fail = (payout: string | undefined) =>
      api.as(admin).post(`/payouts/${payout}/fail`, { reason: 'No provider', returnCoins: false })
    const [warning] = await payoutWarnings(api.database, { payoutProvider: 'none' })
    assert.match(warning ?? '', /wait for the provider sandbox/)
    assert.deepEqual(await payoutWarnings(api.database, { payoutProvider: 'sandbox' }), [])
    assert.equal((await fail(first)).body.modifiedCount, 1)
    await send(api.database)
    assert.deepEqual([await states(), await payments()], [['failed', 'sent'], 1])
    assert.equal((await fail(second)).body.error.code, 'payout_under_way')
  })

  test('an Admin cannot mark a payout as unknown: it is sent after that', async () => {
    const { admin, ids, states, payments } = await aReleasedBatch('40')
    const [payout] = await payoutsOf(api.database, ids[0] as string)
    const marked = await api
      .as(admin)
      .post(`/payouts/${payout?.id}/unknown`, { reason: 'The portal timed out' })
    assert.equal(marked.body.error?.code, 'payout_under_way')
    await send(api.database)
    assert.deepEqual([await states(), await payments()], [['confirmed'], 1])
  })

  test('a request that is frozen after the release is not sent', async () => {
    const { admin, ids, states, payments } = await aReleasedBatch('30')
    await api.as(admin).post(`/withdrawals/${ids[0]}/freezes`, { reason: 'A ring' })
    await send(api.database)
    assert.deepEqual([await states(), await payments()], [['failed'], 0])
  })
})

describe('without a provider', () => {
  const api = useApi()

  test('a batch cannot name one', async () => {
    const { id } = await aRequest(api.database)
    const body = { withdrawalIds: [id], provider: 'sandbox' }
    const admin = api.as(await anAdmin(api.database))
    assert.equal((await admin.post('/payout-batches', body)).status, 409)
    const { insertedId } = (await admin.post('/payout-batches', { withdrawalIds: [id] })).body
    assert.deepEqual((await admin.get(`/payout-batches/${insertedId}`)).body.providers, [])
    const chosen = await admin.put(`/payout-batches/${insertedId}/provider`, { provider: 'sandbox' })
    assert.match(chosen.body.error.message, /not set up here/)
  })
})
