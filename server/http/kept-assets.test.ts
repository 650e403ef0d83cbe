import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { useDatabase } from '#tests/support/database.ts'
import { anInstance, type Instance } from '#tests/support/instance.ts'

describe('the assets of several versions', () => {
  const db = useDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'tallywork-versions-'))
  const instances: Instance[] = []
  after(async () => {
    for (const instance of instances) await instance.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Starts an instance of a version whose pages have one script of its own and one of all versions. */
  async function start(version: string, dataDir = join(folder, 'data')) {
    const webDir = join(folder, version)
    mkdirSync(join(webDir, 'assets'), { recursive: true })
    writeFileSync(join(webDir, 'index.html'), `<script src="/assets/${version}.js"></script>`)
    for (const name of [version, 'shared']) writeFileSync(join(webDir, 'assets', `${name}.js`), name)
    writeFileSync(join(webDir, 'assets', `${version}.js.gz`), gzipSync(version))
    const instance = await anInstance(db.database, { production: true, webDir, dataDir })
    instances.push(instance)
    const get = (url: string, headers = {}) => instance.app.inject({ url, headers })
    return { get, statusOf: async (name: string) => (await get(`/assets/${name}.js`)).statusCode }
  }

  test('are served by each instance with the same data directory, also by one that was started before', async () => {
    const older = await start('older')
    assert.equal(await older.statusOf('newer'), 404)
    const newer = await start('newer')
    for (const { get } of [older, newer])
      for (const version of ['older', 'newer', 'shared']) {
        const { headers, body } = await get(`/assets/${version}.js`)
        assert.equal(body, version)
        assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
        assert.equal(headers['content-security-policy'], undefined)
      }
    const compressed = await older.get('/assets/newer.js', { 'accept-encoding': 'gzip' })
    assert.equal(compressed.headers['content-encoding'], 'gzip')
    assert.equal((await older.get('/web-builds.json')).statusCode, 404)
  })

  test('are deleted when three other versions have started since', async () => {
    const dataDir = join(folder, 'upgraded')
    for (const version of ['1', '2', '3', '1']) await start(version, dataDir)
    const last = await start('4', dataDir)
    for (const [name, status] of [
      ['1', 200],
      ['2', 404],
      ['3', 200],
      ['4', 200],
      ['shared', 200],
    ] as const)
      assert.equal(await last.statusOf(name), status, name)
    assert.deepEqual(
      readdirSync(join(dataDir, 'web', 'assets'))
        .filter((name) => !name.endsWith('.gz'))
        .toSorted(),
      ['1.js', '3.js', '4.js', 'shared.js'],
    )
  })

  test('of the own version are served where they cannot be kept', async () => {
    const dataDir = join(folder, 'file')
    writeFileSync(dataDir, 'a file where a folder is expected')
    assert.equal(await (await start('alone', dataDir)).statusOf('alone'), 200)
  })
})
