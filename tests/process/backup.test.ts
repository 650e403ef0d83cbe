import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { backup } from '#server/backup/backup.ts'
import { MANIFEST_FILE, Manifest } from '#server/backup/manifest.ts'
import { restore } from '#server/backup/restore.ts'
import { archiveOf, chooseArchive } from '#server/database/embedded/wal-archive.ts'
import { inEmbedded } from '#tests/support/embedded-server.ts'
import { CEILING_MS } from '#tests/support/eventually.ts'
import { taskBody, testConfig } from '#tests/support/factories.ts'
import { httpSignIn, httpSignUp } from '#tests/support/http-client.ts'
import { copyPreparedData } from '#tests/support/prepared-data.ts'
import { childEnvironment, startServerProcess } from '#tests/support/server-process.ts'

const ROOT = join(import.meta.dirname, '..', '..')

describe('backup and restore', () => {
  const folders: string[] = []
  const aFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tallywork-backup-'))
    folders.push(folder)
    return folder
  }
  after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))
  const run = (what: string, folder: string, dataDir: string) => {
    const env = { ...childEnvironment(), DATA_DIR: dataDir }
    const done = spawnSync(process.execPath, ['server/backup/backup-command.ts', what, folder], {
      cwd: ROOT,
      env,
      timeout: CEILING_MS,
    })
    return { code: done.status, said: `${done.stdout}${done.stderr}` }
  }

  test('a backup of the running server, restored into a new directory, is the same marketplace and works', async () => {
    const [from, into, copies] = [await aFolder(), await aFolder(), await aFolder()]
    const copy = join(copies, 'monday')
    const filesIn = (dataDir: string) => ({ ...testConfig, dataDir })
    const restoreInto = (dataDir: string) =>
      inEmbedded(dataDir, ({ pool }) => restore(pool, filesIn(dataDir), copy, () => {}))
    let server = await startServerProcess({ dataDir: from, env: { DEMO: '1' } })
    try {
      const buyer = await httpSignUp(server.url, 'Buyer', 'backup@example.com')
      assert.equal((await buyer.call('POST', '/add-task', taskBody({ slots: 1, reward: 10 }))).status, 200)
      const made = run('backup', copy, from)
      assert.equal(made.code, 0, made.said)
      const repeated = inEmbedded(from, ({ pool }) => backup(pool, filesIn(from), copy, () => {}))
      await assert.rejects(repeated, /not empty/)

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
    } finally {
      await server.stop()
    }

    copyPreparedData(into)
    const restored = run('restore', copy, into)
    assert.equal(restored.code, 0, restored.said)
    assert.match(restored.said, /the books balance and match/)
    const unpaid =
      /made at \d{4}-\S+Z\. .+ pending withdrawal requests: [1-9]\d*, .+: \d+\. Before you pay any, import/
    assert.match(restored.said, unpaid)

    server = await startServerProcess({ dataDir: into, env: { DEMO: '1' } })
    try {
      await assert.rejects(restoreInto(into), /not empty/)
      const archives = await aFolder()
      // Under root the database server has another user.
      await chmod(archives, 0o711)
      const archive = join(archives, 'archive')
      chooseArchive(into, archive)
      const refused = run('restore', copy, into)
      assert.equal(refused.code, 1, refused.said)
      assert.match(refused.said, /not empty/)
      assert.equal(archiveOf(into), archive)
      const buyer = await httpSignIn(server.url, 'backup@example.com')
      const { body: coins } = await buyer.call('GET', '/coin-role/backup@example.com')
      assert.equal((coins as { coin: number }).coin, 40)
      assert.equal((await buyer.call('POST', '/add-task', taskBody({ slots: 1, reward: 40 }))).status, 200)
    } finally {
      await server.stop()
    }

    const untouched = await aFolder()
    const mistyped = run('restore', join(copies, 'tuesday'), untouched)
    assert.equal(mistyped.code, 1, mistyped.said)
    assert.deepEqual(await readdir(untouched), [])

    const earlier = join(copies, 'earlier')
    const manifest = Manifest.parse(JSON.parse(await readFile(join(copy, MANIFEST_FILE), 'utf8')))
    await mkdir(earlier)
    const earlierManifest = { ...manifest, migrations: manifest.migrations.slice(0, -1) }
    await writeFile(join(earlier, MANIFEST_FILE), JSON.stringify(earlierManifest))
    const ofOtherVersion = run('restore', earlier, untouched)
    assert.equal(ofOtherVersion.code, 1, ofOtherVersion.said)
    assert.match(ofOtherVersion.said, /another version of the server/)
    assert.deepEqual(await readdir(untouched), [], 'its own version can restore it there')

    await appendFile(join(copy, 'tables', 'users.copy.gz'), 'x')
    const other = await aFolder()
    copyPreparedData(other)
    const damaged = run('restore', copy, other)
    assert.equal(damaged.code, 1, damaged.said)
    assert.match(damaged.said, /^The file of users is damaged: unexpected end of file$/m)
    assert.doesNotMatch(damaged.said, /^ +at /m)
  })
})
