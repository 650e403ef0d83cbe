import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '#tests/support/eventually.ts'
import { anAdmin, aWorker, type TestUser } from '#tests/support/factories.ts'
import { codeOf, REASON, REQUEST, useFreezes } from '#tests/support/freezes.ts'
import { inOpenTransaction, lockWaits } from '#tests/support/lock-waits.ts'
import { runMigration } from '#tests/support/migrations.ts'
import { payoutsOf } from '#tests/support/payouts.ts'

describe('freezes of withdrawal requests', () => {
  const { api, balance, messagesOf, freeze, aRequest, pay } = useFreezes()

  test('a frozen worker cannot request, and a request of theirs is not paid but can be declined', async () => {
    const { worker, id } = await aRequest()
    const { admin, freezeId } = await freeze(worker)
    assert.equal(codeOf(await api.as(worker).post(`/withdraw/${worker.email}`, REQUEST)), 'account_frozen')
    assert.equal(codeOf(await pay(admin, id)), 'account_frozen')
    const declined = await api.as(admin).patch(`/withdraw-status/${id}`, { status: 'declined', reason: 'No' })
    assert.equal(declined.body.modifiedCount, 1)
    assert.equal(await balance(worker), 310)
    await api.as(admin).post(`/freezes/${freezeId}/end`, { reason: 'Explained' })
    assert.equal(codeOf(await api.as(worker).post(`/withdraw/${worker.email}`, REQUEST)), 'done')
  })

  test('a frozen request is not paid; the worker reads why and responds, an Admin ends it and pays', async () => {
    const { worker, id } = await aRequest()
    const admin = await anAdmin(api.database)
    const frozen = await api.as(admin).post(`/withdrawals/${id}/freezes`, REASON)
    assert.equal(frozen.body.modifiedCount, 1, frozen.text)
    const again = await api.as(admin).post(`/withdrawals/${id}/freezes`, { reason: 'Another' })
    assert.deepEqual(again.body, { ...frozen.body, modifiedCount: 0 })
    assert.equal(codeOf(await pay(admin, id)), 'withdrawal_frozen')

    const [own] = (await api.as(worker).get('/my-freezes')).body
    assert.deepEqual(
      [own.subject, own.withdrawalId, own.coins, own.reason],
      ['withdrawal', id, 200, REASON.reason],
    )
    const path = `/freezes/${frozen.body.freezeId}`
    const stranger = await aWorker(api.database)
    assert.equal((await api.as(stranger).post(`${path}/response`, { text: 'Mine' })).status, 404)
    assert.equal((await api.as(worker).post(`${path}/response`, { text: 'It is my number' })).status, 200)
    assert.match((await messagesOf(admin)).join(), /responded to a freeze: It is my number/)
    const listed = (await api.as(admin).get(`/freezes?user=${worker.id}`)).body
    assert.deepEqual(
      listed.map((one: { response: string; email: string }) => [one.response, one.email]),
      [['It is my number', worker.email]],
    )
    assert.ok((await api.as(admin).get('/freezes')).body.some((one: { _id: string }) => one._id === own._id))

    const end = () => api.as(admin).post(`${path}/end`, { reason: 'Confirmed by phone' })
    assert.equal((await end()).body.modifiedCount, 1)
    assert.equal((await end()).body.modifiedCount, 0)
    assert.equal((await api.as(worker).post(`${path}/response`, { text: 'Late' })).status, 404)
    assert.equal((await pay(admin, id)).body.modifiedCount, 1)
    assert.equal(codeOf(await api.as(admin).post(`/withdrawals/${id}/freezes`, REASON)), 'already_decided')
    assert.equal((await pay(admin, id)).body.modifiedCount, 0)
    const acts = (await api.as(admin).get('/admin-record?limit=3')).body.map(
      ({ act }: { act: string }) => act,
    )
    assert.deepEqual(acts, ['withdrawal_approved', 'freeze_ended', 'withdrawal_frozen'])
    assert.equal((await messagesOf(worker)).filter((text) => /no longer frozen/.test(text)).length, 1)
  })

  test('a freeze ends with its request and with its user', async () => {
    const admin = await anAdmin(api.database)
    const liveOf = async (user: TestUser) =>
      (await api.as(admin).get(`/freezes?user=${user.id}`)).body.filter(
        ({ endedAt }: { endedAt: string | null }) => endedAt === null,
      ).length
    const declined = await aRequest()
    await api.as(admin).post(`/withdrawals/${declined.id}/freezes`, REASON)
    assert.equal(await liveOf(declined.worker), 1)
    await api.as(admin).patch(`/withdraw-status/${declined.id}`, { status: 'declined', reason: 'No' })
    assert.equal(await liveOf(declined.worker), 0)
    assert.equal(
      (await messagesOf(declined.worker)).filter((text) => /no longer frozen/.test(text)).length,
      0,
    )

    const sent = await aRequest()
    const { body: batch } = await api.as(admin).post('/payout-batches', { withdrawalIds: [sent.id] })
    await api.as(admin).post(`/payout-batches/${batch.insertedId}/release`)
    await api.as(admin).post(`/withdrawals/${sent.id}/freezes`, REASON)
    const [payout] = await payoutsOf(api.database, sent.id)
    assert.equal(
      (await api.as(admin).post(`/payouts/${payout?.id}/confirm`, { transactionId: '' })).status,
      200,
    )
    assert.equal(await liveOf(sent.worker), 0)

    const deleted = await aRequest()
    await freeze(deleted.worker)
    await api.as(admin).post(`/withdrawals/${deleted.id}/freezes`, REASON)
    assert.equal(await liveOf(deleted.worker), 2)
    assert.equal((await api.as(admin).delete(`/delete-user/${deleted.worker.id}`)).status, 200)
    assert.equal(await liveOf(deleted.worker), 0)
  })

  test('a payout in flight stays stopped when its worker is deleted, until its outcome is known', async () => {
    const admin = await anAdmin(api.database)
    const { worker, id } = await aRequest(500)
    const { body: other } = await api.as(worker).post(`/withdraw/${worker.email}`, REQUEST)
    const { body: batch } = await api
      .as(admin)
      .post('/payout-batches', { withdrawalIds: [id, other.insertedId] })
    await api.as(admin).post(`/payout-batches/${batch.insertedId}/release`)
    await freeze(worker)
    await api.as(admin).post(`/withdrawals/${id}/freezes`, REASON)
    assert.equal((await api.as(admin).delete(`/delete-user/${worker.id}`)).status, 200)
    const stopped = async () =>
      (await api.as(admin).get(`/payout-batches/${batch.insertedId}`)).body.payouts.map(
        (payout: { stopped: boolean }) => payout.stopped,
      )
    const live = async () => {
      const { rows } = await api.database.pool.query(
        'select withdrawal_id from freezes where user_id = $1 and ended_at is null order by number',
        [worker.id],
      )
      return rows.map(({ withdrawal_id }) => withdrawal_id)
    }
    await runMigration(api.owner, '0369_freezes_without_subject')
    assert.deepEqual(await live(), [null, id])
    assert.deepEqual(await stopped(), [true, true])

    const [ofRequest] = await payoutsOf(api.database, id)
    const failed = { reason: 'It was taken out of the file', returnCoins: true }
    assert.equal((await api.as(admin).post(`/payouts/${ofRequest?.id}/fail`, failed)).status, 200)
    assert.deepEqual(await live(), [null])
    const [last] = await payoutsOf(api.database, other.insertedId)
    await api.as(admin).post(`/payouts/${last?.id}/confirm`, { transactionId: '' })
    assert.deepEqual(await live(), [])
  })

  test('a request that is being declined is not frozen', async () => {
    const { worker, id } = await aRequest()
    const admin = await anAdmin(api.database)
    await inOpenTransaction(api.owner, async (declining) => {
      await declining.query('select from withdrawals where id = $1 for no key update', [id])
      const freezing = api.as(admin).post(`/withdrawals/${id}/freezes`, REASON)
      await eventually(async () => (await lockWaits(api.owner)) === 1)
      await declining.query(`select return_withdrawal($1, 'declined', 'No', $2)`, [id, admin.id])
      await declining.query('commit')
      assert.equal(codeOf(await freezing), 'already_decided')
    })
    assert.equal(await balance(worker), 310)
  })

  test('the reason of the server is on the requests of the worker whom it froze', async () => {
    const { worker, id } = await aRequest()
    await api.database.pool.query(`select freeze_user($1, 'card', 'card_buyers')`, [worker.id])
    const admin = await anAdmin(api.database)
    const { body } = await api.as(admin).post(`/withdrawals/${id}/risk-assessment`)
    const [listed] = (await api.as(admin).get('/withdraw')).body.filter(
      (row: { _id: string }) => row._id === id,
    )
    for (const { freezes } of [body, listed.risk])
      assert.equal(freezes[0].reason, 'Your card was used by more accounts than are allowed.')
  })
})
