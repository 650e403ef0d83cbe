import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { aRequest, payoutsOf } from '#tests/support/payouts.ts'
import { type Program, startProgram } from '#tests/support/server-process.ts'

type Reply = { status: number; body: Record<string, unknown> }

/**
 * The server dies in the middle of a step of a batch: its statement waits for a lock that the test holds. Whether the
 * statement is completed by the database or rolled back, the Admin repeats the step on the next server.
 */
describe('the server is killed at every step of a payout batch', () => {
  const db = useDatabase()
  const env = () => ({
    DATABASE_URL: db.url,
    DEMO: '0',
    AUTH_SECRET: 'one secret for all instances, long enough',
  })
  let program: Program
  after(async () => {
    await program.stop()
    await rm(program.dataDir, { recursive: true, force: true })
  })

  const rows = async (sql: string, values: unknown[] = []) => (await db.owner.query(sql, values)).rows
  async function send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<Reply & { headers: Headers }> {
    const response = await fetch(`${program.url}/api${path}`, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return {
      status: response.status,
      body: (await response.json()) as Reply['body'],
      headers: response.headers,
    }
  }

  /** Signs an Admin up and returns the headers of their requests. */
  async function anAdminOf(name: string): Promise<Record<string, string>> {
    const email = `${name.toLowerCase()}@example.com`
    const entered = await send('POST', '/auth/sign-up', {}, { name, email, password: 'Sesame!open' })
    const cookie = entered.headers
      .getSetCookie()
      .map((one) => one.split(';', 1)[0])
      .join('; ')
    const { body } = await send('POST', '/auth/token', { cookie }, {})
    const headers = { authorization: `Bearer ${body.token}` }
    assert.equal((await send('POST', '/user-data', headers, { name, email, role: 'Worker' })).status, 200)
    await rows(`update users set role = 'Admin' where email = $1`, [email])
    return headers
  }

  /** Sends a request, kills the server while its statement waits for the lock of a withdrawal, and starts the next one. */
  async function killDuring(withdrawal: string, request: () => Promise<unknown>): Promise<void> {
    const holder = await db.owner.connect()
    try {
      await holder.query('begin')
      await holder.query('select from withdrawals where id = $1 for update', [withdrawal])
      const lost = assert.rejects(request())
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await eventually(async () => (await rows(waiting)).length > 0)
      const gone = once(program.process, 'exit')
      program.process.kill('SIGKILL')
      await Promise.all([gone, lost])
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    // The database may still complete the statement of the dead server.
    const active = `select from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`
    await eventually(async () => (await rows(active)).length === 0)
    program = await startProgram({ env: env(), dataDir: program.dataDir, port: program.port })
  }

  test('every payout of a batch is confirmed once', async () => {
    program = await startProgram({ env: env() })
    const [creator, releaser] = [await anAdminOf('Asha'), await anAdminOf('Farida')]
    const requests = await Promise.all(Array.from({ length: 5 }, () => aRequest(db.database)))
    const ids = requests.map(({ id }) => id)
    const [first = '', failing = ''] = ids

    /** Sends a step, which the server does not survive, and again to the next server. */
    async function step(headers: Record<string, string>, path: string, body?: object) {
      const request = () => send('POST', path, headers, body)
      await killDuring(first, request)
      const repeated = await request()
      assert.ok(repeated.status < 300, `${path}: ${repeated.status} ${JSON.stringify(repeated.body)}`)
    }

    // With its key the creation is repeated safely; the other steps are idempotent without a key.
    const keyed = { ...creator, 'idempotency-key': randomUUID() }
    await step(keyed, '/payout-batches', { withdrawalIds: ids })
    const [{ batch_id: batch } = { batch_id: '' }, ...others] = await payoutsOf(db.database, first)
    assert.deepEqual(others, [])
    await step(creator, `/payout-batches/${batch}/check`)
    await step(releaser, `/payout-batches/${batch}/release`)
    const [failed] = await payoutsOf(db.database, failing)
    const reason = { reason: 'This wallet is closed', returnCoins: true }
    assert.equal((await send('POST', `/payouts/${failed?.id}/fail`, releaser, reason)).status, 200)
    await step(releaser, `/payout-batches/${batch}/confirm`, {})

    const settled = await Promise.all(ids.map((id) => payoutsOf(db.database, id)))
    assert.deepEqual(
      settled.map((payouts) => payouts.map(({ state }) => state)),
      ids.map((id) => [id === failing ? 'failed' : 'confirmed']),
    )
    const [reconciled] = await rows('select state from payout_batches where id = $1', [batch])
    assert.equal(reconciled?.state, 'reconciled')
    const paid = await rows(
      `select from ledger_transfers where kind = 'withdrawal_paid' and ref = any ($1)`,
      [ids],
    )
    assert.equal(paid.length, 4)
  })

  test('Payment Success that the server does not survive is paid once', async () => {
    const admin = await anAdminOf('Rina')
    const { id } = await aRequest(db.database)
    const pay = () =>
      send('PATCH', `/withdraw-status/${id}`, admin, { status: 'approved', transactionId: 'TX1' })
    await killDuring(id, pay)
    assert.equal((await pay()).status, 200)
    const payouts = await payoutsOf(db.database, id)
    assert.deepEqual(
      payouts.map(({ state }) => state),
      ['confirmed'],
    )
  })
})
