import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type Jobs, startJobs } from '#server/jobs/start.ts'
import { approveSubmission } from '#server/submissions/approve.ts'
import { rejectSubmission } from '#server/submissions/reject.ts'
import { useDatabase } from '#tests/support/database.ts'
import { eventually, jitter } from '#tests/support/eventually.ts'
import {
  aPendingSubmission,
  aSubmission,
  atOnce,
  aWorker,
  noAppeals,
  type TestUser,
} from '#tests/support/factories.ts'
import { anInstance, type Instance } from '#tests/support/instance.ts'
import { openEventStream } from '#tests/support/live.ts'

describe('live updates', () => {
  const db = useDatabase()
  const instances: Instance[] = []
  const origins: string[] = []
  let jobs: Jobs

  before(async () => {
    for (let count = 0; count < 2; count++) {
      const instance = await anInstance(db.database)
      instances.push(instance)
      origins.push(await instance.app.listen({ port: 0, host: '127.0.0.1' }))
    }
    const [first] = instances
    assert.ok(first)
    jobs = await startJobs(first.context, first.app.log)
  })
  after(async () => {
    await jobs.stop()
    await Promise.all(instances.map((instance) => instance.close()))
  })

  const origin = (index: number) => origins[index] ?? ''
  const signIn = async (user: TestUser) => (await instances[0]?.signIn(user)) ?? ''
  const NOTIFY = `select notify_user($1, 'contact_message', $2, null)`
  const numbered = (number: string) => ({ name: number, subject: 'Hello' })
  const notify = ({ id }: TestUser, number: string) => db.database.pool.query(NOTIFY, [id, numbered(number)])
  const numbersIn = (page: { of(kind: string): { notices: { message: string }[] }[] }) =>
    page.of('update').flatMap(({ notices }) => notices.map(({ message }) => Number.parseInt(message, 10)))

  test('a user opens a limited number of streams per hour', async () => {
    const instance = await anInstance(db.database, { writeLimitFactor: 1 / 600 })
    try {
      const url = await instance.app.listen({ port: 0, host: '127.0.0.1' })
      const token = await instance.signIn(await aWorker(db.database))
      const pages = [
        await openEventStream(url, token),
        await openEventStream(url, token),
        await openEventStream(url, token),
      ]
      assert.deepEqual(
        pages.map(({ status }) => status),
        [200, 200, 429],
      )
      await Promise.all(pages.map((page) => page.close()))
    } finally {
      await instance.close()
    }
  })

  test('of many streams that a user opens at once twenty stay', async () => {
    const token = await signIn(await aWorker(db.database))
    const pages = await Promise.all(Array.from({ length: 40 }, () => openEventStream(origin(0), token)))
    let ended = 0
    const endings = pages.map(async (page) => {
      await page.ended
      ended++
    })
    await eventually(() => ended >= 20)
    assert.equal(ended, 20)
    await Promise.all(pages.map((page) => page.close()))
    await Promise.all(endings)
  })

  test('worker and buyer receive submissions and decisions through different instances', async () => {
    const { buyer, worker, taskId, submissionId } = await aPendingSubmission(db.database, {
      reward: 30,
      slots: 4,
    })
    const buyersPage = await openEventStream(origin(0), await signIn(buyer))
    const workersPage = await openEventStream(origin(1), await signIn(worker), { tasks: true })
    await eventually(
      () => buyersPage.of('connected').length === 1 && workersPage.of('connected').length === 1,
    )

    const other = await aWorker(db.database)
    const theirs = await aSubmission(db.database, taskId, other)
    // The client may receive the first submission as well: its predecessor can still be in the relay.
    const twoLeft = ({ tasks }: { tasks: { _id: string; worker: number }[] }) =>
      tasks.some(({ _id, worker: left }) => _id === taskId && left === 2)
    // Another update of the buyer may be relayed before: of the coins that the task holds.
    const withNotice = ({ notices }: { notices: object[] }) => notices.length > 0
    await eventually(() => buyersPage.of('update').some(withNotice) && workersPage.of('tasks').some(twoLeft))
    const arrived = buyersPage.of('update').find(withNotice)
    assert.ok(arrived.about.includes('submissions'))
    assert.match(arrived.notices[0].message, /submitted work for "Label ten photos"/)
    assert.equal(arrived.notices[0].read, false)

    const isRelayed = async () => (await db.database.pool.query('select from outbox')).rowCount === 0
    const lastEvent = `select coalesce(max(seq), 0)::int as seq from live_events where user_id = $1`
    const hasReceivedAll = async () => {
      const { rows } = await db.database.pool.query(lastEvent, [buyer.id])
      return Number(buyersPage.lastId) >= rows[0].seq
    }
    await eventually(async () => (await isRelayed()) && (await hasReceivedAll()))
    const beforeDecision = buyersPage.of('update').length
    await approveSubmission(db.database, submissionId, buyer.id)
    await rejectSubmission(db.database, noAppeals, theirs, buyer.id, { reason: 'Too short' })
    const isPaid = ({ coin, notices }: { coin: number; notices: object[] }) =>
      coin === 40 && notices.length > 0
    await eventually(() => workersPage.of('update').some(isPaid))
    await eventually(() => workersPage.of('tasks').some(({ tasks }) => tasks[0].worker === 3))
    const paid = workersPage.of('update').find(isPaid)
    assert.match(paid.notices[0].message, /was approved. You earned 30 coins/)
    // The buyer gets no notification of their own decision, but their other tabs receive the change.
    await eventually(() =>
      buyersPage
        .of('update')
        .slice(beforeDecision)
        .some(({ notices }) => notices.length === 0),
    )
    await Promise.all([buyersPage.close(), workersPage.close()])
  })

  test('every event arrives exactly once over concurrent commits and twenty lost connections', async () => {
    const worker = await aWorker(db.database)
    const authorization = await signIn(worker)
    const [WRITERS, ROUNDS, EACH] = [6, 20, 3]
    const perWriter = ROUNDS * EACH
    const total = WRITERS * perWriter
    const received: number[] = []
    const write = async (writer: number, round: number) => {
      for (let count = 0; count < EACH; count++) {
        // Some transactions stay open a while after they took their numbers: commits overtake each other.
        await db.database.transaction(async (tx) => {
          const values = [worker.id, numbered(String(writer * perWriter + round * EACH + count))]
          await tx.run({ name: 'test_notify', sql: NOTIFY }, values)
          await jitter(40)
        })
      }
    }

    let page = await openEventStream(origin(0), authorization)
    await eventually(() => page.of('connected').length === 1)
    for (let round = 0; round < ROUNDS; round++) {
      const loseConnection = async () => {
        await jitter(120)
        await page.close()
        received.push(...numbersIn(page))
        await jitter(60)
        page = await openEventStream(origin((round + 1) % 2), authorization, { after: page.lastId })
      }
      const writes = Array.from({ length: WRITERS }, (_, writer) => write(writer, round))
      await Promise.all([loseConnection(), ...writes])
    }
    await eventually(() => received.length + numbersIn(page).length >= total)
    await page.close()
    received.push(...numbersIn(page))
    assert.equal(new Set(received).size, total)
    assert.equal(received.length, total)
    for (let writer = 0; writer < WRITERS; writer++) {
      const own = received.filter((number) => Math.floor(number / perWriter) === writer)
      assert.deepEqual(
        own,
        own.toSorted((a, b) => a - b),
      )
    }
  })

  test('a client that was offline for long is asked to reload everything', async () => {
    const worker = await aWorker(db.database)
    const authorization = await signIn(worker)
    const page = await openEventStream(origin(0), authorization)
    await eventually(() => page.lastId !== undefined)
    await page.close()
    await atOnce(220, (index) => notify(worker, String(index)))
    const { lastId } = page
    await eventually(async () => (await db.database.pool.query('select from outbox')).rowCount === 0)
    // On a busy machine some may not be relayed yet.
    const { rowCount } = await db.database.pool.query('select from notifications where user_id = $1', [
      worker.id,
    ])
    for (const after of [lastId, '0', '999999999999']) {
      const again = await openEventStream(origin(1), authorization, { after })
      await eventually(() => again.of('connected').length === 1)
      // The relay sums up what comes together: few events may hold many notices, and then nothing is missed.
      const resumed = again.of('connected')[0].resumed
      if (resumed) await eventually(() => numbersIn(again).length === rowCount)
      if (after !== lastId) assert.equal(resumed, after === '0')
      await again.close()
    }
    await db.database.pool.query('delete from live_events')
    const later = await openEventStream(origin(1), authorization, { after: String(lastId) })
    await eventually(() => later.of('connected').length === 1)
    assert.equal(later.of('connected')[0].resumed, false)
    await later.close()
  })

  test('only registered users can connect', async () => {
    const page = await openEventStream(origin(0), '')
    assert.equal(page.status, 401)
    await page.close()
    const forged = await openEventStream(origin(0), 'Bearer a.b.c')
    assert.equal(forged.status, 401)
    await forged.close()
    const unregistered = crypto.randomUUID()
    const user = { id: unregistered, email: `${unregistered}@example.com`, name: 'Nobody yet' }
    await db.database.pool.query(
      'insert into identities (id, name, email, email_key) values ($1, $2, $3, $3)',
      [user.id, user.name, user.email],
    )
    const refused = await openEventStream(origin(0), (await instances[0]?.signIn(user)) ?? '')
    assert.equal(refused.status, 403)
    await refused.close()
  })

  test('another user receives nothing of it', async () => {
    const [one, other] = [await aWorker(db.database), await aWorker(db.database)]
    const pages = [
      await openEventStream(origin(0), await signIn(one)),
      await openEventStream(origin(0), await signIn(other)),
    ]
    await eventually(() => pages.every((page) => page.of('connected').length === 1))
    await notify(one, '1')
    await eventually(() => pages[0]?.of('update').length === 1)
    await notify(other, '2')
    await eventually(() => pages[1]?.of('update').length === 1)
    assert.deepEqual(
      pages.map((page) => numbersIn(page)),
      [[1], [2]],
    )
    await Promise.all(pages.map((page) => page.close()))
  })

  test('connections close when their session ends', async () => {
    const worker = await aWorker(db.database)
    const page = await openEventStream(origin(0), await signIn(worker))
    await eventually(() => page.of('connected').length === 1)
    await db.database.pool.query('update sessions set ended_at = now() where identity_id = $1', [worker.id])
    await page.ended
    assert.deepEqual(page.of('closing'), [{ reason: 'session' }])
  })

  test('after sign-out no private event is delivered, even before the heartbeat; a HEAD opens no stream', async () => {
    const worker = await aWorker(db.database)
    const [leaving, staying] = [
      await openEventStream(origin(0), await signIn(worker)),
      await openEventStream(origin(0), await signIn(worker)),
    ]
    await eventually(() => [leaving, staying].every((page) => page.of('connected').length === 1))
    const { rows } = await db.database.pool.query(
      'update sessions set ended_at = now() where id = (select min(id::text)::uuid from sessions where identity_id = $1) returning id',
      [worker.id],
    )
    assert.equal(rows.length, 1)
    await notify(worker, '1')
    await eventually(() => leaving.of('closing').length + staying.of('closing').length === 1)
    await eventually(() => numbersIn(leaving).length + numbersIn(staying).length > 0)
    const [gone, still] = leaving.of('closing').length === 1 ? [leaving, staying] : [staying, leaving]
    assert.deepEqual([numbersIn(gone), numbersIn(still)], [[], [1]])
    await Promise.all([leaving.close(), staying.close()])
    const head = await fetch(`${origin(0)}/api/live`, {
      method: 'HEAD',
      headers: { authorization: await signIn(worker) },
    })
    assert.equal(head.status, 404)
  })

  test('a client that does not read is disconnected and holds no memory', async () => {
    const worker = await aWorker(db.database)
    const instance = await anInstance(db.database)
    const { port } = new URL(await instance.app.listen({ port: 0, host: '127.0.0.1' }))
    const authorization = await signIn(worker)
    const connected = once(instance.app.server, 'connection')
    const socket = connect(Number(port), '127.0.0.1')
    try {
      socket.on('error', () => {})
      const [connection] = (await connected) as [Socket]
      socket.write(`GET /api/live HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n\r\n`)
      await once(socket, 'readable')
      let isClosed = false
      connection.once('close', () => {
        isClosed = true
      })
      await eventually(async () => {
        await atOnce(20, () => notify(worker, 'x'.repeat(20_000)))
        return isClosed
      })
    } finally {
      socket.destroy()
      await instance.close()
    }
  })

  test('an instance that stops closes its streams in order', async () => {
    const instance = await anInstance(db.database)
    const address = await instance.app.listen({ port: 0, host: '127.0.0.1' })
    const page = await openEventStream(address, await signIn(await aWorker(db.database)))
    await eventually(() => page.of('connected').length === 1)
    // As a browser opens one before it needs it.
    const spare = connect(Number(new URL(address).port), '127.0.0.1')
    spare.on('error', () => {})
    await once(spare, 'connect')
    await instance.close()
    await page.ended
    assert.deepEqual(page.of('closing'), [{ reason: 'stopping' }])
  })
})
