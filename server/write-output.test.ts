import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { useDatabase } from '#tests/support/database.ts'
import { CEILING_MS } from '#tests/support/eventually.ts'
import { anAdmin, aWorker } from '#tests/support/factories.ts'
import { childEnvironment } from '#tests/support/server-process.ts'

const ROOT = join(import.meta.dirname, '..')
const COMMANDS = [
  ['server/admin-audit-log/audit-log-command.ts', 'export'],
  ['server/security-log/security-log-command.ts'],
  ['server/ledger/audit-command.ts'],
]

describe('the output of commands', () => {
  const db = useDatabase()

  test('that a disk takes only a part of fails the command with a sentence', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'tallywork-output-'))
    t.after(() => rm(folder, { recursive: true }))
    const file = join(folder, 'output')
    const [admin, worker] = [await anAdmin(db.database), await aWorker(db.database)]
    await db.owner.query(
      `select log_admin_action($1, 'user_frozen', $2), log_security_event('signed_out', null, '', '', '{}', null, null)
         from generate_series(1, 50)`,
      [admin.id, worker.id],
    )
    // The size that a file may have stands for the room on a disk.
    const run = (limit: string, command: string[]) => {
      const script = `trap '' XFSZ; ulimit -f ${limit}; exec "$@" > "$FILE"`
      const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', process.execPath, ...command], {
        cwd: ROOT,
        encoding: 'utf8',
        env: { ...childEnvironment(), NODE_DISABLE_COMPILE_CACHE: '1', DATABASE_URL: db.url, FILE: file },
        timeout: CEILING_MS,
      })
      return [status, stderr]
    }
    for (const command of COMMANDS) {
      assert.deepEqual(run('unlimited', command), [0, ''], command[0])
      const whole = await readFile(file, 'utf8')
      for (const limit of ['0', '1']) {
        assert.deepEqual(
          run(limit, command),
          [1, 'System error: EFBIG: file too large, write.\n'],
          command[0],
        )
        const written = await readFile(file, 'utf8')
        assert.ok(whole.length > written.length && (limit === '0') === (written === ''), command[0])
      }
    }
  })

  test('leaves a socket that the commands of a script share open, and fails the command where nobody reads', () => {
    const run = (script: string) => {
      const { status, stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', process.execPath], {
        cwd: ROOT,
        encoding: 'utf8',
        env: { ...childEnvironment(), DATABASE_URL: db.url },
        timeout: CEILING_MS,
      })
      return { status, stdout, stderr }
    }
    for (const command of COMMANDS) {
      const shared = run(`"$1" ${command.join(' ')} && echo next`)
      assert.deepEqual([shared.status, shared.stderr], [0, ''], command[0])
      assert.match(shared.stdout, /.\nnext\n$/, command[0])

      const unread = run(`exec 4> >(exec true); wait $!; "$1" ${command.join(' ')} >&4`)
      assert.deepEqual(unread, { status: 1, stdout: '', stderr: 'System error: write EPIPE.\n' }, command[0])
    }
  })
})
