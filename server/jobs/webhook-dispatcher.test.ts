import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { dueEndpoints } from '#server/webhooks/queries.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, type TestUser } from '#tests/support/factories.ts'
import { useWebhooks } from '#tests/support/webhooks.ts'
import { startJobs } from './start.ts'
import { TURN_MS, WEBHOOK_QUEUE } from './webhook-dispatcher.ts'

describe('the dispatcher of webhooks', () => {
  const webhooks = useWebhooks()
  const { api } = webhooks

  async function anEndpoint(user: TestUser, path: string, deliveries: number): Promise<string> {
    const { _id: id } = await webhooks.anEndpoint(user, { url: `${webhooks.receiver.url}/${path}` })
    await api.owner.query(
      `insert into webhook_deliveries (endpoint_id, event_id, type, object_id, payload, event_at, due_at)
       select $1, gen_random_uuid(), 'submission.received', gen_random_uuid(), '{}', now(), now()
         from generate_series(1, $2)`,
      [id, deliveries],
    )
    return id
  }

  test('finds every endpoint with deliveries that are due, also behind one with very many', async () => {
    const buyer = await aBuyer(api.database)
    const ids = [
      await anEndpoint(buyer, 'many', 600),
      await anEndpoint(buyer, 'few', 2),
      await anEndpoint(buyer, 'none', 0),
    ]
    const due = await dueEndpoints(api.database)
    assert.deepEqual(due.map(({ id }) => id).toSorted(), ids.slice(0, 2).toSorted())
    await api.owner.query('delete from webhook_deliveries')
    assert.deepEqual(await dueEndpoints(api.database), [])
  })

  test('endpoints that hang take turns with the others', async (t) => {
    const [now, begun] = [performance.now.bind(performance), performance.now()]
    let isTurnOver = false
    t.mock.method(performance, 'now', () => (isTurnOver ? now() + TURN_MS : begun))
    const held: ServerResponse[] = []
    webhooks.receiver.respond = (response, { path }) => {
      if (path.endsWith('/slow')) held.push(response)
      else response.writeHead(204).end()
    }
    const buyer = await aBuyer(api.database)
    for (let index = 0; index < 4; index++) await anEndpoint(buyer, 'slow', 11)
    const jobs = await startJobs(api.instance.context, api.instance.app.log)
    try {
      await eventually(() => held.length === 40)
      await anEndpoint(buyer, 'quick', 1)
      await eventually(async () => {
        const { rows } = await api.database.pool.query(
          `select from jobs.job where name = $1 and state = 'created'`,
          [WEBHOOK_QUEUE],
        )
        return rows.length === 1
      })
      isTurnOver = true
      for (const response of held) response.writeHead(204).end()
      const quick = () => webhooks.receiver.received.findIndex(({ path }) => path.endsWith('/quick'))
      await eventually(() => quick() >= 0)
      assert.ok(quick() < 44, 'the turns end before the eleventh request of every slow endpoint')
    } finally {
      webhooks.receiver.respond = (response) => response.writeHead(204).end()
      for (const response of held) if (!response.writableEnded) response.writeHead(204).end()
      await jobs.stop()
    }
  })
})
