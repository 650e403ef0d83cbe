import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { NO_REPLICAS } from '#server/database/replicas.ts'
import { startJobs } from '#server/jobs/start.ts'
import { auditAndStore } from '#server/ledger/last-audit.ts'
import { useApi } from '#tests/support/api.ts'
import { anInstance } from '#tests/support/instance.ts'

/** Returns the values of the samples of a metric whose labels match. */
const samplesIn = (body: string, metric: string, labels = '') =>
  [...body.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)]
    .filter(([, name, found = '']) => name === metric && found.includes(labels))
    .map(([, , , value]) => Number(value))

describe('GET /metrics', () => {
  const token = 'a token of the tests'
  const api = useApi({ metricsToken: token })
  const get = (headers: Record<string, string> = { authorization: `Bearer ${token}` }) =>
    api.instance.app.inject({ url: '/metrics', headers })

  /** Returns the value of the samples of a metric whose labels match. */
  async function sampleOf(metric: string, labels = ''): Promise<number> {
    const { body } = await get()
    return samplesIn(body, metric, labels).reduce((sum, value) => sum + value, 0)
  }

  test('requires the token', async () => {
    assert.equal((await get({})).statusCode, 401)
    assert.equal((await get({ authorization: 'Bearer another' })).statusCode, 401)
    assert.equal((await get()).statusCode, 200)
  })

  test('one histogram measures every response by route and status, cached ones too', async () => {
    const count = () =>
      sampleOf(
        'http_request_duration_seconds_count',
        'method="GET",route="/api/task-list-worker",status="200"',
      )
    const before = await count()
    const { app } = api.instance
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => app.inject('/api/task-list-worker?limit=5')),
    )
    assert.ok(responses.every(({ statusCode }) => statusCode === 200))
    assert.equal((await count()) - before, 20)
    assert.ok((await sampleOf('http_request_duration_seconds_bucket', 'le="+Inf"')) >= 20)
    assert.ok((await sampleOf('http_request_duration_seconds_sum')) > 0)
  })

  test('the histogram measures requests with a malformed URL or an expectation too', async () => {
    await api.instance.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = api.instance.app.server.address() as AddressInfo
    const sample = (name: string) => (status: number) =>
      sampleOf(`http_request_duration_seconds_${name}`, `method="GET",route="unknown",status="${status}"`)
    const [count, secondsOf] = [sample('count'), sample('sum')]
    const [before, seconds] = [await count(400), await secondsOf(400)]
    for (const path of ['/%zz', '/api/my-task/%zz'])
      assert.equal((await api.instance.app.inject(path)).statusCode, 400)
    assert.equal((await count(400)) - before, 2)
    assert.ok((await secondsOf(400)) > seconds)

    const [response] = await once(
      request({ port, path: '/none', headers: { expect: '200-maybe' } }).end(),
      'response',
    )
    assert.equal(response.statusCode, 417)
    await once(response.resume(), 'end')
    assert.equal(await count(417), 1)
  })

  test('names follow the conventions of Prometheus', async () => {
    const { body } = await get()
    for (const [name, type] of [
      ['http_request_duration_seconds', 'histogram'],
      ['http_requests_shed_total', 'counter'],
      ['database_retries_total', 'counter'],
      ['http_connections_closed_total', 'counter'],
      ['http_connections', 'gauge'],
      ['database_pool_connections', 'gauge'],
      ['response_cache_entries', 'gauge'],
      ['response_cache_bytes', 'gauge'],
      ['background_jobs', 'gauge'],
      ['outbox_pending_rows', 'gauge'],
      ['outbox_wait_seconds', 'gauge'],
      ['audit_balanced', 'gauge'],
      ['audit_age_seconds', 'gauge'],
      ['ledger_audit_value', 'gauge'],
    ])
      assert.ok(body.includes(`# TYPE ${name} ${type}\n`), name)
  })

  test('an email waits since it was due, and while it is retried since it was created', async () => {
    const { stop } = await startJobs(api.instance.context, api.instance.app.log) // creates the queues
    await stop()
    const addJob = (name: string, state: string, createdAgo: string, dueAgo: string) =>
      api.owner.query(
        `insert into jobs.job (name, state, created_on, start_after) values ($1, $2, now() - $3::interval, now() - $4::interval)`,
        [name, state, createdAgo, dueAgo],
      )
    const waitOf = async (labels: string) => Math.round((await sampleOf('email_wait_seconds', labels)) / 60)
    await addJob('mail', 'retry', '10 minutes', '-40 minutes')
    await addJob('mail-digest', 'created', '30 minutes', '20 minutes')
    await addJob('mail-notifications', 'created', '30 minutes', '-20 minutes')
    for (const [queue, created, retry] of [
      ['mail', 0, 10],
      ['mail-digest', 20, 0],
      ['mail-notifications', 0, 0],
    ] as const) {
      assert.equal(await waitOf(`queue="${queue}",state="created"`), created, queue)
      assert.equal(await waitOf(`queue="${queue}",state="retry"`), retry, queue)
    }
  })

  test('emails that were rejected permanently are no failed jobs', async () => {
    const countOf = (state: string) => sampleOf('background_jobs', `queue="mail",state="${state}"`)
    const { body } = await get()
    assert.deepEqual(samplesIn(body, 'background_jobs', 'queue="mail",state="undeliverable"'), [0])
    await api.owner.query(
      `insert into jobs.job (name, state, output)
       values ('mail', 'failed', '{"message":"No such user","undeliverable":true}'), ('mail', 'failed', '{"message":"Timeout"}')`,
    )
    assert.deepEqual([await countOf('undeliverable'), await countOf('failed')], [1, 1])
  })

  test('a replica that is the primary has no state as a replica', async () => {
    const states = () => [
      { name: 'db1:5432', isUsed: false, isPrimary: true, lagMs: 90_000 },
      { name: 'db2:5432', isUsed: false, isPrimary: false, lagMs: 12_000 },
    ]
    const replicas = { ...NO_REPLICAS, states }
    const instance = await anInstance(api.database, { metricsToken: token }, {}, replicas)
    const { body } = await instance.app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${token}` },
    })
    await instance.close()
    assert.deepEqual([samplesIn(body, 'replica_in_use'), samplesIn(body, 'replica_lag_seconds')], [[0], [12]])
  })

  test('the outbox waits since its oldest row or group was written', async () => {
    const waitOf = async () => Math.round((await sampleOf('outbox_wait_seconds')) / 60)
    assert.equal(await waitOf(), 0)
    await api.owner.query(
      `insert into outbox (topic, created_at) select 'changed', now() - ago from unnest('{5 minutes, 1 minute}'::interval[]) as ago`,
    )
    assert.deepEqual([await sampleOf('outbox_pending_rows'), await waitOf()], [2, 5])
    await api.owner.query(
      `insert into outbox_groups (notification_ids, created_at) values ('{1, 2}', now() - interval '8 minutes')`,
    )
    assert.deepEqual([await sampleOf('outbox_pending_rows'), await waitOf()], [4, 8])
  })

  test('what the database has no value of is absent, also after a query for it failed', async () => {
    const AUDIT = ['audit_balanced', 'audit_age_seconds', 'ledger_audit_value']
    const getWithout = async (table: string) => {
      await api.owner.query(`alter table ${table} rename to absent_table`)
      try {
        return (await get()).body
      } finally {
        await api.owner.query(`alter table absent_table rename to ${table}`)
      }
    }
    await api.owner.query(`delete from installation where name = 'last_audit'`)
    const { body: before } = await get()
    for (const metric of AUDIT) assert.deepEqual(samplesIn(before, metric), [], metric)

    await auditAndStore(api.database)
    const withoutOutbox = await getWithout('outbox')
    for (const metric of ['outbox_pending_rows', 'outbox_wait_seconds'])
      assert.deepEqual(samplesIn(withoutOutbox, metric), [], metric)
    for (const metric of AUDIT) assert.notDeepEqual(samplesIn(withoutOutbox, metric), [], metric)

    const withoutAudit = await getWithout('installation')
    for (const metric of AUDIT) assert.deepEqual(samplesIn(withoutAudit, metric), [], metric)
    assert.notDeepEqual(samplesIn(withoutAudit, 'outbox_pending_rows'), [])
  })
})
