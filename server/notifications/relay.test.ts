import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, aWorker, type TestUser } from '#tests/support/factories.ts'
import { type RelayedBatch, relay } from './relay.ts'

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
})
