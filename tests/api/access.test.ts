import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { SignJWT } from 'jose'
import { ENDPOINTS, type NamedEndpoint } from '#contract/api.ts'
import { API_SCOPES, type ApiScope } from '#contract/endpoint.ts'
import { ErrorReply } from '#contract/errors.ts'
import { startJobs } from '#server/jobs/start.ts'
import { type Client, type TestResponse, useApi } from '#tests/support/api.ts'
import { aBuyer, anAdmin, aWorker, type TestUser } from '#tests/support/factories.ts'

/** Endpoints whose responses do not end. */
const STREAMS = ['live', 'apiEvents']

/** Every write that a key can make. They change tasks and decide submissions, with coins that stay in the marketplace. */
const WRITES_OF_KEYS = [
  'addSlots',
  'addTask',
  'approveSubmissions',
  'blockWorker',
  'cancelBatch',
  'changeProject',
  'changeQualification',
  'changeTaskDraft',
  'checkBatch',
  'closeTask',
  'concedeRejection',
  'createBatch',
  'createProject',
  'createQualification',
  'createTaskDraft',
  'decideBatch',
  'defendRejection',
  'deleteQualification',
  'deleteTask',
  'deleteTaskDraft',
  'fundBatch',
  'moveDeadline',
  'previewProject',
  'rejectSubmission',
  'removeQualificationTest',
  'renameTaskDraft',
  'renewTaskLink',
  'reopenSlot',
  'reopenTask',
  'requestRevision',
  'reverseRejection',
  'revokeTaskLink',
  'scheduleBatch',
  'scheduleTaskDraft',
  'setFavouriteWorker',
  'setProjectArchived',
  'setQualificationTest',
  'setQualifiedWorkers',
  'topUpBatch',
  'unblockWorker',
  'updateSubmissionStatus',
  'updateTask',
  'uploadChunk',
]

/**
 * Who may call what, for every endpoint of the contract and every kind of caller, from the access rule that the endpoint
 * declares (docs/specification/access.md). New endpoints are covered automatically. Bodies are left out:
 * an admitted request fails later, at the shape of the request or because a made-up id names nothing.
 */
