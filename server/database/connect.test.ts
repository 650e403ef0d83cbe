import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { readConfig } from '#server/config.ts'
import { LONG_TIMEOUTS, useDatabase } from '#tests/support/database.ts'
import { aWorker } from '#tests/support/factories.ts'
import { connectToEmpty } from './connect.ts'
import { requireEmpty } from './require-empty.ts'
import { VERSION } from './schema-version.ts'

describe('connections for a restore', () => {
  const db = useDatabase()

  test('upgrade a database without users, and change none that has some', async () => {
    const open = () => connectToEmpty(readConfig({ DATABASE_URL: db.url }), () => {})
    const setVersion = (version: string) =>
      db.owner.query('update schema_functions set version = $1', [version])
    const versions = async () => (await db.owner.query('select version from schema_functions')).rows
    await setVersion('0.0.1')
    try {
      await (await open()).close()
      assert.deepEqual(await versions(), [{ version: VERSION }])

      await setVersion('0.0.1')
      await aWorker(db.database)
      await assert.rejects(open(), /This database is not empty/)
      assert.deepEqual(await versions(), [{ version: '0.0.1' }])
    } finally {
      await setVersion(VERSION)
    }
  })

  test('accept a database without tables', async () => {
    const url = new URL(db.url)
    url.pathname = '/postgres'
    const pool = new pg.Pool({ connectionString: url.href, ...LONG_TIMEOUTS })
    try {
      await requireEmpty(pool)
    } finally {
      await pool.end()
    }
  })
})
