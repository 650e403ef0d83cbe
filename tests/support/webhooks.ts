import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { API_EVENT_TYPES } from '#contract/api-events.ts'
import type { WebhookDelivery } from '#contract/webhooks.ts'
import { deliverDue } from '#server/webhooks/deliver.ts'
import { useApi } from './api.ts'
import { relayAll } from './api-events.ts'
import { aBuyer, aSubmission, aTask, aWorker, type TestUser } from './factories.ts'
import { type Receiver, startReceiver } from './webhook-receiver.ts'

export const ENDPOINTS_PATH = '/webhook-endpoints'

/** An API with a receiver of its webhooks, which responds 204 unless a test says otherwise. Call it inside `describe`. */
export function useWebhooks() {
  const api = useApi()
  let receiver: Receiver

  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())
  beforeEach(() => {
    receiver.received.length = 0
    receiver.respond = (response) => response.writeHead(204).end()
  })

  const create = (user: TestUser, body: object = {}) =>
    api
      .as(user)
      .post(ENDPOINTS_PATH, { name: 'Own system', url: receiver.url, events: API_EVENT_TYPES, ...body })
  async function anEndpoint(user: TestUser, body: object = {}): Promise<{ _id: string; secret: string }> {
    const created = await create(user, body)
    assert.equal(created.status, 201, created.text)
    return created.body
  }
  const stateOf = async (user: TestUser, id: string) =>
    (await api.as(user).get(`${ENDPOINTS_PATH}/${id}`)).body
  const deliveriesOf = async (user: TestUser, id: string): Promise<WebhookDelivery[]> =>
    (await api.as(user).get(`${ENDPOINTS_PATH}/${id}/deliveries`)).body
  /** Relays events and delivers what is due, as the jobs do. */
  async function deliver(endpoint: string): Promise<number> {
    await relayAll(api.database)
    return deliverDue(api.instance.context, endpoint, new AbortController().signal)
  }
  /** Makes the next attempt of every delivery due now. */
  const retryNow = (endpoint: string) =>
    api.owner.query(
      'update webhook_deliveries set due_at = now() where endpoint_id = $1 and due_at is not null',
      [endpoint],
    )

  /** A buyer with an endpoint and `count` submissions to their task. */
  async function aBuyerWithWork(count = 1, body: object = {}) {
    const buyer = await aBuyer(api.database, { coins: 10 * count })
    const endpoint = await anEndpoint(buyer, body)
    const taskId = await aTask(api.database, buyer, { slots: count, reward: 10 })
    const submissions: string[] = []
    for (let index = 0; index < count; index++)
      submissions.push(await aSubmission(api.database, taskId, await aWorker(api.database)))
    return { buyer, endpoint, submissions, id: endpoint._id }
  }

  async function mailsTo(user: TestUser, template: string, field: string) {
    const { rows } = await api.database.pool.query(
      `select payload -> 'data' ->> $3 as value from outbox
        where topic = 'mail' and user_id = $1 and payload ->> 'template' = $2 order by id`,
      [user.id, template, field],
    )
    return rows.map(({ value }) => value)
  }
  /** The causes of a user's notifications about stopped endpoints, and the outcomes of their mails. */
  async function stoppedReports(user: TestUser) {
    const { rows } = await api.database.pool.query(
      `select params ->> 'cause' as cause from notifications where user_id = $1 and kind = 'webhook_stopped'`,
      [user.id],
    )
    return [rows.map(({ cause }) => cause), await mailsTo(user, 'webhook-stopped', 'outcome')]
  }

  return {
    api,
    get receiver() {
      return receiver
    },
    create,
    anEndpoint,
    stateOf,
    deliveriesOf,
    deliver,
    retryNow,
    aBuyerWithWork,
    mailsTo,
    stoppedReports,
  }
}