describe('access rules', () => {
  const api = useApi()
  let people: { worker: TestUser; buyer: TestUser; admin: TestUser }
  let headers: Record<
    'junk' | 'not a bearer' | 'expired' | 'alg none' | 'signed by a stranger' | 'deleted',
    string
  >
  let unregistered: { id: string; email: string; name: string }

  before(async () => {
    const { database } = api
    const { context, app } = api.instance
    // The runner makes its own tables when it first starts.
    await (await startJobs(context, app.log)).stop()
    people = {
      worker: await aWorker(database),
      buyer: await aBuyer(database),
      admin: await anAdmin(database),
    }
    headers = await badHeaders(people.worker)
    unregistered = await anUnregisteredIdentity()
  })

  async function badHeaders(user: TestUser): Promise<typeof headers> {
    const good = await api.instance.signIn(user)
    const [, claims = ''] = good.split('.')
    const { sub, sid } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const { keys } = api.instance.context
    const named = { sub, sid, email: user.email, name: user.name }
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url')

    const gone = await aBuyer(api.database)
    const deleted = await api.instance.signIn(gone)
    await api.as(people.admin).delete(`/delete-user/${gone.id}`)
    return {
      junk: 'Bearer junk',
      'not a bearer': good.replace('Bearer', 'Basic'),
      expired: `Bearer ${await keys.sign(named, new Date(Date.now() - 60_000))}`,
      'alg none': `Bearer ${none}.${claims}.`,
      'signed by a stranger': `Bearer ${await new SignJWT(named)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(api.instance.config.publicUrl)
        .setAudience('tallywork-api')
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(Buffer.from('a secret of the tests, long enough for anybody'))}`,
      deleted,
    }
  }

  async function anUnregisteredIdentity() {
    const id = randomUUID()
    const email = `new.${id}@example.com`
    await api.database.pool.query(
      `insert into identities (id, name, email, email_key) values ($1, 'New', $2, $2)`,
      [id, email],
    )
    return { id, email, name: 'New' }
  }

  /** Uses a session of its own: some requests end all sessions of a user. */
  const signedIn = async (user: typeof unregistered) => api.withHeader(await api.instance.signIn(user))
  const called = (client: Client, { endpoint }: NamedEndpoint, email: string) =>
    client.call(endpoint.method, addressOf(endpoint, email))

  // A stream does not end; tests/live and server/webhooks/event-stream.test.ts cover who may open one.
  const tried = ENDPOINTS.filter(({ name }) => !STREAMS.includes(name))
  for (const [index, one] of tried.entries()) {
    const { method, path, access } = one.endpoint
    const { who, named } = access
    test(`${method} ${path} is for ${typeof who === 'string' ? who : who.join(' and ')}${named ? ', named' : ''}`, async () => {
      const { worker, buyer, admin } = people
      const anybodys = who === 'anyone'

      const without = await called(api.anyone, one, worker.email)
      if (anybodys) expectIn(without)
      else expectError(without, 401, 'sign_in_required')
      const [kind, header] = oneOf(headers, index)
      const response = await called(api.withHeader(header), one, worker.email)
      if (anybodys) expectIn(response)
      else expectError(response, 401, 'invalid_token', kind)

      const newcomer = await called(await signedIn(unregistered), one, worker.email)
      if (anybodys || who === 'session') expectIn(newcomer)
      else expectError(newcomer, 403, 'not_registered')

      for (const user of [worker, buyer, admin]) {
        const mayCall =
          who === 'reviewer' ? user.role === 'Admin' : typeof who === 'string' || who.includes(user.role)
        const client = await signedIn(user)
        const own = await called(client, one, user.email)
        if (mayCall) expectIn(own, user.role)
        else expectError(own, 403, 'role_not_allowed', user.role)
        if (named === undefined) continue

        const other = user === buyer ? worker : buyer
        for (const email of [other.email, other.email.toUpperCase(), ` ${other.email} `]) {
          const others = await called(client, one, email)
          if (!mayCall) expectError(others, 403, 'role_not_allowed', user.role)
          else if (user.role === 'Admin') expectIn(others, user.role)
          else expectError(others, 403, 'not_yours', user.role)
        }
      }
    })
  }

  describe('API keys', () => {
    const keys: { user: TestUser; scopes: readonly ApiScope[]; header: string }[] = []
    let badKeys: Record<'unknown' | 'revoked' | 'expired' | "an Admin's", string>
    let foreign = ''

    async function aKey(user: TestUser, scopes: readonly ApiScope[], networks: string[] = []) {
      const body = { name: 'A key', scopes, networks, expiresInDays: 30 }
      const made = await api.as(user).post('/api-keys', body)
      assert.equal(made.status, 201, made.text)
      return { id: made.body._id as string, header: `Bearer ${made.body.secret}` }
    }

    before(async () => {
      const { worker, buyer } = people
      for (const user of [worker, buyer]) {
        const each = API_SCOPES.flatMap((scope) => [[scope], API_SCOPES.filter((other) => other !== scope)])
        for (const scopes of [API_SCOPES, ...each])
          keys.push({ user, scopes, header: (await aKey(user, scopes)).header })
      }
      foreign = (await aKey(buyer, API_SCOPES, ['203.0.113.0/24', '2001:db8::/32'])).header

      const revoked = await aKey(buyer, API_SCOPES)
      await api.as(buyer).delete(`/api-keys/${revoked.id}`)
      const expired = await aKey(buyer, API_SCOPES)
      await api.owner.query(
        `update api_keys set created_at = now() - interval '2 days', expires_at = now() - interval '1 day' where id = $1`,
        [expired.id],
      )
      const promoted = await aWorker(api.database)
      const ofPromoted = await aKey(promoted, API_SCOPES)
      await api.owner.query(`update users set role = 'Admin' where id = $1`, [promoted.id])
      badKeys = {
        unknown: `Bearer tw_${'x'.repeat(43)}`,
        revoked: revoked.header,
        expired: expired.header,
        "an Admin's": ofPromoted.header,
      }
    })

    /** Keys with all scopes, or else with this one alone and with all others: fewer scopes admit to no more. */
    const keysFor = (scope: ApiScope | undefined) =>
      keys.filter(({ scopes }) => {
        if (scope === undefined) return scopes.length === API_SCOPES.length
        return scopes.length === (scopes.includes(scope) ? 1 : API_SCOPES.length - 1)
      })

    for (const [index, one] of tried.entries()) {
      const { method, path, access, scope } = one.endpoint
      const { who, named } = access
      test(`${method} ${path} ${scope === undefined ? 'has no scope' : `needs the scope ${scope}`}`, async () => {
        const [kind, header] = oneOf(badKeys, index)
        const response = await called(api.withHeader(header), one, people.buyer.email)
        if (who === 'anyone') expectIn(response)
        else expectError(response, 401, 'invalid_token', kind)
        const fromElsewhere = await called(api.withHeader(foreign), one, people.buyer.email)
        if (who === 'anyone') expectIn(fromElsewhere)
        else expectError(fromElsewhere, 403, 'network_not_allowed')

        for (const key of keysFor(scope)) {
          const client = api.withHeader(key.header)
          const own = await called(client, one, key.user.email)
          const kind = `${key.user.role} ${key.scopes}`
          if (who === 'anyone') expectIn(own, kind)
          else if (scope === undefined || !key.scopes.includes(scope))
            expectError(own, 403, 'scope_missing', kind)
          else if (typeof who !== 'string' && !who.includes(key.user.role))
            expectError(own, 403, 'role_not_allowed', kind)
          else {
            expectIn(own, kind)
            if (named === undefined) continue
            const other = key.user === people.buyer ? people.worker : people.buyer
            expectError(await called(client, one, other.email), 403, 'not_yours', kind)
          }
        }
      })
    }

    test('a live stream cannot be opened with a key', async () => {
      for (const { header, scopes } of keys)
        expectError(await api.withHeader(header).get('/live'), 403, 'scope_missing', `${scopes}`)
    })

    test('no scope is for what only an Admin may do, needs a fresh proof, or moves coins out of the account', () => {
      const scoped = ENDPOINTS.filter(({ endpoint }) => endpoint.scope !== undefined)
      const { length } = scoped.filter(
        ({ endpoint: { access } }) =>
          access.fresh === true || access.fresh === 'with-second-factor' || access.who === 'reviewer',
      )
      assert.equal(length, 0)
      const writes = scoped.filter(({ endpoint }) => endpoint.method !== 'GET').map(({ name }) => name)
      assert.deepEqual(writes.toSorted(), WRITES_OF_KEYS)
    })
  })

  test("another buyer's task is forbidden, and their submission is not found", async () => {
    const another = await aBuyer(api.database)
    const [worker, stranger] = [await signedIn(people.worker), await signedIn(people.buyer)]
    const task = await api.as(another).post('/add-task', {
      task_title: 'Mine',
      task_detail: 'Mine',
      required_workers: 2,
      payable_amount: 5,
      completion_date: new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10),
      submission_info: 'Mine',
    })
    const taskId = task.body.insertedId
    const work = await worker.post('/submiteted-task', { taskId, submissoin_data: 'Done' })
    const edit = { task_title: 'Yours', task_detail: 'Yours', submission_info: 'Yours' }
    for (const response of [
      await stranger.put(`/update-task/${taskId}`, edit),
      await stranger.delete(`/delete-task/${taskId}`),
      await stranger.post(`/tasks/${taskId}/close`),
    ])
      expectError(response, 403, 'not_yours')
    for (const response of [
      await stranger.patch(`/update-submission-status/${work.body.insertedId}`, { status: 'approved' }),
      await stranger.delete(`/submission-reject/${work.body.insertedId}`),
      await stranger.get(`/submissions/${work.body.insertedId}/task`),
    ])
      assert.equal(response.status, 404, response.text)
  })
})

