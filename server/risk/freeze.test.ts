import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Freeze } from '#contract/freezes.ts'
import { settleDueSubmissions } from '#server/submissions/settle-due.ts'
import { atTime, later } from '#tests/support/clock.ts'
import {
  aBuyer,
  anAdmin,
  aPendingSubmission,
  aTask,
  aWorker,
  type TestUser,
  taskBody,
  testConfig,
} from '#tests/support/factories.ts'
import { codeOf, REASON, REQUEST, useFreezes } from '#tests/support/freezes.ts'

describe('freezes', () => {
  const { api, balance, messagesOf, freeze, aRequest, pay } = useFreezes()

  test("a frozen buyer's coins cannot be spent in any way until the freeze ends", async () => {
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(api.database, {
      slots: 2,
      reward: 10,
    })
    const done = await aPendingSubmission(api.database, { slots: 1, reward: 10 })
    await api.as(done.buyer).patch(`/update-submission-status/${done.submissionId}`, { status: 'approved' })
    const closed = await aTask(api.database, buyer, { slots: 2, reward: 5 })
    await api.as(buyer).post(`/tasks/${closed}/close`)
    const rejected = await aPendingSubmission(api.database, { slots: 1, reward: 10 })
    await api.as(rejected.buyer).delete(`/submission-reject/${rejected.submissionId}`)

    const acts: [string, TestUser, () => ReturnType<ReturnType<typeof api.as>['post']>][] = [
      ['post', buyer, () => api.as(buyer).post('/add-task', taskBody({ slots: 1, reward: 5 }))],
      ['top up', buyer, () => api.as(buyer).post(`/tasks/${taskId}/slots`, { slots: 1 })],
      ['reopen', buyer, () => api.as(buyer).post(`/tasks/${closed}/reopen`)],
      [
        'approve',
        buyer,
        () => api.as(buyer).patch(`/update-submission-status/${submissionId}`, { status: 'approved' }),
      ],
      ['approve several', buyer, () => api.as(buyer).post('/submissions/approvals', { ids: [submissionId] })],
      [
        'bonus',
        done.buyer,
        () => api.as(done.buyer).post(`/submissions/${done.submissionId}/bonus`, { coins: 1 }),
      ],
      [
        'pay for another slot',
        rejected.buyer,
        () => api.as(rejected.buyer).post(`/submissions/${rejected.submissionId}/reopened-slot`),
      ],
      [
        'concede',
        rejected.buyer,
        () => api.as(rejected.buyer).post(`/submissions/${rejected.submissionId}/concession`),
      ],
    ]
    const frozen = await Promise.all([buyer, done.buyer, rejected.buyer].map(freeze))
    const before = await balance(buyer)
    for (const [name, , act] of acts) assert.equal(codeOf(await act()), 'account_frozen', name)
    assert.equal(await balance(buyer), before)
    assert.equal(await balance(worker), 10)

    for (const { admin, freezeId } of frozen)
      await api.as(admin).post(`/freezes/${freezeId}/end`, { reason: 'Explained' })
    for (const [name, , act] of acts) assert.equal(codeOf(await act()), 'done', name)
  })

  test('a repeated approval of a buyer who was frozen since reports the first one, and pays nothing more', async () => {
    const { buyer, worker, submissionId } = await aPendingSubmission(api.database, { slots: 1, reward: 10 })
    const approve = () =>
      api.as(buyer).patch(`/update-submission-status/${submissionId}`, { status: 'approved' })
    await approve()
    await freeze(buyer)
    const { body } = await approve()
    assert.deepEqual([body.matchedCount, body.modifiedCount], [1, 0])
    const { body: several } = await api.as(buyer).post('/submissions/approvals', { ids: [submissionId] })
    assert.deepEqual(several.results, [{ _id: submissionId, modified: false, error: null }])
    assert.equal(await balance(worker), 20)
  })

  test('a reversal of a final rejection needs a buyer who is not frozen', async () => {
    const made = await aPendingSubmission(api.database, { slots: 1, reward: 10 })
    await api.as(made.buyer).delete(`/submission-reject/${made.submissionId}`)
    await api.as(made.worker).post(`/submissions/${made.submissionId}/acceptance`)
    await freeze(made.buyer)
    const response = await api.as(made.buyer).post(`/submissions/${made.submissionId}/reversal`)
    assert.equal(codeOf(response), 'account_frozen')
  })

  test('work for a frozen buyer is submitted, and paid when the review period ends', async () => {
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(api.database)
    await freeze(buyer)
    const other = await aWorker(api.database)
    await freeze(other)
    const handedIn = await api.as(other).post('/submiteted-task', { taskId, submissoin_data: 'Done' })
    assert.equal(handedIn.status, 200, handedIn.text)
    await atTime(api.url, later(new Date(), { days: 8 }), (database) =>
      settleDueSubmissions(database, testConfig),
    )
    assert.deepEqual([await balance(worker), await balance(other)], [20, 20])
    const { body } = await api.as(buyer).get(`/task-to-review?email=${buyer.email}&status=approved`)
    assert.equal(body.length, 2)
    assert.ok(body.some(({ _id }: { _id: string }) => _id === submissionId))
  })

  test('an account has one live freeze of each cause, and moves coins when all have ended', async () => {
    const buyer = await aBuyer(api.database)
    const { admin, freezeId } = await freeze(buyer)
    const byServer = `select freeze_id, is_new from freeze_user($1, 'dispute', 'A payment is disputed')`
    const { rows } = await api.database.pool.query(byServer, [buyer.id])
    assert.equal(rows[0].is_new, true)
    assert.equal((await api.database.pool.query(byServer, [buyer.id])).rows[0].is_new, false)
    const post = () => api.as(buyer).post('/add-task', taskBody({ slots: 1, reward: 5 }))
    await api.as(admin).post(`/freezes/${freezeId}/end`, { reason: 'Explained' })
    assert.equal(codeOf(await post()), 'account_frozen')
    await api.database.pool.query(`select end_freeze($1, 'The dispute was won')`, [rows[0].freeze_id])
    assert.equal(codeOf(await post()), 'done')
  })

  test('reasons of the server are in the language of the reader, and those of Admins are as they were written', async () => {
    const [buyer, admin] = [await aBuyer(api.database), await anAdmin(api.database)]
    await api.as(buyer).put('/profile', { name: buyer.name, image: '', locale: 'bn' })
    await freeze(buyer)
    const { rows } = await api.database.pool.query(
      `select freeze_id from freeze_user($1, 'dispute', 'card_disputed')`,
      [buyer.id],
    )
    await api.database.pool.query(`select end_freeze($1, 'dispute_ended')`, [rows[0].freeze_id])
    const reasonsOf = async (path: string, reader: TestUser) =>
      (await api.as(reader).get(path)).body.map((row: Freeze) => [row.reason, row.endReason])
    const bangla = ['আপনার একটি কার্ড পেমেন্ট নিয়ে বিরোধ চলছে।', 'আপনার কার্ড পেমেন্ট নিয়ে বিরোধ শেষ হয়েছে।']
    assert.deepEqual(await reasonsOf('/my-freezes', buyer), [bangla, [REASON.reason, '']])
    assert.deepEqual(await reasonsOf(`/freezes?user=${buyer.id}`, admin), [
      ['A card payment of yours is disputed.', 'The dispute over your card payment has ended.'],
      [REASON.reason, ''],
    ])
    const { freezes } = (await api.as(buyer).get(`/my-data/${buyer.email}`)).body
    assert.deepEqual(
      freezes.map((row: { reason: string; end_reason: string }) => [row.reason, row.end_reason]),
      [bangla, [REASON.reason, '']],
    )
    const [ended, disputed] = await messagesOf(buyer)
    assert.match(disputed ?? '', new RegExp(bangla[0] ?? ''))
    assert.match(ended ?? '', new RegExp(bangla[1] ?? ''))
  })

  test('nobody freezes or unfreezes themselves, and only Admins freeze', async () => {
    const [one, other] = [await anAdmin(api.database), await anAdmin(api.database)]
    const worker = await aWorker(api.database)
    assert.equal(codeOf(await api.as(one).post(`/users/${one.id}/freezes`, REASON)), 'yourself')
    const { body } = await api.as(other).post(`/users/${one.id}/freezes`, REASON)
    assert.equal(codeOf(await api.as(one).post(`/freezes/${body.freezeId}/end`, REASON)), 'yourself')
    assert.equal((await api.as(worker).post(`/users/${one.id}/freezes`, REASON)).status, 403)
    assert.equal((await api.as(worker).get('/freezes')).status, 403)
    assert.deepEqual((await api.as(worker).get('/my-freezes')).body, [])
    for (const path of ['users', 'withdrawals'])
      assert.equal((await api.as(one).post(`/${path}/${randomUUID()}/freezes`, REASON)).status, 404)
    assert.equal((await api.as(one).post(`/users/${worker.id}/freezes`, { reason: ' ' })).status, 422)
  })

  test('after the response to a freeze no concurrent approval, request or payment moves coins', async () => {
    for (let round = 0; round < 5; round++) {
      const made = await aPendingSubmission(api.database, { slots: 1, reward: 10 })
      const { worker, id } = await aRequest(600)
      const admin = await anAdmin(api.database)
      const racing = [
        api.as(made.buyer).patch(`/update-submission-status/${made.submissionId}`, { status: 'approved' }),
        api.as(worker).post(`/withdraw/${worker.email}`, REQUEST),
        pay(admin, id),
      ]
      await Promise.all([freeze(made.buyer), freeze(worker)])
      const snapshot = async () => [
        await balance(made.buyer),
        await balance(made.worker),
        await balance(worker),
      ]
      const after = await snapshot()
      const [approved, requested, paid] = (await Promise.all(racing)).map(codeOf)
      assert.deepEqual(await snapshot(), after)
      assert.equal(approved, after[1] === 20 ? 'done' : 'account_frozen')
      assert.equal(requested, after[2] === 210 ? 'done' : 'account_frozen')
      const { body } = await api.as(worker).get(`/withdraw/${worker.email}`)
      const first = body.find(({ _id }: { _id: string }) => _id === id)
      assert.equal(paid, first.status === 'approved' ? 'done' : 'account_frozen')
    }
  })

  test('the ledger itself refuses to take coins of a frozen user', async () => {
    const worker = await aWorker(api.database, { coins: 300 })
    await freeze(worker)
    await assert.rejects(
      api.database.pool.query(`select transfer('withdrawal_held', $1, $2, open_account('hold', $3), 5)`, [
        randomUUID(),
        worker.accountId,
        worker.id,
      ]),
      /is frozen/,
    )
  })

  test('the export of a user has their freezes', async () => {
    const { worker, id } = await aRequest()
    const { admin } = await freeze(worker)
    await api.as(admin).post(`/withdrawals/${id}/freezes`, REASON)
    const { freezes } = (await api.as(worker).get(`/my-data/${worker.email}`)).body
    assert.deepEqual(
      freezes.map(({ withdrawal_id, reason }: { withdrawal_id: string; reason: string }) => [
        withdrawal_id,
        reason,
      ]),
      [
        [id, REASON.reason],
        [null, REASON.reason],
      ],
    )
  })
})
