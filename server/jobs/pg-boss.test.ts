import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { PgBoss } from 'pg-boss'
import { useDatabase } from '#tests/support/database.ts'
import { PG_BOSS_SCHEMA_VERSION, PG_BOSS_STATEMENTS } from './pg-boss.ts'

describe('the direct statements on the tables of pg-boss', () => {
  const db = useDatabase()
  let boss: PgBoss

  before(async () => {
    boss = new PgBoss({ connectionString: db.url, schema: 'jobs', max: 1, schedule: false, supervise: false })
    // The hook of useDatabase drops the database, and its connections, before this one stops.
    boss.on('error', () => {})
    await boss.start()
  })
  after(() => boss.stop({ graceful: false }))

  // After an upgrade of pg-boss, read its migrations, check pg-boss.ts against them, and then raise the number.
  test('are written for the installed version of its schema', async () => {
    const { rows } = await db.database.pool.query<{ version: number }>('select version from jobs.version')
    assert.equal(rows[0]?.version, PG_BOSS_SCHEMA_VERSION)
  })

  test('can be prepared against it', async () => {
    const client = await db.database.pool.connect()
    try {
      for (const { name, sql } of PG_BOSS_STATEMENTS) await client.query(`prepare checked_${name} as ${sql}`)
    } finally {
      client.release(true)
    }
  })
})
