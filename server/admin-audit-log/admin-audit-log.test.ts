import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { deleteTask } from '#server/tasks/delete.ts'
import { deleteUser } from '#server/users/delete.ts'
import { useDatabase } from '#tests/support/database.ts'
import { aBuyer, anAdmin, aTask } from '#tests/support/factories.ts'
import { auditLogAfter } from './queries.ts'
import { verifyAuditLog } from './verify.ts'

const COMMAND = join(import.meta.dirname, 'audit-log-command.ts')

describe('admin audit log', () => {
  const db = useDatabase()
  const readEntries = async () =>
    (await auditLogAfter(db.database, 0, 1000)).map(({ content, hash }) => ({
      content,
      hash: hash.toString('hex'),
    }))

  test('concurrent admin actions are each recorded once, in a hash chain that verifies offline', async () => {
    const admin = await anAdmin(db.database)
    const buyers = await Promise.all(
      Array.from({ length: 8 }, () => aBuyer(db.database, { name: 'নাম "quoted"' })),
    )
    const tasks = await Promise.all(buyers.map((buyer) => aTask(db.database, buyer, { slots: 1, reward: 5 })))
    await Promise.all([
      ...tasks.slice(0, 4).map((task) => deleteTask(db.database, task, admin)),
      ...buyers.slice(4).map((buyer) => deleteUser(db.database, buyer.id, admin.id)),
    ])
    const entries = await readEntries()
    assert.equal(entries.length, 8)
    assert.equal(verifyAuditLog(entries).valid, true)
  })

  test('a changed, removed, inserted or moved entry is detected', async () => {
    const entries = await readEntries()
    const [first, second, third] = entries
    assert.ok(first && second && third)
    const changed = entries.map((entry, index) =>
      index === 2
        ? { ...entry, content: entry.content.replace(/"refund": \d+|"coins_swept": \d+/, '"refund": 1') }
        : entry,
    )
    assert.deepEqual([verifyAuditLog(changed).valid, verifyAuditLog(changed).firstInvalid], [false, 3])
    assert.equal(verifyAuditLog(entries.toSpliced(1, 1)).firstInvalid, 2)
    assert.equal(verifyAuditLog([first, first, second]).firstInvalid, 2)
    assert.equal(verifyAuditLog([second, first, third]).firstInvalid, 1)
  })

  test('the command verifies an exported log, and says which line is no entry, or that there is none', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'tallywork-audit-log-'))
    t.after(() => rm(folder, { recursive: true }))
    const file = join(folder, 'log.jsonl')
    const lines = (await readEntries()).map((entry) => JSON.stringify(entry))
    const verify = async (text: string) => {
      await writeFile(file, text)
      const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, 'verify', file], {
        encoding: 'utf8',
      })
      return [status, stdout, stderr]
    }
    const hash = JSON.parse(lines.at(-1) ?? '').hash
    assert.deepEqual(await verify(lines.join('\n')), [
      0,
      `The audit log is valid: 8 entries, last hash ${hash}\n`,
      '',
    ])
    assert.deepEqual(await verify(''), [1, '', `${file} has no entries of an audit log.\n`])
    const noEntry = [1, '', `Line 3 of ${file} is not an entry of an audit log.\n`]
    for (const line of ['{"content"', 'null', '{"content":1}', '{"content":"x","hash":""}'])
      assert.deepEqual(await verify(lines.with(2, line).join('\n')), noEntry, line)
  })

  test('the log is append-only, also for its owner', async () => {
    for (const attempt of [
      `update admin_audit_log set content = '{}'`,
      'delete from admin_audit_log',
      'truncate admin_audit_log',
    ]) {
      await assert.rejects(db.owner.query(attempt), /append-only/)
      await assert.rejects(db.database.pool.query(attempt), /permission denied/)
    }
  })
})
