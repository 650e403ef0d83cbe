import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { listen } from './listen.ts'

describe('a listener', () => {
  const db = useDatabase()
  const listeners: { close(): Promise<void> }[] = []
  after(() => Promise.all(listeners.map((listener) => listener.close())))

  it('receives what is notified by committed transactions, on its channel only', async () => {
    let received = 0
    const listener = listen(db.database, 'lamp', () => received++)
    listeners.push(listener)
    await eventually(() => listener.works)
    const before = received
    const client = await db.database.pool.connect()
    await client.query(`begin; notify lamp; notify other; rollback; notify other; notify lamp`)
    client.release()
    await eventually(() => received > before)
    assert.equal(received, before + 1)
  })

  it('reconnects after its connection was lost', async () => {
    let received = 0
    const listener = listen(db.database, 'lamp', () => received++)
    listeners.push(listener)
    await eventually(() => listener.works)
    const before = received
    await db.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'tallywork-listen' and datname = current_database()`,
    )
    await eventually(() => received > before)
    assert.ok(listener.works)
  })
})
