import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '#server/database/database.ts'
import { freshDatabase, openPooled } from '#tests/support/database.ts'
import { testConfig } from '#tests/support/factories.ts'
import { seedDemoData } from './seed.ts'

describe('demo data', () => {
  let database: Database
  let end: Date
  before(async () => {
    database = openPooled(await freshDatabase())
    await seedDemoData(database, testConfig, () => {})
    end = new Date()
  })
  after(() => database.close())

  test('has each receipt at the time of its payment', async () => {
    const { rows } = await database.pool.query<{ label: string; issued_at: string; paid_at: string }>(
      `select label, issued_at, coalesce(payments.paid_at, withdrawals.decided_at) as paid_at
         from receipts left join payments on payments.id = receipts.payment_id
                       left join withdrawals on withdrawals.id = receipts.withdrawal_id`,
    )
    assert.ok(rows.length > 0)
    for (const { label, issued_at, paid_at } of rows) assert.deepEqual(issued_at, paid_at, label)
  })

  test('has nothing that happens in the future, and no mail that is sent', async () => {
    for (const [table, column] of [
      ['submissions', 'created_at'],
      ['notifications', 'created_at'],
      ['receipts', 'issued_at'],
      ['withdrawals', 'created_at'],
    ]) {
      const { rows } = await database.pool.query(`select max(${column}) as last from ${table}`)
      assert.ok(new Date(rows[0].last) <= end, `${table}: ${rows[0].last}`)
    }
    assert.deepEqual((await database.pool.query('select * from outbox')).rows, [])
  })
})
