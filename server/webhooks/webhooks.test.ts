import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { API_EVENT_TYPES } from '#contract/api-events.ts'
import { WEBHOOK_ENDPOINTS_MAX, type WebhookDelivery } from '#contract/webhooks.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useApi } from '#tests/support/api.ts'
import { relayAll } from '#tests/support/api-events.ts'
import {
  aBuyer,
  anAdmin,
  aSubmission,
  aTask,
  atOnce,
  aWorker,
  type TestUser,
} from '#tests/support/factories.ts'
import { type Received, type Receiver, startReceiver } from '#tests/support/webhook-receiver.ts'
import { deliverDue, purgeWebhookDeliveries } from './deliver.ts'

const PATH = '/webhook-endpoints'

describe('webhooks', () => {
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
    api.as(user).post(PATH, { name: 'Own system', url: receiver.url, events: API_EVENT_TYPES, ...body })
  async function anEndpoint(user: TestUser, body: object = {}): Promise<{ _id: string; secret: string }> {
    const created = await create(user, body)
    assert.equal(created.status, 201, created.text)
    return created.body
  }
  const stateOf = async (user: TestUser, id: string) => (await api.as(user).get(`${PATH}/${id}`)).body
  const deliveriesOf = async (user: TestUser, id: string): Promise<WebhookDelivery[]> =>
    (await api.as(user).get(`${PATH}/${id}/deliveries`)).body
  /** Relays events and delivers what is due, as the jobs do. */
  async function deliver(endpoint: string): Promise<number> {
    await relayAll(api.database)
    return deliverDue(api.instance.context, endpoint, new AbortController().signal)
  }
  /** The time of the next attempt comes. */
  const letPausesEnd = (endpoint: string) =>
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

  test('an event is delivered with its payload, and only the chosen types are', async () => {
    const { buyer, submissions, id } = await aBuyerWithWork(1, { events: ['submission.received'] })
    await approveSubmission(api.database, submissions[0] ?? '', buyer.id)
    assert.equal(await deliver(id), 1)
    const [event] = receiver.events
    assert.deepEqual([event?.type, event?.data.submissionId], ['submission.received', submissions[0]])
    const [delivery, ...others] = await deliveriesOf(buyer, id)
    assert.deepEqual([delivery?.state, delivery?.eventId, others], ['delivered', event?.id, []])
    assert.deepEqual(
      delivery?.attempts.map(({ status, error, body }) => [status, error, body]),
      [[204, null, '']],
    )
    assert.equal(await deliver(id), 0)
  })

  const verifiesElsewhere = [verifyWithPython, verifyWithOpenssl].filter(
    (verify) => verify(null, '') !== undefined,
  )
  test('signatures are verified by standardwebhooks and in another language, during a rotation too', {
    skip: verifiesElsewhere.length === 0 && 'neither python3 nor openssl is installed',
  }, async () => {
    const { buyer, endpoint, submissions, id } = await aBuyerWithWork(2)
    const verify = (received: Received | undefined, secret: string) => {
      assert.ok(received)
      for (const inAnotherLanguage of verifiesElsewhere)
        assert.equal(inAnotherLanguage(received, secret), true, inAnotherLanguage.name)
      const event = new Webhook(secret).verify(received.body, received.headers as Record<string, string>)
      assert.equal((event as { id: string }).id, received.headers['webhook-id'])
    }
    const refuse = (received: Received | undefined, secret: string) => {
      assert.ok(received)
      for (const inAnotherLanguage of verifiesElsewhere)
        assert.equal(inAnotherLanguage(received, secret), false, inAnotherLanguage.name)
      assert.throws(() =>
        new Webhook(secret).verify(received.body, received.headers as Record<string, string>),
      )
    }
    await deliver(id)
    verify(receiver.received[0], endpoint.secret)
    verify(receiver.received[1], endpoint.secret)

    const rotated = await api.as(buyer).post(`${PATH}/${id}/rotate`)
    assert.notEqual(rotated.body.secret, endpoint.secret)
    await approveSubmission(api.database, submissions[0] ?? '', buyer.id)
    await deliver(id)
    verify(receiver.received[2], endpoint.secret)
    verify(receiver.received[2], rotated.body.secret)

    await api.owner.query(`update webhook_endpoints set previous_until = now() where id = $1`, [id])
    await approveSubmission(api.database, submissions[1] ?? '', buyer.id)
    await deliver(id)
    verify(receiver.received[3], rotated.body.secret)
    refuse(receiver.received[3], endpoint.secret)
    const [tampered] = receiver.received
    refuse(tampered && { ...tampered, body: tampered.body.replace('10', '99') }, endpoint.secret)
  })

  test('a failed delivery is tried ten times over about 75 hours, with its id, then fails', async () => {
    const { buyer, submissions, id } = await aBuyerWithWork(1, { events: ['submission.received'] })
    receiver.respond = (response) => response.writeHead(500).end('out of order'.repeat(1000))
    const pauses: number[] = []
    for (let attempt = 1; attempt <= 10; attempt++) {
      // The failures are of now: what three days of them bring is another test.
      assert.equal(await deliver(id), 1, `attempt ${attempt}`)
      const { rows } = await api.owner.query(
        `select extract(epoch from due_at - now())::float as seconds from webhook_deliveries where endpoint_id = $1`,
        [id],
      )
      pauses.push(Number(rows[0].seconds ?? 0))
      await letPausesEnd(id)
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
    assert.equal(new Set(receiver.events.map((event) => event.id)).size, 1)
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.equal(receiver.events[0]?.data.submissionId, submissions[0])
  })

  test('an event waits for the earlier ones of its object, and others do not', async () => {
    const { buyer, submissions, id } = await aBuyerWithWork(2)
    const [first = '', second = ''] = submissions
    receiver.respond = (response, { body }) => response.writeHead(body.includes(first) ? 500 : 200).end()
    await deliver(id)
    for (const submission of submissions) await approveSubmission(api.database, submission, buyer.id)
    await deliver(id)
    const typesOf = (submission: string) =>
      receiver.events.filter(({ data }) => data.submissionId === submission).map(({ type }) => type)
    assert.deepEqual(typesOf(second), ['submission.received', 'submission.decided'])
    assert.deepEqual(typesOf(first), ['submission.received'])
    receiver.respond = (response) => response.writeHead(200).end()
    await letPausesEnd(id)
    await deliver(id)
    assert.deepEqual(typesOf(first), ['submission.received', 'submission.received', 'submission.decided'])
    assert.equal((await stateOf(buyer, id)).waiting, 0)
  })

  test('a response 410 ends the endpoint, which is mailed and notified', async () => {
    const { buyer, submissions, id } = await aBuyerWithWork(2)
    receiver.respond = (response) => response.writeHead(410).end()
    await deliver(id)
    const ended = await stateOf(buyer, id)
    assert.deepEqual([ended.state, ended.waiting], ['ended', 0])
    assert.deepEqual(await stoppedReports(buyer), [['gone'], ['ended']])
    await approveSubmission(api.database, submissions[0] ?? '', buyer.id)
    assert.equal(await deliver(id), 0)
    for (const refused of [
      await api.as(buyer).put(`${PATH}/${id}/paused`, { paused: false }),
      await api.as(buyer).patch(`${PATH}/${id}`, { name: 'Another' }),
      await api.as(buyer).post(`${PATH}/${id}/test`),
    ])
      assert.equal(refused.body.error.code, 'state_conflict')
  })

  test('three days of only failures pause the endpoint; what waits is delivered in order when it is resumed', async () => {
    const { buyer, submissions, id } = await aBuyerWithWork(1)
    const failFor = (age: string) =>
      api.owner.query(
        `update webhook_endpoints set failing_since = failing_since - $2::interval where id = $1`,
        [id, age],
      )
    receiver.respond = (response) => response.writeHead(503).end()
    await deliver(id)
    await failFor('71 hours')
    await letPausesEnd(id)
    await deliver(id)
    assert.equal((await stateOf(buyer, id)).state, 'active')
    await failFor('2 hours')
    await letPausesEnd(id)
    await deliver(id)
    const paused = await stateOf(buyer, id)
    assert.deepEqual([paused.state, paused.pausedBecause, paused.waiting], ['paused', 'failures', 1])
    assert.deepEqual(await stoppedReports(buyer), [['failures'], ['paused']])

    await approveSubmission(api.database, submissions[0] ?? '', buyer.id)
    assert.equal(await deliver(id), 0, 'a paused endpoint gets nothing')
    assert.equal((await stateOf(buyer, id)).waiting, 2)
    receiver.received.length = 0
    receiver.respond = (response) => response.writeHead(200).end()
    const resumed = await api.as(buyer).put(`${PATH}/${id}/paused`, { paused: false })
    assert.deepEqual([resumed.body.state, resumed.body.failingSince], ['active', null])
    await deliver(id)
    assert.deepEqual(
      receiver.events.map(({ type }) => type),
      ['submission.received', 'submission.decided'],
    )
  })

  test('a success between failures starts the three days again', async () => {
    const { buyer, submissions, id } = await aBuyerWithWork(1)
    receiver.respond = (response) => response.writeHead(503).end()
    await deliver(id)
    assert.ok((await stateOf(buyer, id)).failingSince)
    receiver.respond = (response) => response.writeHead(200).end()
    await letPausesEnd(id)
    await deliver(id)
    assert.equal((await stateOf(buyer, id)).failingSince, null)
    assert.equal(submissions.length, 1)
  })

  test('a test event is sent once, and not again when it fails', async () => {
    const buyer = await aBuyer(api.database)
    const { _id } = await anEndpoint(buyer)
    receiver.respond = (response) => response.writeHead(500).end()
    const { status, body } = await api.as(buyer).post(`${PATH}/${_id}/test`)
    assert.equal(status, 201)
    assert.equal(await deliver(_id), 1)
    assert.equal(await deliver(_id), 0)
    const [delivery] = await deliveriesOf(buyer, _id)
    assert.deepEqual(
      [delivery?._id, delivery?.type, delivery?.state],
      [body.deliveryId, 'webhook.test', 'failed'],
    )
    assert.deepEqual(receiver.events[0]?.data, { endpointId: _id })
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
    assert.equal(receiver.events.length, 2)
    assert.equal(receiver.events[0]?.id, receiver.events[1]?.id)
    const [replayed] = await deliveriesOf(buyer, id)
    assert.deepEqual([replayed?.state, replayed?.attempts.length], ['delivered', 2])
  })

  test('redirects are not followed, and no body is read beyond 2 kB', async () => {
    const other = await startReceiver()
    const { buyer, id } = await aBuyerWithWork(1)
    receiver.respond = (response) => response.writeHead(307, { location: other.url }).end('moved')
    await deliver(id)
    assert.deepEqual([receiver.received.length, other.received.length], [1, 0])
    const [delivery] = await deliveriesOf(buyer, id)
    assert.deepEqual([delivery?.state, delivery?.attempts[0]?.status], ['pending', 307])
    other.close()

    receiver.respond = (response) => {
      response.writeHead(200)
      const send = () => {
        while (response.write('\u0000é'.repeat(20_000)));
      }
      response.on('drain', send).on('error', () => {})
      send()
    }
    await letPausesEnd(id)
    await deliver(id)
    const [endless] = await deliveriesOf(buyer, id)
    assert.equal(endless?.state, 'delivered')
    assert.match(endless?.attempts[0]?.body ?? '', /^é{600,}/)
  })

  test('a receiver that is not there, or breaks the connection, is a failure with its reason', async () => {
    const { buyer, id } = await aBuyerWithWork(1)
    receiver.respond = (response) => response.destroy()
    await deliver(id)
    const gone = await startReceiver()
    gone.close()
    await api.as(buyer).patch(`${PATH}/${id}`, { url: gone.url })
    await letPausesEnd(id)
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

  test('in production only https to public addresses is sent; a private network receives nothing', async () => {
    const { buyer, id } = await aBuyerWithWork(1)
    const production = { ...api.instance.config, production: true, publicUrl: 'https://work.example.com' }
    const context = { ...api.instance.context, config: production }
    const attempt = async (url: string) => {
      await api.owner.query('update webhook_endpoints set url = $2 where id = $1', [id, url])
      await letPausesEnd(id)
      await relayAll(api.database)
      await deliverDue(context, id, new AbortController().signal)
      return (await deliveriesOf(buyer, id))[0]?.attempts[0]?.error
    }
    assert.equal(await attempt(receiver.url), 'Only https is allowed')
    for (const host of [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '10.0.0.1',
      '169.254.169.254',
      '[::1]',
      '[::ffff:127.0.0.1]',
    ])
      assert.equal(await attempt(`https://${host}:${receiver.port}/`), 'The host has no public address', host)
    assert.deepEqual(receiver.received, [])
  })

  test('the list shows nobody else their endpoints; the database has no secret in the clear', async () => {
    const [buyer, stranger] = [await aBuyer(api.database), await aBuyer(api.database)]
    const { _id, secret } = await anEndpoint(buyer)
    const [listed] = (await api.as(buyer).get(PATH)).body
    assert.deepEqual([listed._id, 'secret' in listed], [_id, false])
    assert.deepEqual((await api.as(stranger).get(PATH)).body, [])
    for (const refused of [
      await api.as(stranger).get(`${PATH}/${_id}`),
      await api.as(stranger).get(`${PATH}/${_id}/deliveries`),
      await api.as(stranger).patch(`${PATH}/${_id}`, { url: receiver.url }),
      await api.as(stranger).post(`${PATH}/${_id}/rotate`),
      await api.as(stranger).post(`${PATH}/${_id}/test`),
      await api.as(stranger).put(`${PATH}/${_id}/paused`, { paused: true }),
    ])
      assert.equal(refused.status, 404)
    assert.equal((await api.as(stranger).delete(`${PATH}/${_id}`)).status, 204)
    assert.equal((await stateOf(buyer, _id)).state, 'active', 'a stranger deletes nothing')
    const { rows } = await api.owner.query(
      `select (select string_agg(row_to_json(webhook_endpoints)::text, '') from webhook_endpoints)
           || (select coalesce(string_agg(row_to_json(outbox)::text, ''), '') from outbox)
           || (select string_agg(row_to_json(security_log)::text, '') from security_log) as text`,
    )
    for (const form of [secret, secret.slice(6), Buffer.from(secret.slice(6), 'base64').toString('hex')])
      assert.ok(!rows[0].text.includes(form))
  })

  test('an Admin makes none, a user at most ten, and creating, changing and rotating need a proof', async () => {
    const admin = await anAdmin(api.database)
    assert.equal((await create(admin)).body.error.code, 'role_not_allowed')
    const buyer = await aBuyer(api.database)
    const made = await atOnce(WEBHOOK_ENDPOINTS_MAX + 3, () => create(buyer))
    const statuses = made.map((one) => (one.status === 'fulfilled' ? one.value.status : 0))
    assert.equal(statuses.filter((status) => status === 201).length, WEBHOOK_ENDPOINTS_MAX)
    assert.equal(statuses.filter((status) => status === 409).length, 3)
    const [{ _id }] = (await api.as(buyer).get(PATH)).body
    await api.database.pool.query(`update sessions set proved_at = 'epoch' where identity_id = $1`, [
      buyer.id,
    ])
    for (const refused of [
      await create(buyer),
      await api.as(buyer).patch(`${PATH}/${_id}`, { url: receiver.url }),
      await api.as(buyer).post(`${PATH}/${_id}/rotate`),
      await api.as(buyer).delete(`${PATH}/${_id}`),
    ])
      assert.equal(refused.body.error.code, 'proof_required')
  })

  test('URLs that cannot be a receiver are refused', async () => {
    const buyer = await aBuyer(api.database)
    for (const url of [
      'ftp://example.com/',
      'example.com',
      'https://user:pw@example.com/',
      'https://example.com/#a',
      '',
    ])
      assert.equal((await create(buyer, { url })).body.error.fields.url.length > 0, true, url)
  })

  test('every change is logged, and a new URL is mailed', async () => {
    const buyer = await aBuyer(api.database)
    const { _id } = await anEndpoint(buyer)
    await api.as(buyer).patch(`${PATH}/${_id}`, { name: 'Warehouse' })
    await api.as(buyer).patch(`${PATH}/${_id}`, { url: `${receiver.url}/2` })
    await api.as(buyer).post(`${PATH}/${_id}/rotate`)
    await api.as(buyer).delete(`${PATH}/${_id}`)
    const { rows } = await api.database.pool.query(
      `select params ->> 'change' as change from security_log where identity_id = $1 and kind = 'webhook_changed' order by id`,
      [buyer.id],
    )
    assert.deepEqual(
      rows.map(({ change }) => change),
      ['created', 'changed', 'changed', 'secret_rotated', 'deleted'],
    )
    assert.deepEqual(await mailsTo(buyer, 'webhook-changed', 'change'), [
      'created',
      'changed',
      'secret_rotated',
    ])
  })

  test('a deleted user has no endpoints, and old deliveries are deleted', async () => {
    const { buyer, id } = await aBuyerWithWork(2)
    await deliver(id)
    await api.owner.query(
      `update webhook_deliveries set created_at = now() - interval '31 days' where id =
         (select id from webhook_deliveries where endpoint_id = $1 limit 1)`,
      [id],
    )
    assert.equal(await purgeWebhookDeliveries(api.database), 1)
    assert.equal((await deliveriesOf(buyer, id)).length, 1)
    await deleteUser(api.database, buyer.id, (await anAdmin(api.database)).id)
    const { rows } = await api.owner.query(
      'select count(*)::int from webhook_deliveries where endpoint_id = $1',
      [id],
    )
    assert.deepEqual(rows, [{ count: 0 }])
  })

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
})

/** Returns whether a script in Python verifies the signature, or undefined where there is no Python. */
function verifyWithPython(received: Received | null, secret: string): boolean | undefined {
  const program = `
import sys, json, hmac, hashlib, base64
given = json.load(sys.stdin)
key = base64.b64decode(given['secret'].removeprefix('whsec_'))
signed = f"{given['id']}.{given['timestamp']}.{given['body']}".encode()
expected = 'v1,' + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
print(any(hmac.compare_digest(expected, one) for one in given['signature'].split(' ')))`
  if (received === null) return spawnSync('python3', ['-c', 'import hmac']).status === 0 ? true : undefined
  const input = JSON.stringify({
    secret,
    body: received.body,
    id: received.headers['webhook-id'],
    timestamp: received.headers['webhook-timestamp'],
    signature: received.headers['webhook-signature'],
  })
  const { stdout, stderr } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8' })
  assert.match(stdout, /^(True|False)\n$/, stderr)
  return stdout === 'True\n'
}

/** Returns whether openssl computes one of the signatures, or undefined where there is no openssl. */
function verifyWithOpenssl(received: Received | null, secret: string): boolean | undefined {
  if (received === null) return spawnSync('openssl', ['version']).status === 0 ? true : undefined
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex')
  const { headers, body } = received
  const input = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const arguments_ = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`, '-binary']
  const { stdout } = spawnSync('openssl', arguments_, { input })
  return String(headers['webhook-signature'])
    .split(' ')
    .includes(`v1,${stdout.toString('base64')}`)
}
