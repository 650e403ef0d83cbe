import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Waiting } from '#contract/waiting.ts'
import { defendRejection, openAppeal } from '#server/appeals/appeal.ts'
import { concedeRejection } from '#server/submissions/end-dispute.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { requestRevision } from '#server/submissions/revise.ts'
import { reserveSlot } from '#server/tasks/reserve.ts'
import { useApi } from '#tests/support/api.ts'
import {
  aBuyer,
  anAdmin,
  aPendingSubmission,
  aSubmission,
  aTask,
  aWorker,
  dayFromNow,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { aRequest } from '#tests/support/payouts.ts'
import { changeSettings } from '#tests/support/settings.ts'

describe('what waits for a buyer and a worker', () => {
  const api = useApi()
  const waitingFor = async (user: TestUser): Promise<Waiting[]> => (await api.as(user).get('/waiting')).body
  const counts = async (user: TestUser) =>
    Object.fromEntries((await waitingFor(user)).map(({ kind, count, coins }) => [kind, [count, coins]]))
  const reject = ({ submissionId, buyer }: { submissionId: string; buyer: TestUser }) =>
    rejectSubmission(api.database, testConfig, submissionId, buyer.id, {
      reason: 'Not what I asked for',
      category: 'wrong',
    })

  test('nothing is listed for new users', async () => {
    assert.deepEqual(await waitingFor(await aBuyer(api.database)), [])
    assert.deepEqual(await waitingFor(await aWorker(api.database)), [])
  })

  test('pending work is listed for both, with its coins and the first deadline', async () => {
    const { buyer, worker, taskId, reward, submissionId } = await aPendingSubmission(api.database, {
      reward: 12,
    })
    await aSubmission(api.database, taskId, await aWorker(api.database))
    const { rows } = await api.owner.query('select due_at, created_at from submissions where id = $1', [
      submissionId,
    ])
    const [ofBuyer] = await waitingFor(buyer)
    assert.deepEqual(ofBuyer, {
      kind: 'submissions_to_review',
      count: 2,
      coins: 2 * reward,
      cents: null,
      oldest: rows[0].created_at.toISOString(),
      deadline: rows[0].due_at.toISOString(),
    })
    assert.deepEqual(await counts(worker), { pending_work: [1, reward] })
  })

  test('revisions, rejections and appeals are listed for the side that has to act', async () => {
    const { buyer, worker, submissionId } = await aPendingSubmission(api.database, { reward: 20 })
    await requestRevision(api.database, submissionId, buyer.id, 'Please add the date.')
    assert.deepEqual(await counts(worker), { revisions_requested: [1, 20] })
    assert.deepEqual(await counts(buyer), {})

    const other = await aPendingSubmission(api.database, { reward: 30 })
    await reject(other)
    assert.deepEqual(await counts(other.worker), { rejections_to_appeal: [1, 30] })
    await openAppeal(api.database, other.submissionId, other.worker.id, {
      text: 'It does what the task says.',
    })
    assert.deepEqual(await counts(other.worker), { disputed_work: [1, 30] })
    assert.deepEqual(await counts(other.buyer), { appeals_without_response: [1, 30] })
    await defendRejection(api.database, other.submissionId, other.buyer.id, 'The date is missing.')
    assert.deepEqual(await counts(other.buyer), {})
  })

  test('tasks with free slots that end within two days are listed', async () => {
    const buyer = await aBuyer(api.database, { coins: 200 })
    await aTask(api.database, buyer, { slots: 3, reward: 10, day: dayFromNow(1) })
    await aTask(api.database, buyer, { slots: 3, reward: 10, day: dayFromNow(7) })
    assert.deepEqual(await counts(buyer), { tasks_ending: [1, 30] })
  })

  test('reservations and withdrawals of a worker are listed', async () => {
    const { worker } = await aRequest(api.database)
    const buyer = await aBuyer(api.database, { coins: 100 })
    const task = await aTask(api.database, buyer, { slots: 2, reward: 15 })
    await reserveSlot(api.database, testConfig, task, worker.id)
    assert.deepEqual(await counts(worker), { reservations: [1, 15], pending_withdrawals: [1, 200] })
    const [, withdrawal] = await waitingFor(worker)
    assert.equal(withdrawal?.cents, 1000)
  })

  test('a freeze without a response is listed', async () => {
    const worker = await aWorker(api.database)
    const admin = await anAdmin(api.database)
    await api.as(admin).post(`/users/${worker.id}/freezes`, { reason: 'Three people use this number' })
    assert.deepEqual(await counts(worker), { freezes_without_response: [1, null] })
  })

  test('visitors have no list', async () => {
    assert.equal((await api.anyone.get('/waiting')).status, 401)
  })
})

describe('what waits for an Admin', () => {
  const api = useApi()
  let admin: TestUser
  const waiting = async (user?: TestUser): Promise<Record<string, Waiting>> => {
    admin ??= await anAdmin(api.database)
    const { body } = await api.as(user ?? admin).get('/waiting')
    return Object.fromEntries(body.map((row: Waiting) => [row.kind, row]))
  }

  test('withdrawal requests are listed, those stopped by risk or a freeze separately', async () => {
    assert.deepEqual(await waiting(), {})
    const requests = [
      await aRequest(api.database),
      await aRequest(api.database, { coins: 300, accountNumber: '01812345678' }),
      await aRequest(api.database, { coins: 400, accountNumber: '01912345678' }),
    ] as const
    const [plain, risky, frozen] = requests
    for (const { id } of requests) {
      await api.owner.query(
        `insert into risk_assessments (withdrawal_id, score, reasons, facts) values ($1, $2, '[]', '{}')
         on conflict (withdrawal_id) do update set score = excluded.score`,
        [id, id === risky.id ? 80 : 10],
      )
    }
    await changeSettings(api.database, 'risk', { reviewScore: 50 })
    await api.as(admin).post(`/users/${frozen.worker.id}/freezes`, { reason: 'Three people use this number' })
    const { payout_requests: toPay, stopped_payout_requests: stopped } = await waiting()
    assert.deepEqual([toPay?.count, toPay?.coins, toPay?.cents], [1, 200, 1000])
    assert.ok(toPay?.oldest)
    assert.deepEqual([stopped?.count, stopped?.coins, stopped?.cents], [2, 700, 3500])

    const { body } = await api.as(admin).post('/payout-batches', { withdrawalIds: [plain.id] })
    assert.ok(body.insertedId)
    const inBatch = await waiting()
    assert.equal(inBatch.payout_requests, undefined)
    assert.equal(inBatch.payout_batches?.count, 1)
  })

  test('messages, freezes with a response and reviews without a reviewer are listed', async () => {
    await api.anyone.post('/contact', {
      name: 'Rahim',
      email: 'rahim@example.com',
      subject: 'A question',
      message: 'How do I start?',
    })
    const { worker, buyer, submissionId } = await aPendingSubmission(api.database)
    const { body } = await api
      .as(admin)
      .post(`/users/${buyer.id}/freezes`, { reason: 'Three people use this number' })
    assert.equal((await waiting()).freeze_responses, undefined)
    await api.as(buyer).post(`/freezes/${body.freezeId}/response`, { text: 'We are a family.' })
    await rejectSubmission(api.database, testConfig, submissionId, buyer.id, {
      reason: 'Not what I asked for',
      category: 'wrong',
    })
    await openAppeal(api.database, submissionId, worker.id, { text: 'It does what the task says.' })
    await defendRejection(api.database, submissionId, buyer.id, 'The date is missing.')
    const found = await waiting()
    assert.deepEqual([found.messages?.count, found.freeze_responses?.count], [1, 1])
    assert.equal(found.reviews?.count, 1)
    assert.ok(found.reviews?.deadline)

    await api.owner.query('update reviews set reviewer_id = null, assigned_at = null')
    const unassigned = await waiting()
    assert.deepEqual([unassigned.reviews, unassigned.unassigned_reviews?.count], [undefined, 1])

    await api.as(admin).post(`/freezes/${body.freezeId}/end`, { reason: 'They are a family' })
    await concedeRejection(api.database, submissionId, buyer.id)
    assert.equal((await waiting()).unassigned_reviews, undefined)
  })

  test('a change of a setting waits for the Admins who did not propose it', async () => {
    await api.owner.query(
      `insert into setting_proposals (name, version, value, reason, proposed_by) select name, version, value, 'Fewer waits', $1
         from operator_settings where name = 'payout_rules'`,
      [(await anAdmin(api.database)).id],
    )
    assert.equal((await waiting()).setting_proposals?.count, 1)
    await api.owner.query('update setting_proposals set proposed_by = $1', [admin.id])
    assert.equal((await waiting()).setting_proposals, undefined)
  })

  test('differences of card payments are listed', async () => {
    await api.owner.query(
      `insert into card_cases (kind, intent_id, provider_cents, our_cents) values ('missing', $1, 2000, 500)`,
      [`pi_${randomUUID()}`],
    )
    const found = await waiting()
    assert.deepEqual([found.card_cases?.count, found.card_cases?.cents], [1, 1500])
  })

  test('other roles see nothing of it', async () => {
    assert.deepEqual(await waiting(await aWorker(api.database)), {})
    assert.deepEqual(await waiting(await aBuyer(api.database)), {})
  })
})
