import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { ENDPOINTS, type NamedEndpoint } from '#contract/api.ts'
import { ErrorReply, STATUS_OF } from '#contract/errors.ts'
import { startJobs } from '#server/jobs/start.ts'
import { type Client, type TestResponse, useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, aSubmission, aTask, aWorker, type TestUser } from '#tests/support/factories.ts'
import { BODIES } from './samples.ts'

/** What a body's field may be instead of what it should be, as raw JSON: some cannot be written any other way. */
const VALUES = [
  ...[
    'null',
    'true',
    '0',
    '-1',
    '0.5',
    '1e308',
    '-1e308',
    '9007199254740993',
    '3000000000',
    '1e-7',
    '""',
    '"5"',
    '"-5"',
    '"1e3"',
  ],
  ...[
    '"NaN"',
    '"Infinity"',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udfff\\ud800"',
    '"\\u202e"',
    '[]',
    '{}',
  ],
  ...[
    '[1]',
    '["Admin"]',
    '{"$ne":null}',
    '{"toString":1}',
    '[[[[]]]]',
    `"' or 1=1 --"`,
    '"2026-02-31"',
    '"0000-00-00"',
    '"0000-01-01T00:00:00Z"',
    `"2026-12-01T00:00:00.${'0'.repeat(200)}Z"`,
  ],
  ...[
    '"javascript:alert(1)"',
    '"http://["',
    '"a@b@c"',
    '"\\n@x"',
    `"${'x'.repeat(30_000)}"`,
    `"${'💥'.repeat(300)}"`,
  ],
]

/** What can never be a number of coins, slots or dollars. Zero and missing are looked at apart, where they differ. */
const NO_NUMBERS = new Set(VALUES.filter((value) => !/^\d+$/.test(value)).concat('9007199254740993', '1e308'))
const MONEY: Record<string, readonly string[]> = {
  addTask: ['required_workers', 'payable_amount'],
  updateCoin: ['coin'],
  requestWithdrawal: ['withdrawalCoin'],
  createPaymentIntent: ['price'],
}

const BODIES_WHOLE = ['', 'null', 'true', '5', '"text"', '[]', '[{}]', '{"a":1,"a":2}']

/** What the parser of all endpoints (server/http/json.ts) refuses or takes as empty. Each endpoint gets one of them. */
const UNPARSED = [
  ...[' ', '{', '}', '{"a":}', '{a:1}', "{'a':1}", '\u0000', '\uFEFF{}'],
  ...['{"__proto__":{"role":"Admin"}}', '{"constructor":{"prototype":{"role":"Admin"}}}', 'NaN'],
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
]

const IN_PATH = [
  ...[
    'x',
    '0',
    '-1',
    'null',
    'undefined',
    '%00',
    '%ED%A0%80',
    '%ZZ',
    '%',
    '..%2F..',
    "'%20or%201=1--",
    '%F0%9F%92%A5',
  ],
  ...[
    '00000000-0000-0000-0000-00000000000g',
    'x'.repeat(399),
    '00000000000000000000000000000000',
    '{}',
    '%20',
  ],
]

const IN_QUERY: Record<string, readonly string[]> = {
  limit: ['-1', '0', 'abc', '1.5', '1e3', '99999999999', '%00', ''],
  cursor: [
    'x',
    '%00',
    'WzFd',
    'bnVsbA',
    cursorOf('[1e400]'),
    cursorOf('[null]'),
    cursorOf('["x",1]'),
    cursorOf('[-1,-1]'),
    cursorOf(`["2026-12-01T00:00:00.${'0'.repeat(200)}Z","00000000-0000-0000-0000-000000000000"]`),
    cursorOf('["0000-01-01T00:00:00Z","00000000-0000-0000-0000-000000000000"]'),
  ],
  page: ['-1', 'x', '100001', '1.5', ''],
  status: ['x', 'PENDING', '%00', ''],
  role: ['x', 'admin', '%00'],
  email: ['x', '%00', '@', 'a@@b', '%ED%A0%80@x', 'x'.repeat(300)],
  q: ['%00', '%ED%A0%80', "'", '%5C', '!%26%7C:*', '%25', `${'x'.repeat(201)}`, '%F0%9F%92%A5', '%E2%80%AE'],
  search: ['%00', '%ED%A0%80', "'", '%5C', '!%26%7C:*', `${'x'.repeat(400)}`],
  sort: ['x', '%00', 'pay;drop'],
  pay_min: ['-1', '1.5', 'x', '99999999'],
  pay_max: ['-1', '1.5', 'x', '99999999'],
  open: ['x', '1'],
  returnTo: ['%00', 'https://evil.example', '//evil.example', '%5C%5Cevil'],
}

