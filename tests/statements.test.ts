import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { STATEMENTS } from '#server/database/database.ts'
import { useDatabase } from './support/database.ts'
import { allStatements } from './support/statements.ts'

await allStatements()

describe('named statements', () => {
  const db = useDatabase()

  test('keyset pagination uses one comparison, so that no page scans from the beginning', () => {
    const fromTheBeginning = [...STATEMENTS.values()].filter(({ sql }) =>
      /(\$\d+)(::\w+)? is null or [^()]*[<>]=? *\1/.test(sql),
    )
    assert.deepEqual(
      fromTheBeginning.map(({ name }) => name),
      [],
    )
  })

  test('pipelined statements only read and take no locks', () => {
    const pipelined = [...STATEMENTS.values()].filter((statement) => statement.pipelined)
    assert.ok(pipelined.length > 20)
    const wrong = pipelined.filter(({ sql }) =>
      /\b(insert|update|delete|for (update|share)|perform)\b/i.test(sql),
    )
    assert.deepEqual(
      wrong.map(({ name }) => name),
      [],
    )
  })

  test('every statement prepares against the migrated schema, with the functions of this version', async () => {
    assert.ok(STATEMENTS.size > 100)
    const { pool, functions } = db.database
    const client = await pool.connect()
    try {
      await client.query('set search_path = public')
      const wrong: string[] = []
      for (const { name, sql } of STATEMENTS.values()) {
        if (/^(savepoint|rollback|begin|commit|set constraints)/i.test(sql)) continue
        await client
          .query(`prepare checked_${name} as ${functions.qualify(sql)}`)
          .catch((error: Error) => wrong.push(`${name}: ${error.message}`))
      }
      assert.deepEqual(wrong, [])
    } finally {
      client.release(true)
    }
  })
})
