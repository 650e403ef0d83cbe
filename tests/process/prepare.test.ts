import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { CEILING_MS } from '#tests/support/eventually.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** The build of a small project: its page names the source and its asset, and it counts its runs. */
const BUILD_SCRIPT = `
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const source = readFileSync('web/app.txt', 'utf8')
const client = process.env.BUILD_DIRECTORY + '/client'
mkdirSync(client + '/assets', { recursive: true })
writeFileSync(client + '/index.html', source)
writeFileSync(client + '/assets/app-' + source + '.js', source)
appendFileSync('runs.txt', source + '\\n')
if (source === 'broken') throw new Error('This source does not compile')
`

describe('preparing a clone', () => {
  const folders: string[] = []
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  /** Returns the folder of a small project that has the scripts of this one. */
  function aClone(): string {
    const folder = mkdtempSync(join(tmpdir(), 'tallywork-clone-'))
    folders.push(folder)
    mkdirSync(join(folder, 'scripts'))
    cpSync(join(ROOT, 'scripts/prepare.mjs'), join(folder, 'scripts/prepare.mjs'))
    cpSync(join(ROOT, 'scripts/prepare'), join(folder, 'scripts/prepare'), { recursive: true })
    return folder
  }

  function aProject(): string {
    const folder = aClone()
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
    symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'))
    mkdirSync(join(folder, 'web'))
    writeFileSync(join(folder, 'react-router.config.ts'), '')
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ scripts: { 'build:files': 'node build.cjs' } }),
    )
    writeFileSync(join(folder, 'build.cjs'), BUILD_SCRIPT)
    return folder
  }

  function prepare(folder: string, purpose: string, env: Record<string, string> = {}) {
    const { PATH, HOME } = process.env
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(folder, 'scripts/prepare.mjs'), purpose],
      { cwd: folder, env: { PATH, HOME, ...env }, timeout: CEILING_MS },
    )
    return { code: status, output: `${stdout}${stderr}` }
  }

  const runs = (folder: string) => readFileSync(join(folder, 'runs.txt'), 'utf8').trim().split('\n')

  test('a port in use is reported before anything is installed or built', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const folder = aClone()
    const { code, output } = prepare(folder, 'start', { PORT: port })
    taken.close()
    assert.equal(code, 1)
    assert.match(output, new RegExp(`^Port ${port} .* already in use`))
    assert.deepEqual(readdirSync(folder), ['scripts'])
  })

  test('a wrong setting is reported after the packages are there and before anything is built', () => {
    const script = `import('./scripts/prepare/settings.mjs').then((settings) => settings.checkSettings())
      .catch((error) => console.log(error.message))`
    const { PATH, HOME } = process.env
    const check = (env: Record<string, string>) =>
      spawnSync(process.execPath, ['-e', script], {
        cwd: ROOT,
        encoding: 'utf8',
        env: { PATH, HOME, ...env },
        timeout: CEILING_MS,
      })
    assert.equal(check({}).stdout, '')
    assert.match(check({ TIME_ZONE: 'Mars/Base' }).stdout, /^Invalid settings:\n {2}TIME_ZONE: /)
    const { 1: steps = '' } =
      /start: \[(.+)\]/.exec(readFileSync(join(ROOT, 'scripts/prepare.mjs'), 'utf8')) ?? []
    assert.match(steps, /ensurePackages, checkSettings, ensureWebApp/)
  })

  test('changed sources need another build and another PUBLIC_URL none, the assets before are kept once, and a build that fails changes nothing', () => {
    const folder = aProject()
    const set = (source: string) => writeFileSync(join(folder, 'web/app.txt'), source)
    const asset = (source: string) => existsSync(join(folder, `build/client/assets/app-${source}.js`))
    set('one')
    for (const PUBLIC_URL of ['', 'https://a.example']) {
      const { code, output } = prepare(folder, 'build', { PUBLIC_URL })
      assert.equal(code, 0, output)
    }
    assert.deepEqual(runs(folder), ['one'])
    set('two')
    assert.equal(prepare(folder, 'build').code, 0)
    assert.deepEqual(runs(folder), ['one', 'two'])
    // A server may still run on the build before.
    assert.deepEqual([asset('one'), asset('two')], [true, true])
    assert.equal(prepare(folder, 'rebuild').code, 0)
    assert.deepEqual(runs(folder), ['one', 'two', 'two'])
    assert.deepEqual([asset('one'), asset('two')], [false, true])

    set('broken')
    const { code, output } = prepare(folder, 'build')
    assert.equal(code, 1)
    assert.match(output, /This source does not compile/)
    assert.equal(readFileSync(join(folder, 'build/client/index.html'), 'utf8'), 'two')
    assert.deepEqual(readdirSync(join(folder, '.prepare')), [])
    set('two')
    assert.equal(prepare(folder, 'build').code, 0)
    assert.deepEqual(runs(folder), ['one', 'two', 'two', 'broken'])
  })
})
