import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { describe, test } from 'node:test'
import { API_KEYS_MAX, type ApiKey, type ApiKeyUse } from '#contract/api-keys.ts'
import { API_SCOPES } from '#contract/endpoint.ts'
import { useApi } from '#tests/support/api.ts'
import { appeal, defend, reject } from '#tests/support/appeals.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aBuyer, anAdmin, atOnce, aWorker, dayFromNow, type TestUser } from '#tests/support/factories.ts'
import { itemWork } from '#tests/support/items.ts'
import { inOpenTransaction, lockWaits } from '#tests/support/lock-waits.ts'
import { purgeApiKeyUses } from './uses.ts'

const PATH = '/api-keys'
const KEY = { name: 'Own system', scopes: ['tasks', 'review'], expiresInDays: 90 }
const TASK = {
  task_title: 'Label pictures',
  task_detail: 'Label ten pictures',
  required_workers: 2,
  payable_amount: 5,
  completion_date: dayFromNow(5),
  submission_info: 'The labels',
}

describe('API keys', () => {
  const api = useApi({ trustProxy: ['127.0.0.1'] })
  const make = (user: TestUser, body: object = {}) => api.as(user).post(PATH, { ...KEY, ...body })
  async function aKey(user: TestUser, body: object = {}) {
    const made = await make(user, body)
    assert.equal(made.status, 201, made.text)
    return { ...made.body, client: api.withHeader(`Bearer ${made.body.secret}`) }
  }
  /** Returns the URL at which the app listens. */
  async function origin(): Promise<string> {
    const { app } = api.instance
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
    return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  }
  /** Returns the requests of a key that are in the database, where instances add every thirty. */
  const hits = async (key: ApiKey): Promise<number | undefined> => {
    const { rows } = await api.owner.query('select hits from rate_limits where key = $1', [
      `api key ${key._id}`,
    ])
    return rows[0]?.hits
  }
  const list = async (user: TestUser) => (await api.as(user).get(PATH)).body
  const logged = async (user: TestUser) => {
    const { rows } = await api.database.pool.query(
      `select kind, params from security_log where identity_id = $1 and kind like 'api_key%' order by id`,
      [user.id],
    )
    return rows.map(({ kind, params }) => [kind, params])
  }

  test('a buyer posts a task with a key; a list, a log and the database never have the secret', async () => {
    const buyer = await aBuyer(api.database)
    const key = await aKey(buyer, { scopes: ['tasks'] })
    assert.match(key.secret, /^tw_[\w-]{43}$/)
    assert.equal(key.prefix, key.secret.slice(0, 9))
    const posted = await key.client.post('/add-task', TASK)
    assert.equal(posted.status, 200, posted.text)
    const [listed] = await list(buyer)
    const { secret: _, client: __, ...shown } = key
    assert.deepEqual(listed, shown)

    const { rows } = await api.owner.query(
      `select coalesce(string_agg(row_to_json(api_keys)::text, ''), '') as text from api_keys
       union all select coalesce(string_agg(row_to_json(security_log)::text, ''), '') from security_log
       union all select coalesce(string_agg(row_to_json(outbox)::text, ''), '') from outbox
       union all select coalesce(string_agg(row_to_json(idempotency_keys)::text, ''), '') from idempotency_keys`,
    )
    for (const { text } of rows) assert.ok(!text.includes(key.secret.slice(9)))
    assert.deepEqual(await logged(buyer), [['api_key_created', { name: 'Own system', scopes: 'tasks' }]])
  })

  test('a new key is mailed with its name and scopes', async () => {
    const buyer = await aBuyer(api.database)
    await aKey(buyer)
    const { rows } = await api.database.pool.query(
      `select payload from outbox where topic = 'mail' and user_id = $1`,
      [buyer.id],
    )
    assert.deepEqual(
      rows.map(({ payload: { template, data } }) => [template, data.key, data.scopes]),
      [['api-key-created', 'Own system', 'tasks, review']],
    )
  })

  test('a new key also creates a notification', async () => {
    const buyer = await aBuyer(api.database)
    await aKey(buyer)
    const [notification] = (await api.as(buyer).get('/my-notifications')).body
    assert.deepEqual(
      [notification.kind, notification.actionRoute],
      ['api_key_created', '/dashboard/api-keys'],
    )
  })

  test('a revoked key stops working at once, and another user cannot revoke or see it', async () => {
    const [buyer, stranger] = [await aBuyer(api.database), await aBuyer(api.database)]
    const key = await aKey(buyer)
    assert.deepEqual(await list(stranger), [])
    assert.equal((await api.as(stranger).delete(`${PATH}/${key._id}`)).status, 404)
    assert.equal((await api.as(stranger).get(`${PATH}/${key._id}/uses`)).status, 404)
    assert.equal((await key.client.get('/my-task-totals')).status, 200)
    assert.equal((await api.as(buyer).delete(`${PATH}/${key._id}`)).status, 204)
    assert.equal((await api.as(buyer).delete(`${PATH}/${key._id}`)).status, 204)
    const refused = await key.client.get('/my-task-totals')
    assert.deepEqual([refused.status, refused.body.error.code], [401, 'invalid_token'])
    assert.match(refused.body.error.message, /revoked/)
    assert.deepEqual(
      (await logged(buyer)).map(([kind]) => kind),
      ['api_key_created', 'api_key_revoked'],
    )
  })

  test('creating and revoking need a recent proof of identity, and a key can do neither', async () => {
    const buyer = await aBuyer(api.database)
    const key = await aKey(buyer, { scopes: API_SCOPES })
    for (const refused of [
      await key.client.post(PATH, KEY),
      await key.client.delete(`${PATH}/${key._id}`),
      await key.client.get(PATH),
    ])
      assert.equal(refused.body.error.code, 'scope_missing')
    await api.database.pool.query(`update sessions set proved_at = 'epoch' where identity_id = $1`, [
      buyer.id,
    ])
    for (const refused of [await make(buyer), await api.as(buyer).delete(`${PATH}/${key._id}`)])
      assert.equal(refused.body.error.code, 'proof_required')
  })

  test('Admins cannot create keys, and the keys of a user stop working while the user is an Admin', async () => {
    const admin = await anAdmin(api.database)
    assert.equal((await make(admin)).body.error.code, 'role_not_allowed')
    const worker = await aWorker(api.database)
    const key = await aKey(worker, { scopes: ['account:read'] })
    const status = async () => (await key.client.get('/worker-stats')).status
    assert.equal(await status(), 200)
    await api.as(admin).put(`/update-role/${worker.id}`, { value: 'Admin' })
    assert.equal(await status(), 401)
    await api.as(admin).put(`/update-role/${worker.id}`, { value: 'Worker' })
    assert.equal(await status(), 200)
    await api.as(admin).delete(`/delete-user/${worker.id}`)
    assert.equal(await status(), 401)
  })

  test('keys of the worker and the buyer read a case and its item, a key of its reviewer does not', async () => {
    const { aBatch, work } = itemWork(api)
    const { buyer, taskId } = await aBatch(1)
    const [worker, reviewer] = [await aWorker(api.database), await aWorker(api.database)]
    const { id: submission } = await work(worker, taskId)
    await reject(api.database, submission, buyer)
    await appeal(api.database, submission, worker)
    await defend(api.database, submission, buyer)
    await api.owner.query('update reviews set reviewer_id = $2 where submission_id = $1', [
      submission,
      reviewer.id,
    ])
    const path = `/submissions/${submission}`
    const clientOf = async (user: TestUser) => (await aKey(user, { scopes: ['review'] })).client
    const readers: string[] = []
    const inputs: object[] = []
    for (const side of [worker, buyer]) {
      const client = await clientOf(side)
      readers.push((await client.get(`${path}/case`)).body.viewer)
      inputs.push((await client.get(`${path}/item`)).body.input)
    }
    assert.deepEqual(readers, ['worker', 'buyer'])
    assert.deepEqual(inputs, [null, { name: 'Shop 1' }])
    assert.equal((await api.as(reviewer).get(`${path}/case`)).body.viewer, 'reviewer')
    assert.equal((await api.as(reviewer).get(`${path}/item`)).status, 200)
    const ofReviewer = await clientOf(reviewer)
    for (const part of ['case', 'item']) {
      const refused = await ofReviewer.get(`${path}/${part}`)
      assert.deepEqual([refused.status, refused.body.error.code], [404, 'submission_not_found'])
    }
  })

  test('there are at most twenty, also when more are made at once; revoked ones do not count', async () => {
    const buyer = await aBuyer(api.database)
    const made = await atOnce(API_KEYS_MAX + 4, () => make(buyer))
    const statuses = made.map((one) => (one.status === 'fulfilled' ? one.value.status : 0))
    assert.equal(statuses.filter((status) => status === 201).length, API_KEYS_MAX)
    assert.equal(statuses.filter((status) => status === 409).length, 4)
    const [first] = await list(buyer)
    await api.as(buyer).delete(`${PATH}/${first._id}`)
    assert.equal((await make(buyer)).status, 201)
  })

  test('a key in use is listed, also behind very many newer ones that are revoked or expired', async () => {
    const buyer = await aBuyer(api.database)
    const key = await aKey(buyer)
    await api.owner.query(
      `insert into api_keys (id, user_id, name, prefix, secret_hash, scopes, created_at, expires_at, revoked_at)
       select overlay(gen_random_uuid()::text placing 'f' from 1 for 1)::uuid, user_id, name, prefix,
              sha256(number::text::bytea), scopes, now() - interval '2 days',
              now() + case when number % 2 = 0 then interval '1 day' else interval '-1 day' end,
              case when number % 2 = 0 then now() end
         from api_keys, generate_series(1, 100) as number where id = $1`,
      [key._id],
    )
    const listed: ApiKey[] = await list(buyer)
    assert.deepEqual([listed.length, listed.at(-1)?._id], [100, key._id])
  })

  test('a key works from its networks only, and refusals are logged a few times', async () => {
    const buyer = await aBuyer(api.database)
    const key = await aKey(buyer, { networks: ['203.0.113.77/24', '2001:db8:1::/48', '198.51.100.7'] })
    assert.deepEqual(key.networks.toSorted(), ['198.51.100.7/32', '2001:db8:1::/48', '203.0.113.0/24'])
    const from = (ip: string) => key.client.get('/my-task-totals', { 'x-forwarded-for': ip })
    for (const ip of ['203.0.113.1', '::ffff:203.0.113.2', '2001:db8:1:2::3', '198.51.100.7'])
      assert.equal((await from(ip)).status, 200, ip)
    for (const ip of ['203.0.114.1', '2001:db8:2::1', '198.51.100.8', '::ffff:198.51.100.8', '127.0.0.1'])
      assert.equal((await from(ip)).body.error.code, 'network_not_allowed', ip)
    for (let index = 0; index < 20; index++) await from('192.0.2.1')
    const refusals = (await logged(buyer)).filter(([kind]) => kind === 'api_key_refused')
    assert.ok(refusals.length >= 5 && refusals.length <= 10, `${refusals.length}`)
    assert.deepEqual(refusals[0], ['api_key_refused', { name: 'Own system', reason: 'network' }])
  })

  test('an expired key says so', async () => {
    const buyer = await aBuyer(api.database)
    const key = await aKey(buyer)
    await api.owner.query(
      `update api_keys set created_at = now() - interval '2 days', expires_at = now() - interval '1 second' where id = $1`,
      [key._id],
    )
    const { status, body } = await key.client.get('/my-task-totals')
    assert.deepEqual([status, body.error.code], [401, 'invalid_token'])
    assert.match(body.error.message, /expired/)
  })

  test('a key of 366 days is restored into a database of another time zone', async () => {
    const key = await aKey(await aBuyer(api.database))
    const client = await api.owner.connect()
    try {
      await client.query(`begin; set local timezone = 'Europe/Berlin'`)
      await client.query(
        `update api_keys set created_at = '2026-03-28T12:00:00Z', expires_at = '2027-03-29T12:00:00Z' where id = $1`,
        [key._id],
      )
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('every response to a key has the headers of its limit, and the limit holds', async () => {
    const buyer = await aBuyer(api.database)
    const key = await aKey(buyer)
    const first = await key.client.get('/my-task-totals')
    assert.equal(first.headers['ratelimit-policy'], '"key";q=600;w=60')
    assert.match(String(first.headers.ratelimit), /^"key";r=599;t=\d+$/)
    const refused = await key.client.get('/auth/sessions')
    assert.equal(refused.status, 403)
    assert.match(String(refused.headers.ratelimit), /^"key";r=59\d;t=\d+$/)
    assert.equal((await api.as(buyer).get('/my-task-totals')).headers.ratelimit, undefined)

    await api.owner.query(
      `insert into rate_limits (key, hits, resets_at) values ($1, 600, now() + interval '1 minute')
       on conflict (key) do update set hits = 600`,
      [`api key ${key._id}`],
    )
    let limited = await key.client.get('/my-task-totals')
    for (let index = 0; index < 70 && limited.status === 200; index++)
      limited = await key.client.get('/my-task-totals')
    assert.equal(limited.body.error.code, 'too_many_requests')
    assert.match(String(limited.headers.ratelimit), /^"key";r=0;t=\d+$/)
    assert.match(String(limited.headers['retry-after']), /^\d+$/)
    const other = await aKey(buyer)
    assert.equal((await other.client.get('/my-task-totals')).status, 200, 'each key has its own limit')
  })

  test('a request whose body is refused counts, and one that anyone may send does not', async () => {
    const buyer = await aBuyer(api.database)
    const key = await aKey(buyer)
    const malformed = await key.client.post('/add-task', '{')
    const form = await key.client.post('/add-task', 'a=1', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    const large = await key.client.post('/add-task', { task_detail: 'x'.repeat(1_048_576) })
    await api.as(buyer).delete(`${PATH}/${key._id}`)
    const open = await key.client.get('/top-workers')
    const left = ({ headers }: { headers: object }) =>
      /r=(\d+)/.exec(String('ratelimit' in headers && headers.ratelimit))?.[1]
    assert.deepEqual(
      [malformed, form, large, open].map((response) => [response.status, left(response)]),
      [
        [400, '599'],
        [415, '598'],
        [413, '597'],
        [200, undefined],
      ],
    )
    const uses: ApiKeyUse[] = (await api.as(buyer).get(`${PATH}/${key._id}/uses`)).body
    assert.deepEqual(new Set(uses.map(({ status }) => status)), new Set([400, 413, 415]))
  })

  /** Sends the headers of a new task and no byte of its body. */
  async function beginTask(key: { secret: string }) {
    const sent = request(`${await origin()}/api/add-task`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' },
      agent: false,
    })
    const responded = new Promise<number | undefined>((resolve) => {
      sent.once('response', (response) => resolve(response.resume().statusCode))
    })
    sent.on('error', () => {})
    sent.flushHeaders()
    return { sent, responded }
  }

  test('a key above its limit is refused before the body arrives', async () => {
    const key = await aKey(await aBuyer(api.database))
    await api.owner.query(
      `insert into rate_limits (key, hits, resets_at) values ($1, 700, now() + interval '1 minute')`,
      [`api key ${key._id}`],
    )
    let { status } = await key.client.get('/my-task-totals')
    while (status === 200) ({ status } = await key.client.get('/my-task-totals'))
    const { sent, responded } = await beginTask(key)
    assert.equal(await responded, 429)
    sent.destroy()
  })

  test('a key that is revoked before the body arrives does nothing', async () => {
    const buyer = await aBuyer(api.database)
    const key = await aKey(buyer)
    for (let index = 0; index < 29; index++) await key.client.get('/my-task-totals')
    const { sent, responded } = await beginTask(key)
    await eventually(async () => (await hits(key)) === 30)
    await api.as(buyer).delete(`${PATH}/${key._id}`)
    sent.end(JSON.stringify(TASK))
    assert.equal(await responded, 401)
  })

  test('a key has at most about two thousand entries a day', async () => {
    const buyer = await aBuyer(api.database)
    const [key, other] = [await aKey(buyer), await aKey(buyer)]
    await api.owner.query(
      `insert into api_key_uses (key_id, minute, operation, status, requests, network)
       select $1, date_trunc('minute', now()), 'GET /' || number, 200, 1, '127.0.0.1' from generate_series(1, 2000) as number`,
      [key._id],
    )
    for (const { client } of [key, other]) await client.get('/my-task-totals')
    await api.as(buyer).get(`${PATH}/${key._id}/uses`)
    const { rows } = await api.owner.query(
      'select count(*)::int from api_key_uses where key_id = any ($1) group by key_id order by 1',
      [[key._id, other._id]],
    )
    assert.deepEqual(rows, [{ count: 1 }, { count: 2000 }])
  })

  test('what a key did is listed by operation and status, and deleted after thirty days', async () => {
    const buyer = await aBuyer(api.database)
    const key = await aKey(buyer)
    for (let index = 0; index < 3; index++) await key.client.get('/my-task-totals')
    await key.client.get('/auth/sessions')
    const uses = async () => {
      const { body } = await api.as(buyer).get(`${PATH}/${key._id}/uses`)
      const totals = new Map<string, number>()
      for (const { operation, status, requests } of body as ApiKeyUse[]) {
        const name = `${operation} ${status}`
        totals.set(name, (totals.get(name) ?? 0) + requests)
      }
      return Object.fromEntries(totals)
    }
    assert.deepEqual(await uses(), { 'GET /my-task-totals 200': 3, 'GET /auth/sessions 403': 1 })
    await key.client.get('/my-task-totals')
    assert.equal((await uses())['GET /my-task-totals 200'], 4)
    const [listed] = await list(buyer)
    assert.equal(listed.lastUsedNetwork, '127.0.0.1')
    assert.ok(Date.parse(listed.lastUsedAt) <= Date.now())

    await api.owner.query(`update api_key_uses set minute = minute - interval '31 days' where key_id = $1`, [
      key._id,
    ])
    assert.ok((await purgeApiKeyUses(api.database)) >= 2)
    assert.deepEqual(await uses(), {})
  })

  test('a request whose client disconnects before the response is listed', async () => {
    const buyer = await aBuyer(api.database, { coins: 100 })
    const key = await aKey(buyer)
    const url = `${await origin()}/api/add-task`
    let connection: Socket | undefined
    api.instance.app.server.once('connection', (socket) => {
      connection = socket
    })
    await inOpenTransaction(api.owner, async (lock) => {
      await lock.query('lock table tasks')
      const abandoned = request(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' },
        agent: false,
      })
      abandoned.on('error', () => {})
      abandoned.end(JSON.stringify(TASK))
      await eventually(async () => (await lockWaits(api.owner)) === 1)
      abandoned.destroy()
      await eventually(() => connection?.closed)
    })
    const uses = async (): Promise<ApiKeyUse[]> => (await api.as(buyer).get(`${PATH}/${key._id}/uses`)).body
    await eventually(async () => (await uses()).length > 0)
    assert.deepEqual(
      (await uses()).map(({ operation, status, requests }) => [operation, status, requests]),
      [['POST /add-task', 200, 1]],
    )
  })

  test('each wrong field has its message', async () => {
    const buyer = await aBuyer(api.database)
    const { status, body } = await make(buyer, {
      name: ' ',
      scopes: [],
      networks: ['203.0.113.0/33'],
      expiresInDays: 367,
    })
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.error.fields).toSorted(), [
      'expiresInDays',
      'name',
      'networks.0',
      'scopes',
    ])
    for (const wrong of [
      { scopes: ['tasks', 'tasks'] },
      { networks: Array.from({ length: 11 }, (_, index) => `198.51.100.${index}`) },
      { networks: ['example.com'] },
    ])
      assert.equal((await make(buyer, wrong)).status, 422, JSON.stringify(wrong))
  })
})
