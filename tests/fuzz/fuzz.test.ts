import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { ErrorReply, STATUS_OF } from '#contract/errors.ts'
import { openApi } from '#server/api-docs/openapi.ts'
import { startJobs } from '#server/jobs/start.ts'
import { useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, aPendingSubmission, aWorker } from '#tests/support/factories.ts'
import { type Caller, Known, type Operation, type Request, requestsOf } from './requests.ts'

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_000)
const SEED = Number(
  process.env.FUZZ_SEED ?? (process.env.FUZZ_REQUESTS === undefined ? 1 : randomInt(2 ** 31)),
)
const AT_ONCE = 6
/** A stream never ends, and a picture is no JSON: both have tests of their own. */
const LEFT_OUT = ['live', 'apiEvents', 'uploadImage', 'addDisputeFile']

describe('requests made from the OpenAPI document', () => {
  const api = useApi()
  const document = openApi('Tallywork')
  const pool: Record<Known['kind'], string[]> = { id: [], email: [], secret: [], own: [] }
  const sessions = new Map<Caller, Promise<string>>()
  const own = new Map<Caller, string>()
  const responses = responseChecks(new Ajv2020({ strict: false }))

  before(async () => {
    const { context, app } = api.instance
    await (await startJobs(context, app.log)).stop()
    for (let count = 0; count < 5; count++) {
      const { buyer, worker, taskId, submissionId } = await aPendingSubmission(api.database)
      pool.id.push(taskId, submissionId, buyer.id, worker.id)
      pool.email.push(buyer.email, worker.email)
    }
  })

  /** A session for this role, renewed when the last one ended: many requests end sessions or delete users. */
  function authorization(caller: Caller): Promise<string> | undefined {
    if (caller === 'nobody') return undefined
    const session = sessions.get(caller) ?? newSession(caller)
    sessions.set(caller, session)
    return session
  }

  async function newSession(caller: Caller): Promise<string> {
    if (caller === 'a bad token') return 'Bearer a.b.c'
    if (caller === 'unregistered') {
      const user = { id: randomUUID(), name: 'Ruma', email: `${randomUUID()}@example.com` }
      await api.database.pool.query(
        'insert into identities (id, name, email, email_key) values ($1, $2, $3, $3)',
        [user.id, user.name, user.email],
      )
      return api.instance.signIn(user)
    }
    const coins = { coins: 9_000 }
    const user = await (caller === 'Worker'
      ? aWorker(api.database, coins)
      : caller === 'Buyer'
        ? aBuyer(api.database, coins)
        : anAdmin(api.database))
    pool.id.push(user.id)
    pool.email.push(user.email)
    own.set(caller, user.email)
    return api.instance.signIn(user)
  }

  async function send({ method, path, operation, caller, params, query, body, raw, key }: Request) {
    const known = await authorization(caller)
    const plain = (value: unknown): unknown => {
      if (value instanceof Known && value.kind === 'own') return own.get(caller) ?? pool.email[0]
      if (value instanceof Known)
        return pool[value.kind].at(-1 - (value.index % Math.max(1, pool[value.kind].length))) ?? ''
      if (Array.isArray(value)) return value.map(plain)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]))
    }
    const word = (value: unknown) => {
      const found = plain(value) ?? ''
      return encodeURIComponent((typeof found === 'string' ? found : JSON.stringify(found)).toWellFormed())
    }
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => word(params[name]))
    const search = Object.entries(query).map(([name, value]) => `${name}=${word(value)}`)
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(plain(body)))
    const response = await api.instance.app.inject({
      method: method as 'GET',
      url: `/api${address}${search.length > 0 ? `?${search.join('&')}` : ''}`,
      remoteAddress: `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
      headers: {
        ...(known !== undefined && { authorization: known }),
        ...(key !== undefined && { 'idempotency-key': key.replaceAll(/[^\x20-\xff]/g, '?') }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
      },
      ...(payload !== undefined && { payload }),
    })
    const what = `${method} ${address}?${search.join('&').slice(0, 300)} by ${caller}, ${payload?.slice(0, 500)}\n  returns ${response.statusCode} ${response.body.slice(0, 500)}`
    if (response.statusCode === 401) sessions.delete(caller)
    return { response, what, operation }
  }

  /** Stores the ids of this response for later requests. */
  function learn(text: string): void {
    for (const [, kind, value] of text.matchAll(
      /"(_id|insertedId|clientSecret|token|transactionId)":"([^"]{1,300})"/g,
    )) {
      const place = pool[kind === '_id' || kind === 'insertedId' ? 'id' : 'secret']
      if (value !== undefined && !place.includes(value)) place.push(value)
      if (place.length > 200) place.splice(20, 50)
    }
  }

  test(`${REQUESTS} requests: no server error, every response as documented`, async (t) => {
    const requests = fc.sample(requestsOf(document, LEFT_OUT), { seed: SEED, numRuns: REQUESTS }).values()
    const seen: Record<string, number> = {}
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const request of requests) {
          const { response, what, operation } = await send(request)
          const { statusCode: status, body } = response
          seen[status] = (seen[status] ?? 0) + 1
          assert.ok(status < 500, `seed ${SEED}: ${what}`)
          if (status < 400) {
            responses.check(operation, status, response.headers, body, what)
            learn(body)
            continue
          }
          const { error } = ErrorReply.parse(JSON.parse(body))
          assert.equal(STATUS_OF[error.code as keyof typeof STATUS_OF], status, `seed ${SEED}: ${what}`)
        }
      }),
    )
    t.diagnostic(
      `seed ${SEED}; responses by status: ${JSON.stringify(seen)}; ${responses.good.size} operations done well`,
    )
    assert.ok((seen[200] ?? 0) > REQUESTS / 20, 'many requests were good ones')
  })
})

/** Checks successful responses against the document. */
function responseChecks(ajv: Ajv2020) {
  addFormats.default(ajv)
  const validators = new Map<object, ValidateFunction>()
  const good = new Set<string>()
  return {
    good,
    check(
      { operationId, responses }: Operation,
      status: number,
      headers: object,
      body: string,
      what: string,
    ): void {
      good.add(operationId)
      const said = responses[status]
      assert.ok(said !== undefined, `undocumented status: ${what}`)
      if (said.content?.['*/*'] !== undefined) return
      const schema = said.content?.['application/json']?.schema as { type?: string } | undefined
      const type = (headers as Record<string, string | undefined>)['content-type'] ?? ''
      if (schema === undefined || status === 303) assert.equal(body, '', what)
      else {
        assert.match(type, /^application\/json/, what)
        const validate = validators.get(schema) ?? ajv.compile(schema)
        validators.set(schema, validate)
        assert.ok(validate(JSON.parse(body)), `${ajv.errorsText(validate.errors)}: ${what}`)
      }
    },
  }
}
