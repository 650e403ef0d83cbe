import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { audit } from './audit.ts'

describe('the audit', () => {
  const db = useDatabase()

  test('runs the checks of every audit function', async () => {
    const { rows: functions } = await db.owner.query<{ name: string }>(
      `select proname as name from pg_proc where pronamespace = $1::text::regnamespace and starts_with(proname, 'audit_')`,
      [db.database.functions.schema],
    )
    assert.ok(functions.length > 10)
    const checks = new Set((await audit(db.database)).checks.map(({ name }) => name))
    for (const { name } of functions) {
      const { rows } = await db.owner.query<{ name: string }>(`select name from ${name}()`)
      for (const check of rows) assert.ok(checks.has(check.name), `${name}: ${check.name}`)
    }
  })
})
