import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { anAdmin, atOnce, type TestUser } from '#tests/support/factories.ts'
import { anAccountNumber, aRequest } from '#tests/support/payouts.ts'
import { changeSettings } from '#tests/support/settings.ts'
import { assessNewRequests } from './assess-new.ts'

describe('a withdrawal request without an assessment', () => {
  const api = useApi()
  afterEach(() => changeSettings(api.database, 'risk', { reviewScore: null }))

  const run = async (sql: string, values: unknown[] = []) => (await api.owner.query(sql, values)).rows
  const assessmentOf = async (id: string) =>
    (await run('select score, assessed_at, facts from risk_assessments where withdrawal_id = $1', [id]))[0]
  const isQueued = async (id: string) =>
    (await run('select from requests_to_assess where withdrawal_id = $1', [id])).length > 0
  const approve = (admin: TestUser, id: string) =>
    api.as(admin).patch(`/withdraw-status/${id}`, { status: 'approved' })

  test('is listed at once, and with its risk when the job has run, of which the Admins are notified', async () => {
    const admin = await anAdmin(api.database)
    const { id } = await aRequest(api.database)
    const listed = async () =>
      (await api.as(admin).get('/withdraw?limit=100')).body.find((one: { _id: string }) => one._id === id)
    assert.equal((await listed()).risk, undefined)
    await run('delete from outbox')
    assert.ok((await assessNewRequests(api.database)) >= 1)
    assert.ok((await listed()).risk.score > 0)
    const changes = await run(
      `select from outbox where user_id = $1 and payload ->> 'topic' = 'withdrawals'`,
      [admin.id],
    )
    assert.ok(changes.length > 0)
    assert.equal(await assessNewRequests(api.database), 0)
  })

  const steps: Record<string, (admin: TestUser, id: string) => Promise<unknown>> = {
    'a claim': (admin, id) => api.as(admin).post(`/payout-claims/${id}`, {}),
    'a batch': (admin, id) => api.as(admin).post('/payout-batches', { withdrawalIds: [id] }),
    'a payment': approve,
    'a decline': (admin, id) =>
      api.as(admin).patch(`/withdraw-status/${id}`, { status: 'declined', reason: 'Another number' }),
  }
  for (const [step, take] of Object.entries(steps))
    test(`is assessed by ${step}, before the coins move`, async () => {
      const admin = await anAdmin(api.database)
      const [{ id }, compared] = [await aRequest(api.database), await aRequest(api.database)]
      await assessNewRequests(api.database)
      const [expected] = await run('select facts from risk_assessments where withdrawal_id = $1', [
        compared.id,
      ])
      await run('delete from risk_assessments where withdrawal_id = $1', [id])
      await take(admin, id)
      const assessment = await assessmentOf(id)
      assert.equal(assessment?.facts.bonusPercent, expected.facts.bonusPercent)
    })

  test('is not paid by any way while its score stops it', async () => {
    await changeSettings(api.database, 'risk', { reviewScore: 1 })
    const [admin, second] = [await anAdmin(api.database), await anAdmin(api.database)]
    const [single, claimed, batched, exported] = await Promise.all(
      Array.from({ length: 4 }, () => aRequest(api.database)),
    )
    assert.ok(single && claimed && batched && exported)
    assert.equal((await approve(admin, single.id)).body.error.code, 'risk_review')
    assert.equal(await assessmentOf(single.id), undefined, 'what was refused has changed nothing')
    await api.as(admin).post(`/payout-claims/${claimed.id}`, {})
    assert.equal((await approve(admin, claimed.id)).body.error.code, 'risk_review')

    const batchOf = async (id: string) =>
      (await api.as(admin).post('/payout-batches', { withdrawalIds: [id] })).body.insertedId
    const batch = await batchOf(batched.id)
    await api.as(second).post(`/payout-batches/${batch}/check`)
    assert.equal(
      (await api.as(admin).post(`/payout-batches/${batch}/release`)).body.error.code,
      'risk_review',
    )

    // The setting comes after the release: the payout fails before it is in a file.
    await changeSettings(api.database, 'risk', { reviewScore: null })
    const released = await batchOf(exported.id)
    assert.equal((await api.as(admin).post(`/payout-batches/${released}/release`)).status, 200)
    await changeSettings(api.database, 'risk', { reviewScore: 1 })
    const [profile] = (await api.as(admin).get('/payout-file-profiles')).body
    const file = await api.as(admin).post(`/payout-batches/${released}/files`, { profileId: profile._id })
    assert.equal(file.status, 409, file.text)
    const paid = await run(`select from ledger_transfers where kind = 'withdrawal_paid' and ref = any ($1)`, [
      [single.id, claimed.id, batched.id, exported.id],
    ])
    assert.equal(paid.length, 0)
  })

  test('is stopped while there is a setting', async () => {
    const { id } = await aRequest(api.database, { accountNumber: anAccountNumber() })
    const stopped = async () => (await run('select is_stopped_by_risk($1) as stopped', [id]))[0].stopped
    assert.equal(await stopped(), false)
    await changeSettings(api.database, 'risk', { reviewScore: 100 })
    assert.equal(await stopped(), true)
    await assessNewRequests(api.database)
    assert.equal(await stopped(), false)
  })

  test('waits for the next run while another transaction decides on it, and keeps an assessment that it has', async () => {
    const { id } = await aRequest(api.database)
    const client = await api.database.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from withdrawals where id = $1 for no key update', [id])
      await assessNewRequests(api.database)
      assert.equal(await isQueued(id), true)
      await client.query('select assess_risk($1)', [id])
      await client.query('commit')
    } finally {
      client.release()
    }
    const before = await assessmentOf(id)
    assert.equal(await assessNewRequests(api.database), 1)
    assert.deepEqual([await isQueued(id), await assessmentOf(id)], [false, before])
  })

  test('is assessed and paid once by concurrent jobs and Admins', async () => {
    const admins = await Promise.all([anAdmin(api.database), anAdmin(api.database)])
    for (let round = 0; round < 6; round++) {
      const { id } = await aRequest(api.database)
      const responses = await atOnce(8, async (index) => {
        const admin = admins[index % 2] as TestUser
        if (index < 3) return assessNewRequests(api.database)
        if (index < 5) return (await api.as(admin).post(`/withdrawals/${id}/risk-assessment`)).status
        return (await approve(admin, id)).status
      })
      const failed = responses.filter((one) => one.status === 'rejected' || one.value >= 500)
      assert.deepEqual(failed, [])
      await assessNewRequests(api.database)
      assert.ok(await assessmentOf(id))
      assert.equal(await isQueued(id), false)
      const paid = await run(`select from ledger_transfers where kind = 'withdrawal_paid' and ref = $1`, [id])
      assert.equal(paid.length, 1)
    }
  })
})