/** Returns the kinds in turn: one function authenticates the callers of all endpoints, so that each endpoint gets one of them. */
function oneOf(headers: Record<string, string>, index: number): [kind: string, header: string] {
  const kinds = Object.entries(headers)
  return kinds[index % kinds.length] as [string, string]
}

/** The path of an endpoint with this address in it and made-up ids, and in the query what it cannot do without. */
function addressOf(endpoint: NamedEndpoint['endpoint'], email: string): string {
  const path = endpoint.path
    .replace(':email', encodeURIComponent(email))
    .replace(':month', '2026-11')
    .replace(':format', 'csv')
    .replace(':field', 'other')
    .replace(':number', '0')
    .replace('saved-cards/:id', 'saved-cards/pm_unknown1')
    .replaceAll(/:\w+/g, randomUUID())
  return endpoint.access.named === 'query' ? `${path}?email=${encodeURIComponent(email)}` : path
}

/** Whether access was granted: success, or a refusal of the request itself. */
function expectIn({ status, body, text }: TestResponse, role = ''): void {
  assert.ok(status < 500, `${role} ${status} ${text}`)
  const code = body?.error?.code
  const aboutWho = [
    'sign_in_required',
    'invalid_token',
    'not_registered',
    'role_not_allowed',
    'scope_missing',
    'network_not_allowed',
    'not_yours',
  ]
  assert.ok(!aboutWho.includes(code), `${role} is refused: ${text}`)
}

function expectError({ status, body, text }: TestResponse, expected: number, code: string, kind = ''): void {
  assert.equal(status, expected, `${kind}: ${text}`)
  assert.equal(ErrorReply.parse(body).error.code, code, `${kind}: ${text}`)
}
