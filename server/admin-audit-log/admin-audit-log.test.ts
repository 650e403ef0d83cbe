import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deleteTask } from '#server/tasks/delete.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, anAdmin, aTask } from '#tests/support/factories.ts'
import { auditLogFrom } from './queries.ts'
import { verifyAuditLog } from './verify.ts'

describe('the record of what admins did', () => {
  const db = useDatabase()
  const lines = async () =>
    (await auditLogFrom(db.database, 0, 1000)).map(({ content, hash }) => ({
      content,
      hash: hash.toString('hex'),
    }))

  test('every act is there once, in a chain that verifies offline, also when many happen at once', async () => {
    const admin = await anAdmin(db.database)
    const buyers = await Promise.all(
      Array.from({ length: 8 }, () => aBuyer(db.database, { name: 'নাম "quoted"' })),
    )
    const tasks = await Promise.all(buyers.map((buyer) => aTask(db.database, buyer, { slots: 1, reward: 5 })))
    await Promise.all([
      ...tasks.slice(0, 4).map((task) => deleteTask(db.database, task, admin)),
      ...buyers.slice(4).map((buyer) => deleteUser(db.database, buyer.id, admin.id)),
    ])
    const acts = await lines()
    assert.equal(acts.length, 8)
    assert.equal(verifyAuditLog(acts).whole, true)
  })

  test('a line changed, taken out, put in or moved is found', async () => {
    const acts = await lines()
    const [first, second, third] = acts
    assert.ok(first && second && third)
    const changed = acts.map((act, index) =>
      index === 2
        ? { ...act, content: act.content.replace(/"refund": \d+|"coins_swept": \d+/, '"refund": 1') }
        : act,
    )
    assert.deepEqual([verifyAuditLog(changed).whole, verifyAuditLog(changed).broken], [false, 3])
    assert.equal(verifyAuditLog(acts.toSpliced(1, 1)).broken, 2)
    assert.equal(verifyAuditLog([first, first, second]).broken, 2)
    assert.equal(verifyAuditLog([second, first, third]).broken, 1)
  })

  test('no statement changes it', async () => {
    const { pool } = db.database
    for (const attempt of [
      `update admin_audit_log set content = '{}'`,
      'delete from admin_audit_log',
      'truncate admin_audit_log',
    ]) {
      await assert.rejects(pool.query(attempt), /append-only/)
    }
  })
})
