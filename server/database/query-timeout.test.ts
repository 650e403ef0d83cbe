import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { asRefusal } from '#server/http/errors.ts'
import { useDatabase } from '#tests/support/database.ts'
import { openDatabase, query } from './database.ts'

const sleepLong = query<never, []>('test_sleep_long', 'select pg_sleep(30)')

describe('a database that does not answer', () => {
  const db = useDatabase()

  test('counts as down within two seconds, in a statement and in a transaction', async () => {
    const database = openDatabase({ connectionString: db.url }, { max: 2, prepare: true })
    try {
      for (const attempt of [() => sleepLong(database), () => database.transaction((tx) => sleepLong(tx))]) {
        const started = performance.now()
        await assert.rejects(attempt(), (error) => asRefusal(error).code === 'unavailable')
        assert.ok(performance.now() - started < 4_000)
      }
    } finally {
      await database.close()
    }
  })

  test('counts as down when nothing answers at all, and when it is gone', async () => {
    const sockets: Socket[] = []
    const mute = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const address = mute.address()
    const port = typeof address === 'object' ? address?.port : 0
    const url = `postgresql://nobody@127.0.0.1:${port}/none`
    const database = openDatabase({ connectionString: url }, { max: 1, prepare: true })
    await assert.rejects(sleepLong(database), (error) => asRefusal(error).code === 'unavailable')
    for (const socket of sockets) socket.destroy()
    mute.close()
    await once(mute, 'close')
    await assert.rejects(sleepLong(database), (error) => asRefusal(error).code === 'unavailable')
    await database.close()
  })
})
