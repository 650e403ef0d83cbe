import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PgBoss } from 'pg-boss'
import type { Statement } from '#server/database/database.ts'
import { insertJobs } from '#server/jobs/insert-jobs.ts'
import { pushJobsFor } from '#server/push/send.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, aWorker, type TestUser } from '#tests/support/factories.ts'
import { recordTransactions } from '#tests/support/record-transactions.ts'
import { type RelayedBatch, relay } from './relay.ts'

type InsertOptions = { db: { executeSql(sql: string): Promise<unknown> } }

describe('the relay of the outbox', () => {
  const db = useDatabase()
  const sql = async (text: string, values: unknown[] = []) =>
    (await db.database.pool.query(text, values)).rows
  const notify = (user: TestUser, name: string) =>
    sql(`select notify_user($1, 'contact_message', $2, null)`, [user.id, { name, subject: 'Hello' }])

  test('makes one event for each user of a batch, with their own changes and notifications', async () => {
    const [worker, other, buyer] = [
      await aWorker(db.database),
      await aWorker(db.database),
      await aBuyer(db.database, { coins: 70 }),
    ]
    await relay(db.database, async () => {})
    const [{ seq }] = await sql('select seq from live_sequence')

    await notify(worker, 'First')
    await notify(other, 'Second')
    await sql(`select enqueue_topic($1, 'submissions')`, [worker.id])
    await sql(`select enqueue_topic($1, 'submissions')`, [worker.id])
    await notify(worker, 'Third')
    await sql('select enqueue_change($1)', [buyer.id])
    const { moved, more } = await relay(db.database, async () => {})
    assert.deepEqual([moved, more], [6, false])

    const events = await sql('select user_id, body from live_events where seq > $1', [seq])
    const bodyOf = ({ id }: TestUser) => {
      const [event, ...further] = events.filter(({ user_id }) => user_id === id)
      assert.deepEqual(further, [])
      const { notices, ...body } = event.body
      return { ...body, names: notices.map(({ params }: { params: { name: string } }) => params.name) }
    }
    const coinsOf = async ({ accountId }: TestUser) =>
      Number((await sql('select balance from ledger_accounts where id = $1', [accountId]))[0].balance)
    assert.deepEqual(bodyOf(worker), {
      about: ['contact', 'submissions'],
      coin: await coinsOf(worker),
      names: ['First', 'Third'],
    })
    assert.deepEqual(bodyOf(other), { about: ['contact'], coin: await coinsOf(other), names: ['Second'] })
    assert.deepEqual(bodyOf(buyer), { about: ['tasks'], coin: await coinsOf(buyer), names: [] })
    assert.equal(events.length, 3)
  })

  test('makes events of notifications that are counted up too', async () => {
    const worker = await aWorker(db.database)
    const task = crypto.randomUUID()
    const eventsAfter = async (statement: string, values: unknown[]) => {
      await relay(db.database, async () => {})
      const [{ seq }] = await sql('select seq from live_sequence')
      await sql(statement, values)
      await relay(db.database, async () => {})
      return (await sql('select body from live_events where seq > $1', [seq])).map(({ body }) => body.about)
    }
    const one = `select notify_of_items($1, 'items_approved', $2, 'Shops', 2, 10)`
    const several = `select notify_users_of_items(array[$1::uuid], 'items_approved', array[$2::uuid], '{Shops}', '{2}', '{10}')`
    assert.deepEqual(await eventsAfter(one, [worker.id, task]), [['submissions']])
    for (const statement of [one, several])
      assert.deepEqual(await eventsAfter(statement, [worker.id, task]), [['notifications', 'submissions']])
  })

  test('passes notifications that one statement made for a user together, and a group whole', async () => {
    const [worker, other] = [await aWorker(db.database), await aWorker(db.database)]
    await relay(db.database, async () => {})
    await notify(other, 'Alone')
    const users = [worker, other, worker].map(({ id }) => id)
    const params = users.map((_, index) => ({ title: `Task ${index}`, coins: 5, decidedBy: 'buyer' }))
    const refs = users.map(() => crypto.randomUUID())
    const notifyAll = `select notify_users($1, 'submission_approved', $2::jsonb[], $3)`
    await sql(notifyAll, [users, params, refs])
    await sql(notifyAll, [users.slice(0, 1), params.slice(0, 1), refs.slice(0, 1)])
    await sql(notifyAll, [[], [], []])

    const moved: RelayedBatch[] = []
    await relay(db.database, async (_tx, batch) => void moved.push(batch))
    assert.equal(moved.length, 1)
    const groups = moved[0]?.notifications.map(({ ids, kind, user }) => `${kind} ${user} ${ids.length}`)
    assert.equal(moved[0]?.moved, 5)
    assert.deepEqual(
      groups?.toSorted(),
      [
        `contact_message ${other.id} 1`,
        `submission_approved ${other.id} 1`,
        `submission_approved ${worker.id} 2`,
        `submission_approved ${worker.id} 1`,
      ].toSorted(),
    )
    const [event] = await sql('select body from live_events where user_id = $1 order by seq desc limit 1', [
      worker.id,
    ])
    assert.deepEqual(event.body.about, ['submissions'])
    assert.deepEqual(
      event.body.notices.map(({ ref }: { ref: string }) => ref),
      [refs[0], refs[2], refs[0]],
    )

    // A limit of one row takes one group whole, and leaves the next one.
    for (let count = 0; count < 2; count++) await sql(notifyAll, [users, params, refs])
    const [first] = await sql(`select moved from relay_outbox(1, '{}')`)
    assert.equal(first.moved, 3)
    assert.equal((await relay(db.database, async () => {})).moved, 3)
  })

  test('notifications of thousands of users are relayed in parts, those of a user together', async () => {
    await relay(db.database, async () => {})
    const workers = await Promise.all(Array.from({ length: 7 }, () => aWorker(db.database)))
    const users = Array.from({ length: 300 }, () => workers.map(({ id }) => id)).flat()
    await sql(`select notify_users($1, 'task_deleted', $2::jsonb[], $3)`, [
      users,
      users.map(() => ({ title: 'Label photos', recipient: 'worker' })),
      users.map(() => crypto.randomUUID()),
    ])

    const parts: RelayedBatch[] = []
    for (let isMore = true; isMore; )
      isMore = (await relay(db.database, async (_tx, batch) => void parts.push(batch))).more
    assert.deepEqual(
      parts.map(({ moved }) => moved),
      [1200, 900],
    )
    const groups = parts.flatMap(({ notifications }) => notifications)
    assert.deepEqual(
      groups.map(({ user, ids }) => `${user} ${ids.length}`).toSorted(),
      workers.map(({ id }) => `${id} 300`).toSorted(),
    )
  })

  test('a relay of many notifications and their jobs may take longer than a request', async () => {
    const statements: Statement[] = []
    const recording = recordTransactions(db.database, (statement) => void statements.push(statement))
    const insert = (_queue: string, _jobs: object[], { db: { executeSql } }: InsertOptions) =>
      executeSql('select 1')
    const { id } = await aWorker(db.database)
    await sql(`select notify_user($1, 'submission_approved', $2, null)`, [
      id,
      { title: 'Label photos', coins: 5, decidedBy: 'buyer' },
    ])
    await relay(recording, async (tx, { notifications }) => {
      await pushJobsFor(tx, notifications)
      await insertJobs({ insert } as unknown as PgBoss, tx, 'push', [{ data: {} }])
    })
    assert.equal(statements.length, 3)
    assert.ok(statements.every(({ timeoutMs = 0 }) => timeoutMs >= 60_000))
  })
})
