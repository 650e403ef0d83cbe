import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { auditText } from '#contract/audit-texts.bn.ts'
import { audit } from '#server/ledger/audit.ts'
import { useDatabase } from '#tests/support/database.ts'
import { assertBangla } from './compare.ts'

describe('the audit', () => {
  const db = useDatabase()

  test('has a Bangla name of its own for every check and every total', async () => {
    const { checks, figures } = await audit(db.database)
    const names = [...checks.map(({ name }) => name), ...Object.keys(figures)]
    for (const name of names) assertBangla(name, auditText(name))
    assert.equal(new Set(names.map(auditText)).size, names.length)
  })
})
