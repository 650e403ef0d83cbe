import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { System } from '#contract/system.ts'
import { NO_REPLICAS } from '#server/database/replicas.ts'
import { type Jobs, startJobs } from '#server/jobs/start.ts'
import { auditAndStore } from '#server/ledger/last-audit.ts'
import { useApi } from '#tests/support/api.ts'
import { eventually } from '#tests/support/eventually.ts'
import { anAdmin } from '#tests/support/factories.ts'
import { anInstance } from '#tests/support/instance.ts'
import { sampleSizes } from './sizes.ts'

describe('system overview', () => {
  const api = useApi()
  let jobs: Jobs

  before(async () => {
    const { context, app } = api.instance
    jobs = await startJobs(context, app.log)
  })
  after(() => jobs.stop())

  async function readSystem(): Promise<System> {
    const response = await api.as(await anAdmin(api.database)).get('/system')
    assert.equal(response.status, 200, response.text)
    return response.body
  }

  test('reports the last audit, this instance and its database', async () => {
    const before = Date.now()
    await auditAndStore(api.database)
    const { audit, program, database } = await readSystem()
    assert.equal(audit?.balanced, true)
    assert.ok(Date.parse(audit?.time ?? '') >= before - 1)
    assert.ok(program.memoryMb > 20 && Date.parse(program.startedAt) <= Date.now())
    assert.ok(database.connections >= 1)
  })

  test('reports each read replica, whether it is used and how far it is behind', async () => {
    assert.deepEqual((await readSystem()).replicas, [])
    const states = () => [
      { name: 'db2.internal:5432', isUsed: true, isPrimary: false, lagMs: 12.4 },
      { name: 'db3.internal:5432', isUsed: false, isPrimary: true, lagMs: Number.POSITIVE_INFINITY },
    ]
    const instance = await anInstance(api.database, {}, {}, { ...NO_REPLICAS, states })
    const authorization = await instance.signIn(await anAdmin(api.database))
    const response = await instance.app.inject({ url: '/api/system', headers: { authorization } })
    await instance.close()
    assert.deepEqual(response.json().replicas, [
      { name: 'db2.internal:5432', inUse: true, primary: false, lagMs: 12 },
      { name: 'db3.internal:5432', inUse: false, primary: true, lagMs: null },
    ])
  })

  test('reports sizes with their growth per day, and how long the disk lasts', async () => {
    const { pool } = api.database
    await api.owner.query(
      'create table never_analyzed (); create table analyzed as select from generate_series(1, 3)',
    )
    await api.owner.query('analyze analyzed')
    await sampleSizes(api.database, api.instance.config)
    const first = (await readSystem()).growth
    assert.ok((first.database?.bytes ?? 0) > 1_000_000)
    assert.equal(first.disk?.daysLeft, null)
    for (const name of ['tasks', 'search_terms', 'outbox', 'idempotency_keys', 'jobs', 'picture files'])
      assert.ok(
        first.parts.some((part) => part.name === name),
        name,
      )

    const rowsOf = (table: string) => first.parts.find(({ name }) => name === table)?.rows
    assert.deepEqual([rowsOf('never_analyzed'), rowsOf('analyzed')], [null, 3])

    await pool.query(`insert into size_samples select day - 10, name, 0, rows from size_samples`)
    await pool.query(`insert into size_samples values (current_date - 40, 'database', 0, null)`)
    await sampleSizes(api.database, api.instance.config)
    const { database, parts, disk } = (await readSystem()).growth
    assert.equal(database?.bytesPerDay, Math.round((database?.bytes ?? 0) / 10))
    assert.deepEqual(
      parts.map(({ bytes }) => bytes),
      parts.map(({ bytes }) => bytes).toSorted((a, b) => b - a),
    )
    const pictures = parts.find(({ name }) => name === 'picture files')
    const rate = (database?.bytesPerDay ?? 0) + (pictures?.bytesPerDay ?? 0)
    const days = (disk?.freeBytes ?? 0) / rate
    assert.ok(Math.abs((disk?.daysLeft ?? 0) - days) <= 1, `${disk?.daysLeft} days, ${days} expected`)
  })

  test('with an external database its disk is unknown', async () => {
    const { growth } = await anInstance(api.database, { databaseUrl: api.url }).then(async (instance) => {
      const authorization = await instance.signIn(await anAdmin(api.database))
      const response = await instance.app.inject({ url: '/api/system', headers: { authorization } })
      await instance.close()
      return response.json<System>()
    })
    assert.equal(growth.disk, null)
  })

  test('lists failed jobs, mails and card events together, newest first, with their reasons', async () => {
    const { pool } = api.database
    const before = await readSystem()
    const put = (queue: string, state: string, reason: string) =>
      pool.query(
        `insert into jobs.job (name, data, state, output, retry_count, completed_on)
         values ($1, '{"template":"verify","to":"ruma@example.com"}', $2, jsonb_build_object('message', $3::text), 3, now())`,
        [queue, state, reason],
      )
    await put('mail', 'failed', 'The mail server refused it')
    await pool.query(
      `insert into jobs.job (name, state, output) values ('mail', 'failed', '{"message":"No such user","undeliverable":true}')`,
    )
    await put('close-due-tasks', 'failed', 'Something odd')
    await pool.query(
      `insert into card_events (id, type, intent_id, attempts, next_try_at, processed_at, outcome) values
         ('evt_new', 'payment_intent.succeeded', 'pi_00000001', 0, now() + interval '1 hour', null, ''),
         ('evt_retry', 'payment_intent.succeeded', 'pi_00000002', 2, now() + interval '1 hour', null, 'payments_unavailable'),
         ('evt_failed', 'charge.refunded', 'pi_00000003', 9, now(), now(), 'failed'),
         ('evt_good', 'payment_intent.succeeded', 'pi_00000004', 1, now(), now(), 'credited')`,
    )
    const now = await readSystem()
    assert.equal(now.mail.failed, before.mail.failed + 2)
    assert.equal(now.jobs.failed, before.jobs.failed + 1)
    assert.deepEqual(
      [now.webhooks.waiting, now.webhooks.retried, now.webhooks.failed, now.webhooks.lastReceivedAt !== null],
      [1, 1, 1, true],
    )
    const failures = now.troubles.map(({ kind, state, reason }) => `${kind} ${state}: ${reason}`)
    for (const line of [
      'mail failed: The mail server refused it',
      'job failed: Something odd',
      'webhook retry: The card processor did not respond.',
      'webhook failed: The event could not be processed. See the server log.',
    ])
      assert.ok(failures.includes(line), `${line} is missing in ${failures.join(' | ')}`)
    const times = now.troubles.map(({ time }) => time)
    assert.deepEqual(times, times.toSorted().toReversed())
    await pool.query('delete from card_events')
    await eventually(async () => (await readSystem()).webhooks.waiting === 0)
  })
})
