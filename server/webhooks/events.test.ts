import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { defendRejection, openAppeal } from '#server/appeals/appeal.ts'
import { decideReviews } from '#server/appeals/decide.ts'
import { purgeApiEvents, relay } from '#server/notifications/relay.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { requestRevision, reviseSubmission } from '#server/submissions/revise.ts'
import { settleDueSubmissions } from '#server/submissions/settle-due.ts'
import { closeTask } from '#server/tasks/close.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useApi } from '#tests/support/api.ts'
import { enableApiEvents, eventsOf, relayAll } from '#tests/support/api-events.ts'
import { atTime } from '#tests/support/clock.ts'
import {
  aBuyer,
  anAdmin,
  aPendingSubmission,
  aSubmission,
  aTask,
  atOnce,
  aWorker,
  type TestUser,
  testConfig,
} from '#tests/support/factories.ts'
import { aRequest } from '#tests/support/payouts.ts'

describe('API events', () => {
  const api = useApi()

  /** Work of two users whose systems receive events. */
  async function aCase() {
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(api.database, { slots: 2 })
    await enableApiEvents(api.database, buyer, worker)
    const work = { submissionId, taskId, taskTitle: 'Label ten photos', coins: 10 }
    return { buyer, worker, taskId, submissionId, work }
  }
  const eventsAsData = async (user: TestUser) =>
    (await eventsOf(api.database, user)).map(({ type, data }): [string, Record<string, unknown>] => [
      type,
      data,
    ])
  const types = async (user: TestUser) => (await eventsOf(api.database, user)).map(({ type }) => type)
  const reject = (submissionId: string, buyer: TestUser) =>
    rejectSubmission(api.database, testConfig, submissionId, buyer.id, { reason: 'No', category: 'wrong' })

  test('work that is received and approved is an event of its buyer, the decision one of both', async () => {
    const { buyer, worker, taskId, submissionId, work } = await aCase()
    const second = await aWorker(api.database)
    const other = await aSubmission(api.database, taskId, second)
    await approveSubmission(api.database, submissionId, buyer.id)
    const decided = ['submission.decided', { ...work, status: 'approved', final: true, decidedBy: 'buyer' }]
    assert.deepEqual(await eventsAsData(buyer), [
      ['submission.received', { ...work, submissionId: other, revised: false }],
      decided,
    ])
    assert.deepEqual(await eventsAsData(worker), [decided])
    assert.deepEqual(await types(second), [], 'a user without a listener has none')
  })

  test('work that is approved by time is auto-approved', async () => {
    const { buyer, submissionId, work } = await aCase()
    const later = new Date(Date.now() + 30 * 86_400_000)
    await atTime(api.url, later, (database) => settleDueSubmissions(database, testConfig))
    assert.deepEqual(
      (await eventsAsData(buyer)).filter(([, data]) => data.submissionId === submissionId),
      [
        ['submission.decided', { ...work, status: 'approved', final: true, decidedBy: 'time' }],
        ['submission.auto_approved', work],
      ],
    )
  })

  test('a revision is requested, and received as revised work', async () => {
    const { buyer, worker, submissionId } = await aCase()
    await requestRevision(api.database, submissionId, buyer.id, 'Line three is missing')
    await reviseSubmission(api.database, testConfig, submissionId, worker.id, 'With line three')
    assert.deepEqual(await types(buyer), ['submission.revision_requested', 'submission.received'])
    assert.deepEqual((await eventsAsData(buyer))[1]?.[1], {
      ...(await aWork(submissionId)),
      revised: true,
    })
    assert.deepEqual(await types(worker), ['submission.revision_requested'])
  })

  test('an appeal is opened and decided, after a rejection that is not final', async () => {
    const { buyer, worker, submissionId, work } = await aCase()
    const reviewer = await anAdmin(api.database)
    await reject(submissionId, buyer)
    await openAppeal(api.database, submissionId, worker.id, { text: 'It is what the task says.' })
    await defendRejection(api.database, submissionId, buyer.id, 'No.')
    await api.database.pool.query('update reviews set reviewer_id = $1 where submission_id = $2', [
      reviewer.id,
      submissionId,
    ])
    await decideReviews(api.database, testConfig, reviewer.id, {
      submissions: [submissionId],
      decision: 'overturned',
      reason: 'It is.',
    })
    const events = (await eventsAsData(worker)).map(([type, data]) => [type, { ...data, dueAt: '' }])
    assert.deepEqual(events, [
      ['submission.decided', { ...work, status: 'rejected', final: false, decidedBy: 'buyer', dueAt: '' }],
      ['appeal.opened', { ...work, dueAt: '' }],
      ['submission.decided', { ...work, status: 'approved', final: true, decidedBy: 'reviewer', dueAt: '' }],
      ['appeal.decided', { ...work, status: 'approved', decidedBy: 'reviewer', dueAt: '' }],
    ])
    assert.deepEqual(await types(buyer), await types(worker))
  })

  test('the event of a closed task has the reason and the refunded coins', async () => {
    const { buyer, taskId } = await aCase()
    await closeTask(api.database, taskId, buyer.id)
    assert.deepEqual(await eventsAsData(buyer), [
      ['task.closed', { taskId, taskTitle: 'Label ten photos', coins: 10, reason: 'buyer' }],
    ])
  })

  test('a payment is credited once, and its dispute is opened once it withholds coins', async () => {
    const buyer = await aBuyer(api.database)
    await enableApiEvents(api.database, buyer)
    const paymentId = randomUUID()
    await api.database.pool.query('select find_or_create_purchase($1, $2, 150, 1000, $3)', [
      paymentId,
      buyer.id,
      'sandbox',
    ])
    await api.database.pool.query('update purchases set intent_id = $2 where id = $1', [paymentId, paymentId])
    const settle = (disputes: object[]) =>
      api.database.pool.query(
        `select settle_purchase($1, purchase_revision($1), 'visa', '4242', '', 0, $2)`,
        [paymentId, JSON.stringify(disputes)],
      )
    const dispute = { id: 'dp_1', cents: 1000, reason: 'fraudulent', openedAt: new Date().toISOString() }
    const credited = ['payment.credited', { paymentId, coins: 150, cents: 1000 }]
    await settle([])
    await settle([])
    await settle([
      { ...dispute, status: 'warning_needs_response', effect: 'keep', isOpen: false, isKnown: true },
    ])
    assert.deepEqual(await eventsAsData(buyer), [credited], 'an inquiry withholds none')
    for (const status of ['needs_response', 'under_review'])
      await settle([{ ...dispute, status, effect: 'withhold', isOpen: true, isKnown: true }])
    const opened = (cents: number) => ['dispute.opened', { paymentId, cents }]
    assert.deepEqual(await eventsAsData(buyer), [credited, opened(1000)])
    const withheld = { effect: 'withhold', isOpen: true, isKnown: true }
    await settle([{ ...dispute, ...withheld, id: 'dp_2', cents: 400, status: 'needs_response' }])
    assert.deepEqual(await eventsAsData(buyer), [credited, opened(1000), opened(400)])
  })

  test('a payout is confirmed', async () => {
    const { id, worker } = await aRequest(api.database)
    await enableApiEvents(api.database, worker)
    const admin = await anAdmin(api.database)
    const paid = await api.as(admin).patch(`/withdraw-status/${id}`, { status: 'approved' })
    assert.equal(paid.status, 200, paid.text)
    assert.deepEqual(await eventsAsData(worker), [
      ['payout.confirmed', { withdrawalId: id, coins: 200, cents: 1000, system: 'Bkash' }],
    ])
  })

  test('a deletion of the worker and of the buyer decides their work', async () => {
    const [first, second] = [await aCase(), await aCase()]
    const admin = await anAdmin(api.database)
    await deleteUser(api.database, first.worker.id, admin.id)
    await deleteUser(api.database, second.buyer.id, admin.id)
    const decidedBy = async (user: TestUser) => (await eventsAsData(user)).map(([, data]) => data)
    assert.deepEqual(await decidedBy(first.buyer), [
      { ...first.work, status: 'rejected', final: true, decidedBy: 'worker_left' },
    ])
    assert.deepEqual(await decidedBy(second.worker), [
      { ...second.work, status: 'approved', final: true, decidedBy: 'buyer_left' },
    ])
  })

  test('only keys that are live, have the scope and belong to no Admin make events', async () => {
    for (const change of [
      `update api_keys set scopes = '{tasks}' where user_id = $1`,
      'update api_keys set revoked_at = now() where user_id = $1',
      `update api_keys set created_at = now() - interval '2 days', expires_at = now() - interval '1 day' where user_id = $1`,
      `update users set role = 'Admin' where id = $1`,
    ]) {
      const { buyer, submissionId } = await aCase()
      await api.owner.query(change, [buyer.id])
      await approveSubmission(api.database, submissionId, buyer.id)
      assert.deepEqual(await types(buyer), [], change)
    }
  })

  test('a change that is rolled back or refused makes no event', async () => {
    const { buyer, submissionId } = await aCase()
    await assert.rejects(
      api.database.transaction(async (tx) => {
        await approveSubmission(tx, submissionId, buyer.id)
        throw new Error('The connection broke')
      }),
    )
    await approveSubmission(api.database, submissionId, buyer.id)
    await approveSubmission(api.database, submissionId, buyer.id)
    await assert.rejects(reject(submissionId, buyer))
    assert.deepEqual(await types(buyer), ['submission.decided'])
  })

  test('each of many concurrent changes makes one event, and those of one object keep their order', async () => {
    const buyer = await aBuyer(api.database, { coins: 400 })
    await enableApiEvents(api.database, buyer)
    const taskId = await aTask(api.database, buyer, { slots: 20, reward: 10 })
    const workers = await Promise.all(Array.from({ length: 20 }, () => aWorker(api.database)))
    let running = true
    const relays = Promise.all(
      Array.from({ length: 2 }, async () => {
        while (running) await relay(api.database, async () => {})
      }),
    )
    await atOnce(workers.length, async (index) => {
      const id = await aSubmission(api.database, taskId, workers[index] as TestUser)
      // Of these two one is refused, or changes nothing.
      await Promise.allSettled([approveSubmission(api.database, id, buyer.id), reject(id, buyer)])
    })
    running = false
    await relays
    const { rows } = await api.database.pool.query(
      `select id, case when status = 'approved' then 'approved' else 'rejected' end as status from submissions where task_id = $1`,
      [taskId],
    )
    assert.equal(rows.length, 20)
    const events = await eventsAsData(buyer)
    assert.equal(events.length, 40)
    for (const { id, status } of rows) {
      const own = events.filter(([, data]) => data.submissionId === id)
      assert.deepEqual(
        own.map(([type]) => type),
        ['submission.received', 'submission.decided'],
      )
      assert.equal(own[1]?.[1].status, status)
    }
  })

  test('events are deleted after thirty days', async () => {
    const { buyer, submissionId } = await aCase()
    await approveSubmission(api.database, submissionId, buyer.id)
    await relayAll(api.database)
    await api.owner.query(`update api_events set created_at = now() - interval '29 days'`)
    assert.equal(await purgeApiEvents(api.database), 0)
    await api.owner.query(
      `update api_events set created_at = now() - interval '31 days' where user_id = $1`,
      [buyer.id],
    )
    assert.equal(await purgeApiEvents(api.database), 1)
    assert.deepEqual(await types(buyer), [])
  })

  async function aWork(submissionId: string) {
    const { rows } = await api.database.pool.query(
      `select submissions.id as "submissionId", task_id as "taskId", title as "taskTitle", submissions.reward::int as coins
         from submissions join tasks on tasks.id = task_id where submissions.id = $1`,
      [submissionId],
    )
    return rows[0]
  }
})
