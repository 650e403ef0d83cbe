import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { asRefusal } from '#server/http/errors.ts'
import { useDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { openDatabase, PIPELINED, query } from './database.ts'

const sleepLong = query<never, []>('test_sleep_long', 'select pg_sleep(30)')
const readLocked = query<never, []>('test_read_locked', 'select from test_locked')
const readLockedPipelined = query<never, []>(
  'test_read_locked_pipelined',
  'select from test_locked',
  PIPELINED,
)
const BRIEF = { query_timeout: 200, connectionTimeoutMillis: 200 }

describe('the query timeout', () => {
  const db = useDatabase()

  test('is below two seconds', async () => {
    const database = openDatabase({ connectionString: db.url }, { max: 2, prepare: true })
    const { query_timeout = 0, connectionTimeoutMillis = 0 } = database.pool.options
    await database.close()
    for (const ms of [query_timeout, connectionTimeoutMillis]) assert.ok(ms > 0 && ms < 2_000)
  })

  test('fails a statement and a transaction as unavailable', async () => {
    const database = openDatabase({ connectionString: db.url, ...BRIEF }, { max: 2, prepare: true })
    try {
      for (const attempt of [() => sleepLong(database), () => database.transaction((tx) => sleepLong(tx))])
        await assert.rejects(attempt(), (error) => asRefusal(error).code === 'unavailable')
    } finally {
      await database.close()
    }
  })

  test('ends statements that wait for a lock in the database too, and frees their connections', async () => {
    await db.owner.query('create table test_locked (); grant select on test_locked to public')
    const holder = await db.owner.connect()
    const database = openDatabase({ connectionString: db.url, ...BRIEF }, { max: 8, prepare: true })
    try {
      await holder.query('begin; lock table test_locked')
      const reads = [readLocked, readLockedPipelined].map((read) => read(database))
      for (const { status } of await Promise.allSettled(reads)) assert.equal(status, 'rejected')
      await eventually(async () => {
        const { rows } = await holder.query(
          `select from pg_locks join pg_class on pg_class.oid = relation where relname = 'test_locked' and not granted`,
        )
        return rows.length === 0
      })
    } finally {
      await holder.query('rollback; drop table test_locked')
      holder.release()
      await database.close()
    }
  })

  test('fails as unavailable when the server is silent and when it is down', async () => {
    const sockets: Socket[] = []
    const silentServer = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
    await once(silentServer, 'listening')
    const address = silentServer.address()
    const port = typeof address === 'object' ? address?.port : 0
    const url = `postgresql://nobody@127.0.0.1:${port}/none`
    const database = openDatabase({ connectionString: url, ...BRIEF }, { max: 1, prepare: true })
    await assert.rejects(sleepLong(database), (error) => asRefusal(error).code === 'unavailable')
    for (const socket of sockets) socket.destroy()
    silentServer.close()
    await once(silentServer, 'close')
    await assert.rejects(sleepLong(database), (error) => asRefusal(error).code === 'unavailable')
    await database.close()
  })
})
