import assert from 'node:assert/strict'
import type { Database } from '#server/database/database.ts'
import { audit } from '#server/ledger/audit.ts'

/** Fails with the checks that do not hold, if the books do not balance. */
export async function expectBooksToBalance(database: Database): Promise<void> {
  const { checks } = await audit(database)
  assert.deepEqual(
    checks.filter((check) => check.wrong !== 0),
    [],
    'The books do not balance',
  )
}
