import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, test } from 'node:test'
import { approveSubmission } from '#server/submissions/approve.ts'
import { relayAll } from '#tests/support/api-events.ts'
import { aBuyer, type TestUser } from '#tests/support/factories.ts'
import { startReceiver } from '#tests/support/webhook-receiver.ts'
import { ENDPOINTS_PATH, useWebhooks } from '#tests/support/webhooks.ts'
import { deliverDue } from './deliver.ts'

describe('deliveries of webhooks', () => {
  const webhooks = useWebhooks()
  const { api, anEndpoint, stateOf, deliveriesOf, deliver, retryNow, aBuyerWithWork } = webhooks

  test('an event is delivered with its payload, and only the chosen types are', async () => {
    const { buyer, submissions, id } = await aBuyerWithWork(1, { events: ['submission.received'] })
    await approveSubmission(api.database, submissions[0] ?? '', buyer.id)
    assert.equal(await deliver(id), 1)
    const [event] = webhooks.receiver.events
    assert.deepEqual([event?.type, event?.data.submissionId], ['submission.received', submissions[0]])
    const [delivery, ...others] = await deliveriesOf(buyer, id)
    assert.deepEqual([delivery?.state, delivery?.eventId, others], ['delivered', event?.id, []])
    assert.equal(delivery?.payload, webhooks.receiver.received[0]?.body)
    assert.deepEqual(
      delivery?.attempts.map(({ status, error, body }) => [status, error, body]),
      [[204, null, '']],
    )
    assert.equal(await deliver(id), 0)
  })

  test('a failed delivery is tried ten times over about 75 hours, with its id, then fails', async () => {
    const { buyer, submissions, id } = await aBuyerWithWork(1, { events: ['submission.received'] })
    webhooks.receiver.respond = (response) => response.writeHead(500).end('out of order'.repeat(1000))
    const pauses: number[] = []
    for (let attempt = 1; attempt <= 10; attempt++) {
      // All failures are recent; pausing after three days has its own test.
      assert.equal(await deliver(id), 1, `attempt ${attempt}`)
      const { rows } = await api.owner.query(
        `select extract(epoch from due_at - now())::float as seconds from webhook_deliveries where endpoint_id = $1`,
        [id],
      )
      pauses.push(Number(rows[0].seconds ?? 0))
      await retryNow(id)
    }
    assert.equal(await deliver(id), 0)
    assert.ok(pauses.slice(0, 9).every((pause, index) => index === 0 || pause > (pauses[index - 1] ?? 0)))
    const hours = pauses.reduce((sum, seconds) => sum + seconds, 0) / 3600
    assert.ok(hours > 74 && hours < 77, `${hours} hours`)
    const [delivery] = await deliveriesOf(buyer, id)
    assert.deepEqual(
      [delivery?.state, delivery?.attempts.length, delivery?.attempts[0]?.status],
      ['failed', 10, 500],
    )
    assert.equal(delivery?.attempts[0]?.body, 'out of order'.repeat(1000).slice(0, 2048))
    assert.equal(new Set(webhooks.receiver.events.map((event) => event.id)).size, 1)
    assert.equal(new Set(webhooks.receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.equal(webhooks.receiver.events[0]?.data.submissionId, submissions[0])
  })

  test('an event waits for the earlier ones of its object, and others do not', async () => {
    const { buyer, submissions, id } = await aBuyerWithWork(2)
    const [first = '', second = ''] = submissions
    webhooks.receiver.respond = (response, { body }) =>
      response.writeHead(body.includes(first) ? 500 : 200).end()
    await deliver(id)
    for (const submission of submissions) await approveSubmission(api.database, submission, buyer.id)
    await deliver(id)
    const typesOf = (submission: string) =>
      webhooks.receiver.events.filter(({ data }) => data.submissionId === submission).map(({ type }) => type)
    assert.deepEqual(typesOf(second), ['submission.received', 'submission.decided'])
    assert.deepEqual(typesOf(first), ['submission.received'])
    webhooks.receiver.respond = (response) => response.writeHead(200).end()
    await retryNow(id)
    await deliver(id)
    assert.deepEqual(typesOf(first), ['submission.received', 'submission.received', 'submission.decided'])
    assert.equal((await stateOf(buyer, id)).waiting, 0)
  })

  test('a test event is sent once, and not again when it fails', async () => {
    const buyer = await aBuyer(api.database)
    const { _id } = await anEndpoint(buyer)
    webhooks.receiver.respond = (response) => response.writeHead(500).end()
    const { status, body } = await api.as(buyer).post(`${ENDPOINTS_PATH}/${_id}/test`)
    assert.equal(status, 201)
    assert.equal(await deliver(_id), 1)
    assert.equal(await deliver(_id), 0)
    const [delivery] = await deliveriesOf(buyer, _id)
    assert.deepEqual(
      [delivery?._id, delivery?.type, delivery?.state],
      [body.deliveryId, 'webhook.test', 'failed'],
    )
    assert.deepEqual(webhooks.receiver.events[0]?.data, { endpointId: _id })
    assert.equal((await stateOf(buyer, _id)).failingSince, null)
  })

  test('a finished delivery is replayed with its id; another user cannot', async () => {
    const { buyer, id } = await aBuyerWithWork(1)
    const stranger = await aBuyer(api.database)
    await relayAll(api.database)
    const [waiting] = await deliveriesOf(buyer, id)
    const replay = (user: TestUser) => api.as(user).post(`/webhook-deliveries/${waiting?._id}/replay`)
    assert.equal((await replay(buyer)).body.error.code, 'state_conflict')
    await deliver(id)
    assert.equal((await replay(stranger)).status, 404)
    assert.equal((await replay(buyer)).status, 204)
    await deliver(id)
    assert.equal(webhooks.receiver.events.length, 2)
    assert.equal(webhooks.receiver.events[0]?.id, webhooks.receiver.events[1]?.id)
    const [replayed] = await deliveriesOf(buyer, id)
    assert.deepEqual([replayed?.state, replayed?.attempts.length], ['delivered', 2])
  })

  test('redirects are not followed, and no body is read beyond 2 kB', async () => {
    const other = await startReceiver()
    const { buyer, id } = await aBuyerWithWork(1)
    webhooks.receiver.respond = (response) => response.writeHead(307, { location: other.url }).end('moved')
    await deliver(id)
    assert.deepEqual([webhooks.receiver.received.length, other.received.length], [1, 0])
    const [delivery] = await deliveriesOf(buyer, id)
    assert.deepEqual([delivery?.state, delivery?.attempts[0]?.status], ['pending', 307])
    other.close()

    webhooks.receiver.respond = (response) => {
      response.writeHead(200)
      const send = () => {
        while (response.write('\u0000é'.repeat(20_000)));
      }
      response.on('drain', send).on('error', () => {})
      send()
    }
    await retryNow(id)
    await deliver(id)
    const [endless] = await deliveriesOf(buyer, id)
    assert.equal(endless?.state, 'delivered')
    assert.match(endless?.attempts[0]?.body ?? '', /^é{600,}/)
  })

  test('a status decides also when its body breaks off or does not end in time', async (t) => {
    const timeouts: AbortController[] = []
    t.mock.method(AbortSignal, 'timeout', () => {
      const timeout = new AbortController()
      timeouts.push(timeout)
      return timeout.signal
    })
    const { buyer, submissions, id } = await aBuyerWithWork(1)
    webhooks.receiver.respond = (response) =>
      response.writeHead(200, { 'content-length': 100 }).write('taken', () => response.destroy())
    await deliver(id)

    await approveSubmission(api.database, submissions[0] ?? '', buyer.id)
    webhooks.receiver.respond = (response) => response.writeHead(201).write('open')
    const endTime = () => timeouts.at(-1)?.abort()
    subscribe('http.client.response.finish', endTime)
    await deliver(id)
    unsubscribe('http.client.response.finish', endTime)
    const deliveries = await deliveriesOf(buyer, id)
    assert.deepEqual(
      deliveries.map(({ state, attempts }) => [state, attempts.map(({ status, error }) => [status, error])]),
      [
        ['delivered', [[201, null]]],
        ['delivered', [[200, null]]],
      ],
    )
    assert.equal(deliveries[1]?.attempts[0]?.body, 'taken')
  })

  test('an unreachable receiver, or one that breaks the connection, is a failure with its reason', async () => {
    const { buyer, id } = await aBuyerWithWork(1)
    webhooks.receiver.respond = (response) => response.destroy()
    await deliver(id)
    const gone = await startReceiver()
    gone.close()
    await api.as(buyer).patch(`${ENDPOINTS_PATH}/${id}`, { url: gone.url })
    await retryNow(id)
    await deliver(id)
    const [delivery] = await deliveriesOf(buyer, id)
    assert.deepEqual(
      delivery?.attempts.map(({ status, error }) => [status, error]),
      [
        [null, 'ECONNREFUSED'],
        [null, 'ECONNRESET'],
      ],
    )
  })

  test('where other machines can connect, deliveries go only to https URLs of public addresses; a private network receives nothing', async () => {
    const { buyer, id } = await aBuyerWithWork(1)
    const context = { ...api.instance.context, config: { ...api.instance.config, isDevelopment: false } }
    const attempt = async (url: string) => {
      await api.owner.query('update webhook_endpoints set url = $2 where id = $1', [id, url])
      await retryNow(id)
      await relayAll(api.database)
      await deliverDue(context, id, new AbortController().signal)
      return (await deliveriesOf(buyer, id))[0]?.attempts[0]?.error
    }
    assert.equal(await attempt(webhooks.receiver.url), 'Only https is allowed')
    for (const host of [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '10.0.0.1',
      '169.254.169.254',
      '[::1]',
      '[::ffff:127.0.0.1]',
    ])
      assert.equal(
        await attempt(`https://${host}:${webhooks.receiver.port}/`),
        'The host has no public address',
        host,
      )
    assert.deepEqual(webhooks.receiver.received, [])
  })
})
