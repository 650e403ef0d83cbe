import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asRefusal } from '#server/http/errors.ts'
import { LONG_TIMEOUTS, useDatabase } from '#tests/support/database.ts'
import { type Database, openDatabase, PIPELINED, query } from './database.ts'

const half = query<{ half: number; process: number }, [number: number]>(
  'test_half',
  'select 100 / $1::int as half, pg_backend_pid() as process',
  PIPELINED,
)
const pause = query<never, [seconds: number]>('test_pause', 'select pg_sleep($1)', {
  ...PIPELINED,
  timeoutMs: 1_000,
})
const lose = query<never, [process: number]>('test_lose', 'select pg_terminate_backend($1)')

const many = Array.from({ length: 200 }, (_, index) => index - 100)
const isDown = (error: unknown) => asRefusal(error).code === 'unavailable'

describe('pipelined connections', () => {
  const db = useDatabase()

  async function withTwoConnections(work: (database: Database) => Promise<void>): Promise<void> {
    const database = openDatabase({ connectionString: db.url, ...LONG_TIMEOUTS }, { max: 8, prepare: true })
    try {
      await work(database)
    } finally {
      await database.close()
    }
  }

  test('each query gets its own result, and a failing query fails alone', () =>
    withTwoConnections(async (database) => {
      const results = await Promise.allSettled(many.map((number) => half(database, number)))
      for (const [index, result] of results.entries()) {
        const number = many[index] as number
        if (result.status === 'fulfilled') assert.equal(result.value[0]?.half, Math.trunc(100 / number))
        else assert.equal(result.reason.code, '22012')
        assert.equal(result.status === 'rejected', number === 0)
      }
      assert.ok(database.connections().total <= 8)
    }))

  test('the next query after a lost connection opens another', () =>
    withTwoConnections(async (database) => {
      const [first] = await half(database, 1)
      const waiting = assert.rejects(pause(database, 20), isDown)
      await lose(database, first?.process as number)
      await waiting
      const [next] = await half(database, 1)
      assert.notEqual(next?.process, first?.process)
    }))

  test('a query that times out is reported as unavailable, and the next one succeeds', () =>
    withTwoConnections(async (database) => {
      await assert.rejects(pause(database, 20), isDown)
      assert.equal((await half(database, 2))[0]?.half, 50)
    }))

  test('a small pool, or one without named statements, has no pipelined connections', async () => {
    for (const options of [
      { max: 2, prepare: true },
      { max: 8, prepare: false },
    ]) {
      const database = openDatabase({ connectionString: db.url, ...LONG_TIMEOUTS }, options)
      await Promise.all(many.slice(0, 50).map((number) => half(database, number)))
      assert.equal(database.connections().total, database.pool.totalCount)
      await database.close()
    }
  })
})
