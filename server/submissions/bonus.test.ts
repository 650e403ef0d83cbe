import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, aPendingSubmission, atOnce, balanceOf } from '#tests/support/factories.ts'
import { approveSubmission } from './approve.ts'

describe('bonus', () => {
  const api = useApi()

  async function approvedWork() {
    const made = await aPendingSubmission(api.database, { slots: 1, reward: 10 })
    await approveSubmission(api.database, made.submissionId, made.buyer.id)
    return { ...made, path: `/submissions/${made.submissionId}/bonus` }
  }

  test('is paid once per idempotency key, with a message for the worker', async () => {
    const { buyer, worker, path } = await approvedWork()
    const key = { 'idempotency-key': 'a-bonus' }
    const responses = await atOnce(6, () => api.as(buyer).post(path, { coins: 7, message: 'Well done' }, key))
    assert.ok(responses.every((response) => response.status === 'fulfilled' && response.value.status < 500))
    const again = await api.as(buyer).post(path, { coins: 7, message: 'Well done' }, key)
    assert.equal(again.status, 200, again.text)
    assert.equal(await balanceOf(api.database, worker), 10 + 10 + 7)
    assert.equal(await balanceOf(api.database, buyer), 50 - 7)

    const [notice] = (await api.as(worker).get(`/notifications/${worker.email}`)).body
    assert.match(notice.message, /gave you a bonus of 7 coins for "Label ten photos"\. Well done/)
    const [line] = (await api.as(buyer).get(`/statement/${buyer.email}`)).body
    assert.deepEqual([line.kind, line.coins, line.text], ['bonus_paid', -7, 'Bonus for "Label ten photos"'])
    assert.equal((await api.as(worker).get('/worker-stats')).body.totalEarning, 17)
    assert.equal((await api.as(buyer).get('/buyer-stats')).body.totalPaid, 17)
  })

  test('is refused for other work, undecided work, and without enough coins', async () => {
    const { path } = await approvedWork()
    const stranger = await aBuyer(api.database)
    assert.equal((await api.as(stranger).post(path, { coins: 1 })).status, 404)
    const pending = await aPendingSubmission(api.database)
    const early = await api.as(pending.buyer).post(`/submissions/${pending.submissionId}/bonus`, { coins: 1 })
    assert.equal(early.body.error.code, 'state_conflict')
    const { buyer, path: own } = await approvedWork()
    assert.equal((await api.as(buyer).post(own, { coins: 51 })).body.error.code, 'insufficient_coins')
    for (const coins of [0, -1, 1.5, '1', 1_000_001]) {
      const { status } = await api.as(buyer).post(own, { coins })
      assert.ok(status === 400 || status === 422, `${coins}: ${status}`)
    }
  })
})
