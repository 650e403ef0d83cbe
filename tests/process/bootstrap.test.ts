import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname, '..', '..')
const readJson = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

type Locked = { version: string; integrity: string }
type Bootstrap = { manifest: object; lockfile: { packages: Record<string, Locked> } }
type Platform = { libc?: string[] }
// Plain JavaScript, because it runs before the packages are installed.
const { bootstrapLockfile, isNeededHere } = (await import(
  pathToFileURL(join(ROOT, 'scripts/prepare/lockfile.mjs')).href
)) as { bootstrapLockfile: (name: string) => Bootstrap; isNeededHere: (entry: Platform) => boolean }

/** What a registry sends in place of every package. */
const FORGED = readFileSync(join(ROOT, 'package.json'))

describe('fetching Node and npm for an older Node', () => {
  const names = Object.keys(readJson('package.json').optionalDependencies).filter((name) =>
    name.startsWith('node-'),
  )
  let folder = ''
  const registry = createServer((request, response) => {
    const name = (request.url ?? '').slice(1)
    if (name.endsWith('.tgz')) {
      response.end(FORGED)
      return
    }
    const integrity = `sha512-${createHash('sha512').update(FORGED).digest('base64')}`
    const tarball = `http://${request.headers.host}/${name}.tgz`
    const { version } = bootstrapLockfile(names[0] ?? '').lockfile.packages[`node_modules/${name}`] ?? {}
    const versions = { [version ?? '']: { name, version, dist: { tarball, integrity } } }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  })

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tallywork-bootstrap-'))
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  })
  after(() => {
    registry.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('each has the hash and version of the lockfile', () => {
    const { packages } = readJson('package-lock.json')
    assert.ok(names.length >= 4)
    for (const name of names) {
      const place = `node_modules/${name}`
      const { '': _, ...locked } = bootstrapLockfile(name).lockfile.packages
      assert.deepEqual(Object.keys(locked), [place, 'node_modules/npm'])
      assert.equal(locked[place]?.version, packages[place].version)
      assert.equal(locked[place]?.integrity, packages[place].integrity)
      for (const { integrity } of Object.values(locked)) assert.match(integrity, /^sha512-[\w+/]{86}==$/)
    }
    assert.throws(() => bootstrapLockfile('unknown'), /no hash of unknown/)
  })

  test('a package with another hash is not installed', async () => {
    const own = names.find((name) => name.includes(`${process.platform}-${process.arch}`)) ?? ''
    const { manifest, lockfile } = bootstrapLockfile(own)
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockfile))
    const { port } = registry.address() as AddressInfo
    const options = ['--ignore-scripts', '--fetch-retries=0', `--cache=${join(folder, 'cache')}`]
    const output = await new Promise<string>((resolve) =>
      execFile(
        'npm',
        ['ci', ...options, `--registry=http://127.0.0.1:${port}/`],
        { cwd: folder },
        (error, stdout, stderr) => resolve(error === null ? `installed: ${stdout}` : stderr),
      ),
    )
    assert.match(output, /EINTEGRITY/)
  })
})

test('what is needed of the lockfile is installed, with the binaries for the libc of this machine', () => {
  const locked = Object.entries<Platform>(readJson('package-lock.json').packages)
  const needed = locked
    .filter(([place, entry]) => place !== '' && isNeededHere(entry))
    .map(([place]) => place)
  const installed = readJson('node_modules/.package-lock.json').packages
  assert.deepEqual(
    needed.filter((place) => !(place in installed)),
    [],
  )
  const binaries = locked.filter(([place, { libc }]) => libc !== undefined && place in installed)
  assert.ok(binaries.length > 0)
  assert.deepEqual(
    binaries.filter(([place]) => !needed.includes(place)),
    [],
  )
})

test('install scripts of packages do not run', () => {
  assert.match(readFileSync(join(ROOT, '.npmrc'), 'utf8'), /^ignore-scripts=true$/m)
  const script = readFileSync(join(ROOT, 'scripts/prepare/install.mjs'), 'utf8')
  const installs = [...script.matchAll(/'ci',[^\]]*/g)]
  assert.ok(installs.length > 0)
  for (const [options] of installs) assert.match(options, /'--ignore-scripts'/)
})
