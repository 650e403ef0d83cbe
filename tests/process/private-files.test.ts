import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { CEILING_MS, eventually } from '#tests/support/eventually.ts'
import { PASSWORD } from '#tests/support/http-client.ts'
import { childEnvironment, startServerProcess } from '#tests/support/server-process.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Returns the files and folders below a folder that other users of the machine may read or write. */
async function openToOthers(folder: string): Promise<string[]> {
  const found: string[] = []
  for (const name of await readdir(folder, { recursive: true })) {
    const entry = await lstat(join(folder, name)).catch(() => undefined)
    if (entry === undefined || entry.isSymbolicLink()) continue
    if ((entry.mode & 0o077) !== 0) found.push(`${name} ${(entry.mode & 0o777).toString(8)}`)
  }
  return found
}

test('other users of the machine can read nothing that the server or a backup writes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tallywork-private-'))
  const dataDir = join(folder, 'data')
  // As an earlier version left them.
  for (const name of ['mail', 'images']) {
    await mkdir(join(dataDir, name), { recursive: true })
    await chmod(join(dataDir, name), 0o755)
  }
  await writeFile(join(dataDir, 'postgres.log'), '', { mode: 0o644 })
  await chmod(dataDir, 0o700)

  const server = await startServerProcess({ dataDir, env: { DEMO: '0' }, createsDatabase: true })
  try {
    const json = { 'content-type': 'application/json' }
    const user = { name: 'Ruma', email: 'private@example.com', password: PASSWORD }
    const post = (path: string, headers: Record<string, string>, body?: string | FormData) =>
      fetch(`${server.url}/api${path}`, { method: 'POST', headers, ...(body !== undefined && { body }) })
    const signedUp = await post('/auth/sign-up', json, JSON.stringify(user))
    const cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const { token } = (await (await post('/auth/token', { cookie })).json()) as { token: string }
    await post('/auth/request-reset', json, JSON.stringify({ email: user.email }))
    const form = new FormData()
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    form.set('image', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'a.png')
    assert.equal((await post('/images', { authorization: `Bearer ${token}` }, form)).status, 200)
    await eventually(async () => (await readdir(join(dataDir, 'mail'))).length > 0)

    const backup = spawnSync(
      process.execPath,
      ['server/backup/backup-command.ts', 'backup', join(folder, 'backup')],
      { cwd: ROOT, env: { ...childEnvironment(), DATA_DIR: dataDir }, timeout: CEILING_MS },
    )
    assert.equal(backup.status, 0, String(backup.stderr))
    const written = await readdir(folder, { recursive: true })
    for (const name of ['auth-secret', 'postgres.lock', 'postgres.log', 'postgres/PG_VERSION'])
      assert.ok(written.includes(`data/${name}`), name)
    assert.ok(written.includes('backup/manifest.json'))
    assert.deepEqual(await openToOthers(folder), [])
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
