import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { lockWaits } from '#tests/support/lock-waits.ts'
import { aRequest, payoutsOf } from '#tests/support/payouts.ts'
import { type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'

type Reply = { status: number; body: Record<string, unknown> }

/**
 * The server dies in the middle of the steps of batches: the statement of each waits for a lock that the test holds. Whether a
 * statement is completed by the database or rolled back, the Admin repeats the step on the next server.
 */
describe('the server is killed at every step of a payout batch', () => {
  const db = useDatabase()
  const env = () => ({
    DATABASE_URL: db.url,
    DEMO: '0',
    AUTH_SECRET: 'one secret for all instances, long enough',
  })
  let server: ServerProcess
  after(async () => {
    await server.stop()
    await rm(server.dataDir, { recursive: true, force: true })
  })

  const rows = async (sql: string, values: unknown[] = []) => (await db.owner.query(sql, values)).rows
  async function send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<Reply & { headers: Headers }> {
    const response = await fetch(`${server.url}/api${path}`, {
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

  /**
   * Sends requests, kills the server while the statement of each waits for the lock of its withdrawal, and starts the next one. On a
   * busy machine requests time out before all wait: the server returns 503, and the statement keeps waiting.
   */
  async function killDuring(
    requests: { withdrawal: string; send(): Promise<Reply | undefined> }[],
  ): Promise<void> {
    const holder = await db.owner.connect()
    try {
      await holder.query('begin')
      await holder.query('select from withdrawals where id = any ($1) for update', [
        requests.map(({ withdrawal }) => withdrawal),
      ])
      const statuses: (number | undefined)[] = []
      const sent = requests.map(async (request) => {
        const reply = await request.send().catch(() => undefined)
        statuses.push(reply?.status)
      })
      await eventually(
        async () => (await lockWaits(db.owner)) >= requests.length || statuses.length === requests.length,
      )
      const gone = once(server.process, 'exit')
      server.process.kill('SIGKILL')
      await Promise.all([gone, ...sent])
      for (const status of statuses) assert.ok(status === undefined || status === 503, String(status))
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    // The database may still complete the statements of the dead server.
    const active = `select from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`
    await eventually(async () => (await rows(active)).length === 0)
    server = await startServerProcess({ env: env(), dataDir: server.dataDir, port: server.port })
  }

  test('each step of a batch, and Payment Success, happens once', async () => {
    server = await startServerProcess({ env: env() })
    // A step locks its Admin first, so that two of one Admin would wait for each other.
    const [asha, farida, karim, mina, rina] = await Promise.all(
      ['Asha', 'Farida', 'Karim', 'Mina', 'Rina'].map(anAdminOf),
    )

    /** Batches of five requests, one for each step, which another Admin sends than the steps before. */
    const batches = await Promise.all(
      [asha, farida, karim, mina].map(async (admin = {}, step) => {
        const requests = await Promise.all(Array.from({ length: 5 }, () => aRequest(db.database)))
        const ids = requests.map(({ id }) => id)
        const [first = ''] = ids
        const batchOf = async () => (await payoutsOf(db.database, first))[0]?.batch_id
        // With its key the creation is repeated safely; the other steps are idempotent without a key.
        const key = { 'idempotency-key': randomUUID() }
        // Another Admin than the creator releases.
        const steps = [
          async (by = rina) => send('POST', '/payout-batches', { ...by, ...key }, { withdrawalIds: ids }),
          async (by = rina) => send('POST', `/payout-batches/${await batchOf()}/check`, { ...by }),
          async (by = mina) => send('POST', `/payout-batches/${await batchOf()}/release`, { ...by }),
          async (by = mina) => send('POST', `/payout-batches/${await batchOf()}/confirm`, { ...by }, {}),
        ]
        return { ids, withdrawal: first, batchOf, steps, step, send: async () => steps[step]?.(admin) }
      }),
    )
    const expectDone = async (sent: Promise<Reply | undefined>) => {
      const reply = await sent
      assert.ok(reply !== undefined && reply.status < 300, `${reply?.status} ${JSON.stringify(reply?.body)}`)
    }
    const failOne = async ([, failing = '']: string[]) => {
      const [payout] = await payoutsOf(db.database, failing)
      const reason = { reason: 'This wallet is closed', returnCoins: true }
      await expectDone(send('POST', `/payouts/${payout?.id}/fail`, { ...asha }, reason))
    }
    const CONFIRM = 3
    for (const { steps, step, ids } of batches) {
      for (const before of steps.slice(0, step)) await expectDone(before())
      if (step === CONFIRM) await failOne(ids)
    }
    const paid = await aRequest(db.database)
    const success = { status: 'approved', transactionId: 'TX1' }
    const pay = () => send('PATCH', `/withdraw-status/${paid.id}`, { ...rina }, success)

    await killDuring([...batches, { withdrawal: paid.id, send: pay }])
    for (const { ids, batchOf, steps, step, send: repeat } of batches) {
      await expectDone(repeat())
      for (const [index, after] of steps.entries()) {
        if (index <= step) continue
        if (index === CONFIRM) await failOne(ids)
        await expectDone(after())
      }
      const [, failing] = ids
      const settled = await Promise.all(ids.map((id) => payoutsOf(db.database, id)))
      assert.deepEqual(
        settled.map((payouts) => payouts.map(({ state }) => state)),
        ids.map((id) => [id === failing ? 'failed' : 'confirmed']),
      )
      const [reconciled] = await rows('select state from payout_batches where id = $1', [await batchOf()])
      assert.equal(reconciled?.state, 'reconciled')
      const transfers = `select from ledger_transfers where kind = 'withdrawal_paid' and ref = any ($1)`
      assert.equal((await rows(transfers, [ids])).length, 4)
    }
    await expectDone(pay())
    const payouts = await payoutsOf(db.database, paid.id)
    assert.deepEqual(
      payouts.map(({ state }) => state),
      ['confirmed'],
    )
  })
})
