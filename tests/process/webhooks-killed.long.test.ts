import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { API_EVENT_TYPES } from '#contract/api-events.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { useDatabase } from '#tests/support/database.ts'
import { eventually, jitter } from '#tests/support/eventually.ts'
import { aBuyer, aSubmission, aTask, aWorker } from '#tests/support/factories.ts'
import { anInstance } from '#tests/support/instance.ts'
import { startServerProcess } from '#tests/support/server-process.ts'
import { startReceiver } from '#tests/support/webhook-receiver.ts'

/** `npm run webhooks` sends 1,000 events and kills the server more often. */
const EVENTS = Number(process.env.WEBHOOK_EVENTS ?? 40)
const KILLS = Math.max(1, Math.floor(EVENTS / 100))

describe('a server killed while it delivers events', () => {
  const db = useDatabase()

  test('each event arrives at least once, none is invented, and those of one object keep their order', async () => {
    const secret = 'one secret for all instances, long enough'
    const slots = EVENTS / 2
    const buyer = await aBuyer(db.database, { coins: slots * 10 })
    const instance = await anInstance(db.database, { authSecret: secret })
    // Some responses are slow, so that kills fall between a request and the storing of its outcome, and some are failures.
    const receiver = await startReceiver((response, { headers }) => {
      const byte = Number.parseInt(String(headers['webhook-id']).slice(0, 2), 16)
      const isFirst =
        receiver.received.filter((one) => one.headers['webhook-id'] === headers['webhook-id']).length === 1
      const status = byte % 8 === 0 && isFirst ? 500 : 204
      void jitter(byte % 4 === 0 ? 400 : 0).then(() => response.writeHead(status).end())
    })
    const created = await instance.app.inject({
      method: 'POST',
      url: '/api/webhook-endpoints',
      headers: { authorization: await instance.signIn(buyer) },
      payload: { name: 'Receiver', url: receiver.url, events: API_EVENT_TYPES },
    })
    assert.equal(created.statusCode, 201, created.body)
    await instance.close()

    const env = { DATABASE_URL: db.url, DEMO: '0', AUTH_SECRET: secret }
    let server = await startServerProcess({ env })
    const { dataDir } = server
    const taskId = await aTask(db.database, buyer, { slots, reward: 10 })
    const changes = (async () => {
      for (let index = 0; index < slots; index++) {
        const id = await aSubmission(db.database, taskId, await aWorker(db.database))
        await approveSubmission(db.database, id, buyer.id)
      }
    })()
    for (let kill = 0; kill < KILLS; kill++) {
      await eventually(() => receiver.received.length > (kill * EVENTS) / (KILLS + 1))
      await jitter(300)
      const exited = once(server.process, 'exit')
      server.process.kill(kill % 3 === 2 ? 'SIGTERM' : 'SIGKILL')
      await exited
      server = await startServerProcess({ env, dataDir })
    }
    await changes
    await eventually(async () => {
      const { rows } = await db.database.pool.query(
        `select (select count(*) from outbox)::int as waiting,
                (select count(*) from webhook_deliveries where state = 'delivered')::int as delivered`,
      )
      return rows[0].waiting === 0 && rows[0].delivered === EVENTS
    })
    await server.stop()
    receiver.close()
    await rm(dataDir, { recursive: true, force: true })

    const { rows } = await db.database.pool.query<{ id: string }>(
      'select id from api_events where user_id = $1',
      [buyer.id],
    )
    const arrived = new Set(receiver.events.map(({ id }) => id))
    assert.deepEqual([...arrived].toSorted(), rows.map(({ id }) => id).toSorted())
    assert.equal(arrived.size, EVENTS)
    const { rows: submissions } = await db.database.pool.query(
      'select id from submissions where buyer_id = $1',
      [buyer.id],
    )
    assert.equal(submissions.length, slots)
    for (const { id } of submissions) {
      const types = receiver.events.filter(({ data }) => data.submissionId === id).map(({ type }) => type)
      assert.deepEqual([...new Set(types)], ['submission.received', 'submission.decided'])
      assert.equal(
        types.lastIndexOf('submission.received') < types.indexOf('submission.decided'),
        true,
        `${types}`,
      )
    }
  })
})
