import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { deleteUser } from '#server/users/delete.ts'
import { useApi } from '#tests/support/api.ts'
import { later } from '#tests/support/clock.ts'
import { anAdmin, atOnce, balanceOf, type TestUser } from '#tests/support/factories.ts'
import { aRequest, payoutsOf } from '#tests/support/payouts.ts'
import { changeSettings } from '#tests/support/settings.ts'

type AuditEntry = { act: string; details: { transaction?: string } }

describe('single payouts', () => {
  const api = useApi()
  const pay = (admin: TestUser, id: string, body: object = {}) =>
    api.as(admin).patch(`/withdraw-status/${id}`, { status: 'approved', ...body })
  const decline = (admin: TestUser, id: string) =>
    api.as(admin).patch(`/withdraw-status/${id}`, { status: 'declined', reason: 'Wrong number' })
  const claim = (admin: TestUser, id: string, body: object = {}) =>
    api.as(admin).post(`/payout-claims/${id}`, body)
  const states = async (id: string) => (await payoutsOf(api.database, id)).map(({ state }) => state)
  const codeOf = ({ body }: { body: { error?: { code: string } } }) => body.error?.code

  test('a single payment is a batch of one, with the transaction id', async () => {
    const admin = await anAdmin(api.database)
    const { id, worker } = await aRequest(api.database)
    assert.equal((await pay(admin, id, { transactionId: ' 9AB12C ' })).body.modifiedCount, 1)
    const [payout, ...others] = await payoutsOf(api.database, id)
    assert.deepEqual([payout?.state, payout?.transaction_id, others], ['confirmed', '9AB12C', []])
    const { rows } = await api.database.pool.query(
      'select single, state, row_count, coins, cents, created_by, released_by from payout_batches where id = $1',
      [payout?.batch_id],
    )
    assert.deepEqual(rows, [
      {
        single: true,
        state: 'reconciled',
        row_count: 1,
        coins: 200,
        cents: 1000,
        created_by: admin.id,
        released_by: admin.id,
      },
    ])
    assert.equal(await balanceOf(api.database, worker), 10)
    assert.equal((await pay(admin, id)).body.modifiedCount, 0)
  })

  test('a repetition adds a transaction id that was missing, which is logged once, and another one is refused', async () => {
    const admin = await anAdmin(api.database)
    const { id } = await aRequest(api.database)
    await pay(admin, id)
    for (const transactionId of ['9AB12C', '9AB12C', ''])
      assert.equal((await pay(admin, id, { transactionId })).body.modifiedCount, 0)
    assert.equal((await payoutsOf(api.database, id))[0]?.transaction_id, '9AB12C')
    const { body: logged } = await api.as(admin).get(`/audit-log?admin=${admin.id}`)
    assert.deepEqual(
      logged.map(({ act, details }: AuditEntry) => [act, details.transaction]),
      [
        ['payout_transaction_added', '9AB12C'],
        ['withdrawal_approved', ''],
      ],
    )
    const refused = await pay(admin, id, { transactionId: '7XY00Z' })
    assert.deepEqual([refused.status, codeOf(refused)], [409, 'already_decided'])
  })

  test('a payment of another amount in taka than was shown is refused', async () => {
    const admin = await anAdmin(api.database)
    const [{ id }, other] = [await aRequest(api.database), await aRequest(api.database)]
    const enter = (rate: string) => api.as(admin).post('/exchange-rates', { rate, source: 'Test', hours: 1 })
    assert.equal((await pay(admin, other.id, { poisha: 121_500 })).body.error.code, 'state_conflict')
    await enter('121.5')
    await enter('122')
    for (const poisha of [121_500, null]) {
      const { status, body } = await pay(admin, id, { poisha })
      assert.deepEqual(
        [status, body.error.code, body.error.message],
        [
          409,
          'state_conflict',
          'The exchange rate has changed: this payment is now ৳1,220.00. Open it again before you confirm it.',
        ],
      )
    }
    assert.deepEqual(await states(id), [])
    assert.equal((await pay(admin, id, { poisha: 122_000 })).body.modifiedCount, 1)
    assert.equal((await pay(admin, id, { poisha: 121_500 })).body.modifiedCount, 0)
  })

  test('of two concurrent Admins exactly one pays, and the other gets 409', async () => {
    for (let round = 0; round < 8; round++) {
      const admins = [await anAdmin(api.database), await anAdmin(api.database)]
      const { id } = await aRequest(api.database)
      const responses = await Promise.all(admins.map((admin) => pay(admin, id)))
      assert.deepEqual(
        responses.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 409],
      )
      const [winner, loser] = responses[0]?.status === 200 ? responses : responses.toReversed()
      assert.equal(winner?.body.modifiedCount, 1)
      assert.equal(loser && codeOf(loser), 'already_decided')
      assert.deepEqual(await states(id), ['confirmed'])
    }
  })

  test('other Admins see who has a claimed request, and cannot pay or decline it', async () => {
    const [first, second] = [await anAdmin(api.database), await anAdmin(api.database)]
    const { id, worker } = await aRequest(api.database)
    assert.equal((await claim(first, id)).body.modifiedCount, 1)
    assert.equal((await claim(first, id)).body.modifiedCount, 0)
    const list = (await api.as(second).get('/withdraw?limit=100')).body
    const { payout } = list.find(({ _id }: { _id: string }) => _id === id)
    assert.deepEqual([payout.state, payout.claimedBy], ['queued', { _id: first.id, name: first.name }])
    for (const refused of [await pay(second, id), await decline(second, id), await claim(second, id)]) {
      assert.equal(refused.status, 409)
      assert.equal(refused.body.error.message, `${first.name} is paying this request.`)
    }
    assert.equal((await pay(first, id)).body.modifiedCount, 1)
    assert.equal(codeOf(await pay(second, id)), 'already_decided')
    assert.equal(await balanceOf(api.database, worker), 10)
  })

  test('a claim is released, or taken over with a reason', async () => {
    const [first, second] = [await anAdmin(api.database), await anAdmin(api.database)]
    const { id } = await aRequest(api.database)
    await claim(first, id)
    assert.equal(codeOf(await api.as(second).delete(`/payout-claims/${id}`)), 'claimed')
    assert.equal((await api.as(first).delete(`/payout-claims/${id}`)).body.modifiedCount, 1)
    assert.equal((await api.as(first).delete(`/payout-claims/${id}`)).body.modifiedCount, 0)
    await claim(first, id)
    assert.equal((await claim(second, id, { reason: 'They are on leave' })).body.modifiedCount, 1)
    assert.equal(codeOf(await pay(first, id)), 'claimed')
    const logged = (await api.as(second).get('/admin-record?limit=4')).body.map(
      ({ act, admin, details }: Record<string, unknown>) => [act, admin, details],
    )
    assert.deepEqual(logged, [
      ['payout_claim_taken_over', second.id, { from: first.id, reason: 'They are on leave' }],
      ['payout_claimed', first.id, {}],
      ['payout_claim_released', first.id, {}],
      ['payout_claimed', first.id, {}],
    ])
    assert.equal((await decline(second, id)).body.modifiedCount, 1)
    assert.deepEqual(await states(id), ['removed', 'removed'])
  })

  test('a request that is stopped is not claimed, but taken over to decline it', async () => {
    const [first, second] = [await anAdmin(api.database), await anAdmin(api.database)]
    const { id } = await aRequest(api.database)
    await claim(first, id)
    await api.as(second).post(`/withdrawals/${id}/freezes`, { reason: 'Under review' })
    assert.equal(codeOf(await claim(first, id)), 'withdrawal_frozen')
    assert.equal((await claim(second, id, { reason: 'They are on leave' })).body.modifiedCount, 1)
    assert.equal((await decline(second, id)).body.modifiedCount, 1)

    await changeSettings(api.database, 'risk', { reviewScore: 50 })
    const risky = await aRequest(api.database)
    await api.database.pool.query('select ensure_assessment($1)', [risky.id])
    await api.owner.query(
      'update risk_assessments set score = 60, assessed_at = $2 where withdrawal_id = $1',
      [risky.id, later(new Date(), { hours: 1 })],
    )
    assert.equal(codeOf(await claim(first, risky.id)), 'risk_review')
    assert.deepEqual(await states(risky.id), [])
    await changeSettings(api.database, 'risk', { reviewScore: null })
  })

  test('ten claims at once make one', async () => {
    const admins = await Promise.all(Array.from({ length: 5 }, () => anAdmin(api.database)))
    const { id } = await aRequest(api.database)
    const responses = await Promise.all([...admins, ...admins].map((admin) => claim(admin, id)))
    assert.equal(
      responses.reduce((sum, { body }) => sum + (body.modifiedCount ?? 0), 0),
      1,
    )
    assert.deepEqual(await states(id), ['queued'])
  })

  test('a concurrent claim, payment, decline and deletion move the coins once', async () => {
    for (let round = 0; round < 8; round++) {
      const [first, second] = [await anAdmin(api.database), await anAdmin(api.database)]
      const { id, worker } = await aRequest(api.database)
      await atOnce(
        4,
        (index) =>
          [
            () => claim(first, id),
            () => pay(second, id),
            () => decline(first, id),
            () => deleteUser(api.database, worker.id, first.id),
          ][index]?.() as Promise<unknown>,
      )
      assert.equal(await balanceOf(api.database, worker), 0)
    }
  })

  test('claims of missing, own and decided requests are refused', async () => {
    const admin = await anAdmin(api.database)
    assert.equal(codeOf(await claim(admin, randomUUID())), 'withdrawal_not_found')
    const { id, worker } = await aRequest(api.database)
    await api.as(admin).put(`/update-role/${worker.id}`, { value: 'Admin' })
    assert.equal(codeOf(await claim(worker, id)), 'yourself')
    await pay(admin, id)
    assert.equal(codeOf(await claim(admin, id)), 'already_decided')
  })

  test('no other statement approves a withdrawal, or deletes or changes a payout', async () => {
    const admin = await anAdmin(api.database)
    const { id } = await aRequest(api.database)
    await claim(admin, id)
    for (const statement of [
      `update withdrawals set status = 'approved', decided_at = now() where id = $1`,
      'delete from payouts where withdrawal_id = $1',
      'update payouts set coins = coins + 1 where withdrawal_id = $1',
      `update payouts set account_number = '01912345678' where withdrawal_id = $1`,
      `update payouts set state = 'confirmed', settled_at = now(), source = 'admin', sent_at = now() where withdrawal_id = $1`,
      `insert into payouts (id, batch_id, withdrawal_id, attempt, reference, payment_system, account_number, coins, cents)
       select gen_random_uuid(), batch_id, withdrawal_id, 2, 'TW2', payment_system, account_number, coins, cents
         from payouts where withdrawal_id = $1`,
    ]) {
      await assert.rejects(api.owner.query(statement, [id]), Error, statement)
    }
    assert.deepEqual(await states(id), ['queued'])
  })
})
