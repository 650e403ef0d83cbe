import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Freeze } from '#contract/freezes.ts'
import { settleDueSubmissions } from '#server/submissions/settle-due.ts'
import { useApi } from '#tests/support/api.ts'
import { atTime, later } from '#tests/support/clock.ts'
import { eventually } from '#tests/support/eventually.ts'
import {
  aBuyer,
  anAdmin,
  aPendingSubmission,
  aTask,
  aWorker,
  balanceOf,
  type TestUser,
  taskBody,
  testConfig,
} from '#tests/support/factories.ts'
import { inOpenTransaction, lockWaits } from '#tests/support/lock-waits.ts'
import { payoutsOf } from '#tests/support/payouts.ts'

const REASON = { reason: 'Three people use this number' }
const REQUEST = { withdrawalCoin: 200, payment_system: 'Bkash', accountNumber: '01712345678' }

describe('freezes', () => {
  const api = useApi()
  const balance = (user: TestUser) => balanceOf(api.database, user)
  const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
    status < 300 ? 'done' : body.error?.code
  const messagesOf = async (user: TestUser): Promise<string[]> =>
    (await api.as(user).get(`/notifications/${user.email}`)).body.map(
      ({ message }: { message: string }) => message,
    )

  async function freeze(user: TestUser) {
    const admin = await anAdmin(api.database)
    const { body, text } = await api.as(admin).post(`/users/${user.id}/freezes`, REASON)
    assert.ok(body.freezeId, text)
    return { admin, freezeId: body.freezeId as string }
  }

  async function aRequest(coins = 300) {
    const worker = await aWorker(api.database, { coins })
    const { body } = await api.as(worker).post(`/withdraw/${worker.email}`, REQUEST)
    return { worker, id: body.insertedId as string }
  }
  const pay = (admin: TestUser, id: string) =>
    api.as(admin).patch(`/withdraw-status/${id}`, { status: 'approved' })

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
    const folder = join(import.meta.dirname, '..', 'database', 'migrations')
    const upgrade = await readFile(join(folder, '0369_freezes_without_subject.sql'), 'utf8')
    await api.owner.query(upgrade)
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
