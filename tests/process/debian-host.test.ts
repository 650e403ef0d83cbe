import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const RUN = join(import.meta.dirname, 'debian-host', 'run.sh')
/** Packages of Debian, and the privilege to make the copy of the host. */
const NEEDED = 'command -v caddy pg_createcluster perl && unshare --mount --pid --ipc --net --uts --fork true'

test('the commands of docs/debian.md bring up two instances behind Caddy, a backup and an upgrade', async (t) => {
  if (spawnSync('sh', ['-c', NEEDED]).status !== 0)
    return t.skip('needs root, and Caddy and PostgreSQL of Debian')
  const { stdout } = await promisify(execFile)('bash', [RUN], {
    env: { ...process.env, VISITORS: '0' },
    maxBuffer: 10_000_000,
  })
  assert.match(stdout, /^The books balance/m)
  assert.match(stdout, /^\d+ lines in the log of the instances, 0 without JSON\.$/m)
})
