import assert from 'node:assert/strict'
import { get } from 'node:http'
import type { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { ApiEvent } from '#contract/api-events.ts'
import type { ApiKeyUse } from '#contract/api-keys.ts'
import type { Statement } from '#server/database/database.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { useApi } from '#tests/support/api.ts'
import { relayAll } from '#tests/support/api-events.ts'
import { eventually } from '#tests/support/eventually.ts'
import {
  aBuyer,
  aPendingSubmission,
  aSubmission,
  aTask,
  aWorker,
  type TestUser,
} from '#tests/support/factories.ts'
import { openEventStream } from '#tests/support/live.ts'
import { lockWaits } from '#tests/support/lock-waits.ts'

describe('the stream of API events', () => {
  const api = useApi()
  let origin = ''
  const open: Awaited<ReturnType<typeof openEventStream>>[] = []

  before(async () => {
    origin = await api.instance.app.listen({ port: 0, host: '127.0.0.1' })
  })
  after(() => Promise.all(open.map((stream) => stream.close())))

  async function aKey(user: TestUser, scopes: string[] = ['events']) {
    const { body } = await api.as(user).post('/api-keys', { name: 'Events', scopes, expiresInDays: 1 })
    return { id: body._id as string, authorization: `Bearer ${body.secret}` }
  }
  async function follow(authorization: string, lastEventId?: string) {
    const stream = await openEventStream(origin, authorization, { path: '/api/events', after: lastEventId })
    open.push(stream)
    if (stream.status === 200) await eventually(() => stream.of('connected').length === 1)
    return stream
  }
  type Stream = Awaited<ReturnType<typeof openEventStream>>
  const eventsIn = ({ received }: Stream) =>
    received
      .filter(({ event }) => event !== 'connected' && event !== 'closing')
      .map(({ data }) => ApiEvent.parse(data))
  const submissionsIn = (stream: Stream) =>
    eventsIn(stream).map(({ data }) => (data as { submissionId: string }).submissionId)

  test('a key with the scope receives the events of its user as they come, and nobody else does', async () => {
    const { buyer, submissionId } = await aPendingSubmission(api.database)
    const stranger = await aBuyer(api.database)
    const [own, other] = [
      await follow((await aKey(buyer)).authorization),
      await follow((await aKey(stranger)).authorization),
    ]
    await approveSubmission(api.database, submissionId, buyer.id)
    await relayAll(api.database)
    await eventually(() => eventsIn(own).length === 1)
    const [event] = eventsIn(own)
    assert.deepEqual([event?.type, own.received.at(-1)?.event], ['submission.decided', 'submission.decided'])
    assert.deepEqual(eventsIn(other), [])
    assert.equal(own.headers.get('ratelimit-policy'), '"key";q=600;w=60')
  })

  test('a stream counts as a use of its key once, from its opening on', async () => {
    const buyer = await aBuyer(api.database)
    const key = await aKey(buyer)
    const uses = async () => {
      const { body } = await api.as(buyer).get(`/api-keys/${key.id}/uses`)
      return body.map(({ operation, status, requests }: ApiKeyUse) => `${operation} ${status}: ${requests}`)
    }
    const stream = await follow(key.authorization)
    await eventually(async () => (await uses()).length > 0)
    const [listed] = (await api.as(buyer).get('/api-keys')).body
    assert.ok(listed.lastUsedAt)
    await stream.close()
    const refused = await follow((await aKey(buyer, ['tasks'])).authorization)
    assert.equal(refused.status, 403)
    assert.deepEqual(await uses(), ['GET /events 200: 1'])
  })

  test('a client that reconnects with Last-Event-ID receives what it missed once, also more than a page', async () => {
    const buyer = await aBuyer(api.database, { coins: 2000 })
    const { authorization } = await aKey(buyer)
    const taskId = await aTask(api.database, buyer, { slots: 10, reward: 10 })
    const ids: string[] = []
    const submit = async () => ids.push(await aSubmission(api.database, taskId, await aWorker(api.database)))
    const first = await follow(authorization)
    await submit()
    await relayAll(api.database)
    await eventually(() => eventsIn(first).length === 1)
    await first.close()

    for (let index = 0; index < 4; index++) await submit()
    await relayAll(api.database)
    const second = await follow(authorization, first.lastId)
    await submit()
    await relayAll(api.database)
    await eventually(() => eventsIn(second).length >= 5)
    assert.deepEqual(submissionsIn(second), ids.slice(1))

    await api.owner.query(
      `insert into api_events (user_id, type, object_id, payload, created_at)
       select user_id, type, object_id, payload, created_at from api_events, generate_series(1, 240)
        where user_id = $1 and object_id = $2`,
      [buyer.id, ids[0]],
    )
    await eventually(() => eventsIn(second).length === 245)
    const third = await follow(authorization, '0')
    await eventually(() => eventsIn(third).length === 246)
    const numbers = third.received.filter(({ id }) => id !== undefined).map(({ id }) => Number(id))
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    )
  })

  test('events whose query fails are sent at the next poll', async (t) => {
    const { buyer, submissionId } = await aPendingSubmission(api.database)
    const stream = await follow((await aKey(buyer)).authorization)
    const run = api.database.run
    let failures = 0
    t.mock.method(api.database, 'run', (statement: Statement, values: unknown[]) =>
      statement.name === 'api_events_after' && ++failures === 1
        ? Promise.reject(new Error('The connection was lost'))
        : run(statement, values),
    )
    await approveSubmission(api.database, submissionId, buyer.id)
    await relayAll(api.database)
    await eventually(() => eventsIn(stream).length === 1)
    assert.ok(failures > 1)
  })

  test('a key without the scope is refused; a session may open the stream too', async () => {
    const buyer = await aBuyer(api.database)
    const refused = await follow((await aKey(buyer, ['tasks'])).authorization)
    assert.equal(refused.status, 403)
    assert.equal((await follow('Bearer tw_unknown')).status, 401)
    assert.equal((await follow(await api.instance.signIn(buyer))).status, 200)
  })

  test('a revoked key receives nothing more, and its stream ends', async () => {
    const { buyer, submissionId } = await aPendingSubmission(api.database)
    const [key, other] = [await aKey(buyer), await aKey(buyer)]
    const [revoked, kept] = [await follow(key.authorization), await follow(other.authorization)]
    await api.as(buyer).delete(`/api-keys/${key.id}`)
    await approveSubmission(api.database, submissionId, buyer.id)
    await relayAll(api.database)
    await eventually(() => eventsIn(kept).length === 1)
    await revoked.ended
    assert.deepEqual(eventsIn(revoked), [])
    assert.deepEqual(revoked.of('closing'), [{ reason: 'credential' }])
  })

  test('a client that disconnects while it is authenticated takes no place of its user', async () => {
    const { authorization } = await aKey(await aBuyer(api.database))
    const { server } = api.instance.app
    let connection: Socket | undefined
    server.once('connection', (socket) => {
      connection = socket
    })
    const lock = await api.owner.connect()
    await lock.query('begin; lock table api_keys')
    const abandoned = get(`${origin}/api/events`, { headers: { authorization }, agent: false })
    abandoned.on('error', () => {})
    await eventually(async () => (await lockWaits(api.owner)) === 1)
    abandoned.destroy()
    await eventually(() => connection?.closed)
    await lock.query('commit')
    lock.release()

    const streams: Stream[] = []
    for (let index = 0; index < 6; index++) streams.push(await follow(authorization))
    await eventually(() => streams[0]?.of('closing').length === 1)
  })

  test('of more than five streams of a user the oldest ends', async () => {
    const { authorization } = await aKey(await aBuyer(api.database))
    const streams: Stream[] = []
    for (let index = 0; index < 6; index++) streams.push(await follow(authorization))
    await streams[0]?.ended
    assert.deepEqual(streams[0]?.of('closing'), [{ reason: 'crowded' }])
    assert.deepEqual(streams[5]?.of('closing'), [])
  })

  test('of many streams that a user opens at once five stay', async () => {
    const { authorization } = await aKey(await aBuyer(api.database))
    const streams = await Promise.all(Array.from({ length: 30 }, () => follow(authorization)))
    const closings = () => streams.flatMap((stream) => stream.of('closing'))
    await eventually(() => closings().length >= 25)
    assert.deepEqual(closings(), Array(25).fill({ reason: 'crowded' }))
  })
})
