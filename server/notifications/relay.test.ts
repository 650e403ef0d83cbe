import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, aWorker, type TestUser } from '#tests/support/factories.ts'
import { relay } from './relay.ts'

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
})
