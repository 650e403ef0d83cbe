import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asRefusal } from '#server/http/errors.ts'
import { LONG_TIMEOUTS, useDatabase } from '#tests/support/database.ts'
import { openDatabase, query, queryOne } from './database.ts'

const half = query<never, [number: number]>('test_half_of', 'select 100 / $1::int')
const refuse = query<never, []>('test_refuse', `select refuse('insufficient_coins', '{}')`)
const readProcess = queryOne<{ id: number }, []>('test_process', 'select pg_backend_pid() as id')
const READ_TABLE = { name: 'test_table', sql: 'select * from changing' }

describe('a statement that fails', () => {
  const db = useDatabase()

  test('keeps its connection when it was refused for its values', async () => {
    const database = openDatabase({ connectionString: db.url, ...LONG_TIMEOUTS }, { max: 1, prepare: true })
    try {
      const { id } = await readProcess(database)
      await assert.rejects(refuse(database), (error) => asRefusal(error).code === 'insufficient_coins')
      await assert.rejects(half(database, 0), /division by zero/)
      assert.equal((await readProcess(database)).id, id)
    } finally {
      await database.close()
    }
  })

  test('gets another connection when its plan no longer fits the table', async () => {
    const database = openDatabase({ connectionString: db.url, ...LONG_TIMEOUTS }, { max: 1, prepare: true })
    try {
      await db.owner.query('create table changing (id int)')
      await database.run(READ_TABLE, [])
      await db.owner.query('alter table changing alter id type text')
      await assert.rejects(database.run(READ_TABLE, []), /cached plan must not change result type/)
      await database.run(READ_TABLE, [])
    } finally {
      await database.close()
    }
  })
})
