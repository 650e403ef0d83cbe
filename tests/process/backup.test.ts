import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { backup } from '#server/backup/backup.ts'
import { MANIFEST_FILE, Manifest } from '#server/backup/manifest.ts'
import { restore } from '#server/backup/restore.ts'
import { restoreInstallation } from '#server/backup/restore-installation.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/database/connect.ts'
import { archiveOf, chooseArchive } from '#server/database/embedded/wal-archive.ts'
import { failureText } from '#server/run-command.ts'
import { inEmbedded } from '#tests/support/embedded-server.ts'
import { CEILING_MS, eventually } from '#tests/support/eventually.ts'
import { taskBody, testConfig } from '#tests/support/factories.ts'
import { httpSignUp } from '#tests/support/http-client.ts'
import { anInstance } from '#tests/support/instance.ts'
import { copyPreparedData } from '#tests/support/prepared-data.ts'
import { childEnvironment, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'

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

describe('backup and restore', () => {
  const folders: string[] = []
  const aFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tallywork-backup-'))
    folders.push(folder)
    return folder
  }
  let from = ''
  let copies = ''
  let copy = ''
  let server: ServerProcess
  before(async () => {
    from = await aFolder()
    copies = await aFolder()
    copy = join(copies, 'monday')
    // As an earlier version left them.
    for (const name of ['mail', 'images']) {
      await mkdir(join(from, name))
      await chmod(join(from, name), 0o755)
    }
    await writeFile(join(from, 'postgres.log'), '', { mode: 0o644 })
    server = await startServerProcess({ dataDir: from, env: { DEMO: '1' } })
  })
  after(async () => {
    await server.stop()
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
  })
  /** Expects that a restore fails with a sentence, without a stack trace. */
  const expectRefusal = async (backupFolder: string, dataDir: string, message: RegExp) => {
    const restoring = restoreInstallation(readConfig({ DATA_DIR: dataDir }), backupFolder, () => {})
    await assert.rejects(restoring, (error) => {
      assert.match(String(failureText(error)), message)
      return typeof failureText(error) === 'string'
    })
  }
  const filesIn = (dataDir: string) => ({ ...testConfig, dataDir })
  const run = (what: string, folder: string, dataDir: string) => {
    const env = { ...childEnvironment(), DATA_DIR: dataDir }
    const done = spawnSync(process.execPath, ['server/backup/backup-command.ts', what, folder], {
      cwd: ROOT,
      env,
      timeout: CEILING_MS,
    })
    return { code: done.status, said: `${done.stdout}${done.stderr}` }
  }

  test('other users of the machine can read nothing that the server or a backup writes', async () => {
    const buyer = await httpSignUp(server.url, 'Buyer', 'backup@example.com')
    assert.equal((await buyer.call('POST', '/add-task', taskBody({ slots: 1, reward: 10 }))).status, 200)
    await buyer.call('POST', '/auth/request-reset', { email: buyer.email })
    const form = new FormData()
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    form.set('image', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'a.png')
    const headers = { authorization: await buyer.authorization() }
    const uploaded = await fetch(`${server.url}/api/images`, { method: 'POST', headers, body: form })
    assert.equal(uploaded.status, 200)
    await eventually(async () => (await readdir(join(from, 'mail'))).length > 0)

    const made = run('backup', copy, from)
    assert.equal(made.code, 0, made.said)
    const written = await readdir(from, { recursive: true })
    for (const name of ['auth-secret', 'postgres.lock', 'postgres.log', 'postgres/PG_VERSION'])
      assert.ok(written.includes(name), name)
    assert.ok(existsSync(join(copy, MANIFEST_FILE)))
    for (const folder of [from, copies]) assert.deepEqual(await openToOthers(folder), [])
  })

  test('a scheduled backup is restored on trial, expired ones are deleted, and the metrics have the age of both', async () => {
    const scheduled = join(copies, 'scheduled')
    for (const name of ['2020-01-01T000000Z', '2020-01-01T120000Z', '2026-01-01T000000Z.partial', 'notes'])
      await mkdir(join(scheduled, name), { recursive: true })
    const proven = run('scheduled', scheduled, from)
    assert.equal(proven.code, 0, proven.said)
    assert.match(proven.said, /can be restored: the books balance/)
    const [older, newest = '', notes, ...more] = (await readdir(scheduled)).toSorted()
    assert.deepEqual([older, notes, more], ['2020-01-01T120000Z', 'notes', []], proven.said)
    assert.deepEqual((await readdir(join(scheduled, newest))).toSorted(), (await readdir(copy)).toSorted())
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    for (const proof of ['made', 'restored'])
      assert.match(metrics, new RegExp(`^backup_age_seconds{proof="${proof}"} `, 'm'))
    const repeated = inEmbedded(from, ({ pool }) => backup(pool, filesIn(from), copy, () => {}))
    await assert.rejects(repeated, /not empty/)
  })

  test('a backup of the running server, restored into a new directory, is the same marketplace and works', async () => {
    await server.stop()
    const into = await aFolder()
    copyPreparedData(into)
    const restored = run('restore', copy, into)
    assert.equal(restored.code, 0, restored.said)
    assert.match(restored.said, /the books balance and match/)
    const unpaid =
      /made at \d{4}-\S+Z\. .+ pending withdrawal requests: [1-9]\d*, .+: \d+\. Before you pay any, import/
    assert.match(restored.said, unpaid)

    // An instance in this process, on what the restore has left: its data directory has the secret of the keys in the database.
    const config = readConfig({ DATA_DIR: into })
    const { database, close } = await connect(config, () => {})
    const instance = await anInstance(database, config)
    try {
      const archives = await aFolder()
      // Under root the database server has another user.
      await chmod(archives, 0o711)
      const archive = join(archives, 'archive')
      chooseArchive(into, archive)
      await expectRefusal(copy, into, /not empty/)
      assert.equal(archiveOf(into), archive)
      const repeated = inEmbedded(into, ({ pool }) => restore(pool, filesIn(into), copy, () => {}))
      await assert.rejects(repeated, /not empty/)

      const { rows } = await database.pool.query<{ id: string; email: string; name: string }>(
        'select id, email, name from identities where email = $1',
        ['backup@example.com'],
      )
      const [buyer] = rows
      assert.ok(buyer)
      const headers = { authorization: await instance.signIn(buyer) }
      const coins = await instance.app.inject({ url: `/api/coin-role/${buyer.email}`, headers })
      assert.equal(coins.json<{ coin: number }>().coin, 40)
      const payload = taskBody({ slots: 1, reward: 40 })
      const posted = await instance.app.inject({ method: 'POST', url: '/api/add-task', headers, payload })
      assert.equal(posted.statusCode, 200)
    } finally {
      await instance.close()
      await close()
    }
  })

  test('a backup that is missing, of another version or damaged is refused in a sentence', async () => {
    const untouched = await aFolder()
    await expectRefusal(join(copies, 'tuesday'), untouched, /^System error: ENOENT/)
    assert.deepEqual(await readdir(untouched), [])

    const earlier = join(copies, 'earlier')
    const manifest = Manifest.parse(JSON.parse(await readFile(join(copy, MANIFEST_FILE), 'utf8')))
    await mkdir(earlier)
    const earlierManifest = { ...manifest, migrations: manifest.migrations.slice(0, -1) }
    await writeFile(join(earlier, MANIFEST_FILE), JSON.stringify(earlierManifest))
    await expectRefusal(earlier, untouched, /another version of the server/)
    assert.deepEqual(await readdir(untouched), [], 'its own version can restore it there')

    await appendFile(join(copy, 'tables', 'users.copy.gz'), 'x')
    const other = await aFolder()
    copyPreparedData(other)
    await expectRefusal(copy, other, /^The file of users is damaged: unexpected end of file$/)
  })
})