function cursorOf(json: string): string {
  return Buffer.from(json).toString('base64url')
}

// A live stream does not end.
const ENDING = ENDPOINTS.filter(({ name }) => !['live', 'apiEvents'].includes(name))

describe('bad input', () => {
  const api = useApi()
  const ids: Record<string, string> = {}
  let people: Record<'Worker' | 'Buyer' | 'Admin', TestUser>

  before(async () => {
    const { database } = api
    const { context, app } = api.instance
    await (await startJobs(context, app.log)).stop()
    people = {
      Worker: await aWorker(database, { coins: 500 }),
      Buyer: await aBuyer(database, { coins: 500 }),
      Admin: await anAdmin(database),
    }
    await makeThings()
  })

  /** Things that exist, by the endpoints that name one: what is wrong with a body then reaches the rules. */
  async function makeThings(): Promise<void> {
    const { database } = api
    const { Worker: worker, Buyer: buyer } = people
    const taskId = await aTask(database, buyer, { slots: 5, reward: 10 })
    const [approved, rejected] = [
      await aSubmission(database, taskId, worker),
      await aSubmission(database, taskId, await aWorker(database)),
    ]
    const wish = BODIES.requestWithdrawal?.(worker)
    const withdrawal = (await api.as(worker).post(`/withdraw/${worker.email}`, wish)).body.insertedId
    const message = (await api.anyone.post('/contact', BODIES.sendContact?.(worker))).body.insertedId
    Object.assign(ids, {
      updateTask: taskId,
      taskDetails: taskId,
      updateSubmissionStatus: approved,
      rejectSubmission: rejected,
      withdrawStatus: withdrawal,
      answerContact: message,
      updateRole: (await aWorker(database)).id,
    })
  }

  /** Somebody this endpoint lets in, in a session of their own. */
  async function someone({ endpoint }: NamedEndpoint): Promise<{ user: TestUser; client: Client }> {
    const { who } = endpoint.access
    const user = people[typeof who === 'string' ? 'Worker' : (who[0] ?? 'Admin')]
    return { user, client: api.withHeader(await api.instance.signIn(user)) }
  }

  test('every endpoint with a body has a sample of it', () => {
    const without = ENDPOINTS.filter(({ name, endpoint }) => endpoint.body !== undefined && !(name in BODIES))
    assert.deepEqual(
      without.map(({ name }) => name),
      [],
    )
  })

  for (const [index, one] of ENDING.entries()) {
    const { name, endpoint } = one
    const { method, path } = endpoint
    const takesJson = method !== 'GET' && name !== 'uploadImage' && name !== 'addDisputeFile'
    const queried = Object.keys(shapeOf(endpoint.query))
    if (!takesJson && endpoint.body === undefined && !path.includes(':') && queried.length === 0) continue

    test(`${method} ${path}: invalid fields, bodies, ids and queries are rejected`, async () => {
      if (endpoint.body !== undefined) await sendInvalidFields(one)
      if (takesJson) await sendInvalidBodies(one, UNPARSED[index % UNPARSED.length] ?? '')
      if (path.includes(':')) await sendInvalidIds(one)
      if (queried.length > 0) await sendInvalidQueries(one, queried)
    })
  }

  /** Sends every kind of invalid value in every field of a body. */
  async function sendInvalidFields(one: NamedEndpoint): Promise<void> {
    const { name, endpoint } = one
    const { user, client } = await someone(one)
    const sample = BODIES[name]?.(user) ?? {}
    const address = addressOf(one, user, ids)
    const fields = Object.keys(sample)
    for (const field of fields)
      expectValidResponse(
        await client.call(endpoint.method, address, { ...sample, [field]: undefined }),
        `${field} missing`,
      )
    for (const value of VALUES) {
      const send = async (...invalid: string[]) => {
        const marks = Object.fromEntries(invalid.map((field) => [field, '@@']))
        const body = JSON.stringify({ ...sample, ...marks }).replaceAll('"@@"', () => value)
        const response = await client.call(endpoint.method, address, body)
        expectValidResponse(response, `${invalid} = ${value.slice(0, 60)}`)
        return response
      }
      // A response to several invalid fields names each. Those that it does not name are sent alone.
      const named: object = fields.length > 1 ? ((await send(...fields)).body?.error?.fields ?? {}) : {}
      for (const field of fields.filter((field) => !(field in named))) {
        const { status } = await send(field)
        if (MONEY[name]?.includes(field) && NO_NUMBERS.has(value))
          assert.ok(status >= 400, `${field} = ${value} is ${status}`)
      }
    }
    for (const body of withLoneSurrogates(sample))
      expectValidResponse(await client.call(endpoint.method, address, body), body.slice(0, 2000))
  }

  async function sendInvalidIds(one: NamedEndpoint): Promise<void> {
    const { user, client } = await someone(one)
    const { method, path } = one.endpoint
    for (const id of [...IN_PATH, randomUUID(), randomUUID().toUpperCase()]) {
      const response = await client.call(method, path.replaceAll(/:\w+/g, id), BODIES[one.name]?.(user))
      expectValidResponse(response, id)
    }
  }

  async function sendInvalidQueries(one: NamedEndpoint, fields: string[]): Promise<void> {
    const { user, client } = await someone(one)
    const { method } = one.endpoint
    const base = fields.includes('email') ? `email=${encodeURIComponent(user.email)}&` : ''
    const address = `${addressOf(one, user, ids)}?${base}`
    for (const field of fields) {
      for (const value of IN_QUERY[field] ?? ['x', '%00'])
        expectValidResponse(await client.call(method, `${address}${field}=${value}`), `${field}=${value}`)
      expectValidResponse(await client.call(method, `${address}${field}=1&${field}=2`), `${field} twice`)
    }
  }

  async function sendInvalidBodies(one: NamedEndpoint, unparsed: string): Promise<void> {
    const { user, client } = await someone(one)
    const { method } = one.endpoint
    const address = addressOf(one, user, ids)
    for (const body of [...BODIES_WHOLE, unparsed]) {
      const response = await client.call(method, address, body, { 'content-type': 'application/json' })
      expectValidResponse(response, body.slice(0, 60))
    }
    const large = await client.call(method, address, JSON.stringify({ a: 'x'.repeat(1_048_576) }))
    assert.equal(large.status, 413, large.text)
    expectValidResponse(large)
    const form = await client.call(method, address, 'a=1', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    assert.equal(form.status, 415, form.text)
    expectValidResponse(form)
  }

  test('invalid headers are rejected', async () => {
    const { client } = await someone(ENDPOINTS[0] as NamedEndpoint)
    for (const key of ['', ' ', 'x'.repeat(201), 'ä']) {
      expectValidResponse(await client.post('/contact', {}, { 'idempotency-key': key }), key)
      expectValidResponse(await client.patch('/notifications/x@y.z', {}, { 'idempotency-key': key }), key)
    }
    for (const header of [
      'Bearer',
      'Bearer ',
      `Bearer ${'a.'.repeat(5000)}`,
      'Bearer a.b.c',
      'Bearer \u00e9',
    ])
      assert.equal((await api.withHeader(header).get('/worker-stats')).status, 401)
  })
})

/** Returns a body with a lone surrogate in place of each text in its lists and objects, as raw JSON. */
function withLoneSurrogates(sample: object): string[] {
  const bodies: string[] = []
  let place = 0
  const replaceAt = (wanted: number) =>
    JSON.stringify(sample, function (this: unknown, key, value) {
      if (typeof value !== 'string' || key === '' || this === sample) return value
      return place++ === wanted ? '\ud800' : value
    })
  for (let wanted = 0; ; wanted++) {
    place = 0
    const body = replaceAt(wanted)
    if (place <= wanted) return bodies
    bodies.push(body)
  }
}

/** A success, or a refusal in the error shape with the status of its code: never a failure of ours. */
function expectValidResponse({ status, body, text }: TestResponse, what = ''): void {
  assert.ok(status < 500, `${what}: ${status} ${text}`)
  if (status < 400) return
  const { error } = ErrorReply.parse(body)
  assert.equal(STATUS_OF[error.code as keyof typeof STATUS_OF], status, `${what}: ${text}`)
  assert.ok(
    error.message.length > 0 && !/select |insert |\bat \/|node_modules|zod/i.test(error.message),
    text,
  )
  const said = [error.message, ...Object.values(error.fields ?? {})]
  assert.ok(!said.some((sentence) => /^(invalid (input|option|uuid)|too (small|big))/i.test(sentence)), text)
}

function addressOf({ name, endpoint }: NamedEndpoint, user: TestUser, ids: Record<string, string>): string {
  return endpoint.path
    .replace(':email', encodeURIComponent(user.email))
    .replaceAll(/:\w+/g, ids[name] ?? randomUUID())
}

function shapeOf(schema: unknown): Record<string, unknown> {
  const { _zod } = (schema ?? {}) as { _zod?: { def: { shape?: Record<string, unknown> } } }
  return _zod?.def.shape ?? {}
}
