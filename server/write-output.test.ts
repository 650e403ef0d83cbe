import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
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
/** A command that writes 4 KB and needs no database. */
const WRITE_OUTPUT = [
  '--input-type=module',
  '--eval',
  `import { runCommand } from '#server/run-command.ts'
   import { writeOutput } from '#server/write-output.ts'
   await runCommand(() => writeOutput(Array.from({ length: 4 }, () => 'x'.repeat(1023) + '\\n')))`,
]

/** Runs a script of a shell with a command of node as its arguments. */
function run(shell: string, script: string, command: string[], env: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(shell, ['-c', script, shell, process.execPath, ...command], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...childEnvironment(), ...env },
    timeout: CEILING_MS,
  })
  return { status, stdout, stderr }
}

/** Runs a command whose output goes to a file. The size that a file may have stands for the room on a disk. */
function runInto(file: string, limit: string, command: string[], env: Record<string, string> = {}) {
  const script = `trap '' XFSZ; ulimit -f ${limit}; exec "$@" > "$FILE"`
  const { status, stderr } = run('sh', script, command, {
    ...env,
    NODE_DISABLE_COMPILE_CACHE: '1',
    FILE: file,
  })
  return [status, stderr]
}

async function aFile(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tallywork-output-'))
  t.after(() => rm(folder, { recursive: true }))
  return join(folder, 'output')
}

const NO_ROOM = [1, 'System error: EFBIG: file too large, write.\n']

describe('the output of a command', () => {
  test('that a disk takes only a part of fails the command with a sentence', async (t) => {
    const file = await aFile(t)
    assert.deepEqual(runInto(file, 'unlimited', WRITE_OUTPUT), [0, ''])
    assert.equal((await readFile(file)).length, 4096)
    for (const limit of ['0', '1']) {
      assert.deepEqual(runInto(file, limit, WRITE_OUTPUT), NO_ROOM)
      const { length } = await readFile(file)
      assert.ok(length < 4096 && (limit === '0') === (length === 0), String(length))
    }
  })

  test('leaves a socket that the commands of a script share open, and fails the command where nobody reads', () => {
    const shared = run('bash', '"$@" && echo next', WRITE_OUTPUT, {})
    assert.deepEqual([shared.status, shared.stderr], [0, ''])
    assert.match(shared.stdout, /x\nnext\n$/)

    const unread = run('bash', 'exec 4> >(exec true); wait $!; "$@" >&4', WRITE_OUTPUT, {})
    assert.deepEqual(unread, { status: 1, stdout: '', stderr: 'System error: write EPIPE.\n' })
  })
})

describe('the output of the commands for files', () => {
  const db = useDatabase()

  test('fails the command when a disk takes only a part of it', async (t) => {
    const file = await aFile(t)
    const [admin, worker] = [await anAdmin(db.database), await aWorker(db.database)]
    await db.owner.query(
      `select log_admin_action($1, 'user_frozen', $2), log_security_event('signed_out', null, '', '', '{}', null, null)
         from generate_series(1, 50)`,
      [admin.id, worker.id],
    )
    for (const command of COMMANDS)
      assert.deepEqual(runInto(file, '1', command, { DATABASE_URL: db.url }), NO_ROOM, command[0])
  })
})
