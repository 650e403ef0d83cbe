import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { API_EVENT_TYPES } from '#contract/api-events.ts'
import type { WebhookDelivery } from '#contract/webhooks.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { useApi } from '#tests/support/api.ts'
import { relayAll } from '#tests/support/api-events.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, aSubmission, aTask, aWorker } from '#tests/support/factories.ts'
import { type Receiver, startReceiver } from '#tests/support/webhook-receiver.ts'
import { deliverDue } from './deliver.ts'

/** Two runs at an endpoint at once, as when an instance that missed its heartbeats is still alive. */
describe('claims of deliveries', () => {
  const api = useApi()
  let receiver: Receiver
  let held: ServerResponse[]

  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())
  beforeEach(() => {
    held = []
    receiver.received.length = 0
    receiver.respond = (response) => held.push(response)
  })

  async function anEvent() {
    const buyer = await aBuyer(api.database, { coins: 10 })
    const body = { name: 'Own system', url: receiver.url, events: API_EVENT_TYPES }
    const created = await api.as(buyer).post('/webhook-endpoints', body)
    const id: string = created.body._id
    const submission = await aSubmission(
      api.database,
      await aTask(api.database, buyer, { slots: 1, reward: 10 }),
      await aWorker(api.database),
    )
    await relayAll(api.database)
    return { id, buyer, submission }
  }
  const run = (endpoint: string) => deliverDue(api.instance.context, endpoint, new AbortController().signal)
  const arrived = (count: number) => eventually(() => held.length === count)
  const respond = (index: number, status: number) => held[index]?.writeHead(status).end()
  async function endLease(endpoint: string): Promise<void> {
    await api.owner.query('update webhook_deliveries set claimed_until = now() where endpoint_id = $1', [
      endpoint,
    ])
  }
  async function deliveryOf(endpoint: string) {
    const { rows } = await api.owner.query(
      `select state, attempts, due_at is not null as due, claimed_until is not null as claimed,
              (select count(*)::int from webhook_attempts where delivery_id = webhook_deliveries.id) as recorded
         from webhook_deliveries where endpoint_id = $1`,
      [endpoint],
    )
    return rows[0]
  }

  test('what one run sends no other run sends, also after the endpoint was paused and resumed', async () => {
    const { id, buyer } = await anEvent()
    const first = run(id)
    await arrived(1)
    assert.equal(await run(id), 0)
    for (const paused of [true, false]) await api.as(buyer).put(`/webhook-endpoints/${id}/paused`, { paused })
    assert.equal(await run(id), 0)
    respond(0, 204)
    assert.equal(await first, 1)
    assert.equal(receiver.received.length, 1)
    assert.deepEqual(await deliveryOf(id), {
      state: 'delivered',
      attempts: 1,
      due: false,
      claimed: false,
      recorded: 1,
    })
  })

  test('runs that begin together share what is due', async () => {
    receiver.respond = (response) => response.writeHead(204).end()
    const { id } = await anEvent()
    const attempts = await Promise.all(Array.from({ length: 5 }, () => run(id)))
    assert.equal(
      attempts.reduce((sum, count) => sum + count),
      1,
    )
    assert.equal(receiver.received.length, 1)
  })

  test('a claim of a run that died ends with its lease; the event is sent again with its id', async () => {
    const { id } = await anEvent()
    const [lost, again] = [run(id), endLeaseAndRun(id)]
    await again.sent
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    assert.equal(new Set(ids).size, 1)

    respond(0, 500)
    await lost
    assert.deepEqual(
      await deliveryOf(id),
      { state: 'pending', attempts: 0, due: true, claimed: true, recorded: 1 },
      'a failure that comes late does not end the claim of the other run',
    )
    respond(1, 204)
    await again.finished
    assert.deepEqual(await deliveryOf(id), {
      state: 'delivered',
      attempts: 1,
      due: false,
      claimed: false,
      recorded: 2,
    })
  })

  test('a late failure without a response does not end the claim of the other run either', async () => {
    const { id } = await anEvent()
    const [lost, again] = [run(id), endLeaseAndRun(id)]
    await again.sent
    held[0]?.destroy()
    await lost
    assert.deepEqual(await deliveryOf(id), {
      state: 'pending',
      attempts: 0,
      due: true,
      claimed: true,
      recorded: 1,
    })
    respond(1, 204)
    await again.finished
  })

  test('a success that comes late counts, and the failure of the other run changes nothing', async () => {
    const { id } = await anEvent()
    const [late, again] = [run(id), endLeaseAndRun(id)]
    await again.sent
    respond(0, 200)
    await late
    respond(1, 500)
    await again.finished
    assert.deepEqual(await deliveryOf(id), {
      state: 'delivered',
      attempts: 1,
      due: false,
      claimed: false,
      recorded: 2,
    })
    assert.equal(await run(id), 0)
  })

  test('a delivery that fails after an earlier one was replayed waits for it', async () => {
    const { id, buyer, submission } = await anEvent()
    receiver.respond = (response) => response.writeHead(204).end()
    await run(id)
    const deliveries = async () =>
      (await api.as(buyer).get(`/webhook-endpoints/${id}/deliveries`)).body as WebhookDelivery[]
    const [replayed] = await deliveries()

    await approveSubmission(api.database, submission, buyer.id)
    await relayAll(api.database)
    receiver.respond = (response) => held.push(response)
    const later = run(id)
    await arrived(1)
    assert.equal((await api.as(buyer).post(`/webhook-deliveries/${replayed?._id}/replay`)).status, 204)
    respond(0, 500)
    await arrived(2)
    respond(1, 500)
    await later
    assert.deepEqual(
      (await deliveries()).map(({ type, state, nextAttemptAt }) => [type, state, nextAttemptAt !== null]),
      [
        ['submission.decided', 'pending', false],
        ['submission.received', 'pending', true],
      ],
    )

    receiver.respond = (response) => response.writeHead(204).end()
    await api.owner.query(
      'update webhook_deliveries set due_at = now() where endpoint_id = $1 and due_at is not null',
      [id],
    )
    assert.equal(await run(id), 2)
    assert.deepEqual(
      receiver.received.slice(-2).map(({ body }) => JSON.parse(body).type),
      ['submission.received', 'submission.decided'],
    )
  })

  /** Once the first run has sent the event, its lease ends and another run sends it. */
  function endLeaseAndRun(id: string) {
    const sent = Promise.withResolvers<void>()
    const finished = (async () => {
      await arrived(1)
      await endLease(id)
      const second = run(id)
      await arrived(2)
      sent.resolve()
      await second
    })()
    finished.catch(sent.reject)
    return { sent: sent.promise, finished }
  }
})
