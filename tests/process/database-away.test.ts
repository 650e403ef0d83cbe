import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Embedded, startEmbedded } from '#server/database/embedded/launcher.ts'
import { eventually } from '#tests/support/eventually.ts'
import { taskBody } from '#tests/support/factories.ts'
import { type HttpUser, httpSignUp } from '#tests/support/http-client.ts'
import { copyPreparedData } from '#tests/support/prepared-data.ts'
import { childrenOf, signalProcess } from '#tests/support/processes.ts'
import { launchServerProcess, type ServerProcess } from '#tests/support/server-process.ts'

describe('while the database is down', () => {
  let folder = ''
  let embedded: Embedded
  let server: ServerProcess
  let buyer: HttpUser

  const startDatabase = () => startEmbedded({ dataDir: join(folder, 'database'), log: () => {} })

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallywork-away-'))
    copyPreparedData(join(folder, 'database'))
    embedded = await startDatabase()
    await embedded.stop()
  })
  after(async () => {
    await server.stop()
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const lists = ['/api/all-task', '/api/task-list-worker', '/api/get-all-user', '/api/site']
  const read = (path: string) => fetch(server.url + path)

  /** Stops all processes of PostgreSQL, the postmaster first: it starts none afterwards. Returns their ids. */
  function freeze(): number[] {
    signalProcess(embedded.pid, 'SIGSTOP')
    const children = childrenOf(embedded.pid)
    for (const pid of children) signalProcess(pid, 'SIGSTOP')
    return [embedded.pid, ...children]
  }

  async function expectOutage(): Promise<void> {
    // Each of these waits for the database until its time is over.
    const refused = await Promise.all([
      buyer.call('POST', '/add-task', taskBody({ slots: 1, reward: 10 })),
      buyer.call('GET', '/coin-role/away@example.com'),
    ])
    for (const { status, body } of refused) {
      assert.equal(status, 503)
      assert.match(JSON.stringify(body), /"code":"unavailable"/)
    }
    for (const path of lists) {
      const response = await read(path)
      assert.equal(response.status, 200, path)
      assert.ok(
        Number(response.headers.get('age')) >= 0 && response.headers.has('age'),
        `${path} says how old it is`,
      )
      assert.ok((await response.text()).length > 2)
    }
    assert.equal((await read('/readyz')).status, 503)
    assert.equal((await read('/healthz')).status, 200)
    assert.equal((await read('/metrics')).status, 200)
    const page = await read('/')
    if (existsSync('build/client/index.html')) assert.match(await page.text(), /<!doctype html>/i)
    assert.equal((await read('/api/all-task?q=never-asked-before')).status, 503)
  }

  async function expectToBeBack(): Promise<void> {
    await eventually(async () => (await read('/readyz')).status === 200)
    await eventually(async () => (await buyer.call('GET', '/coin-role/away@example.com')).status === 200)
    await eventually(async () => !(await read('/api/all-task')).headers.has('age'))
    await eventually(
      async () => (await buyer.call('POST', '/add-task', taskBody({ slots: 1, reward: 1 }))).status === 200,
    )
  }

  test('the server waits for a database that starts later', async () => {
    const env = { DATABASE_URL: embedded.connectionString, DEMO: '1', LOG_LEVEL: 'fatal' }
    const { serverProcess, ready } = await launchServerProcess({ dataDir: folder, env })
    server = serverProcess
    await eventually(() =>
      /The database does not accept connections yet \(.+\); waiting\./.test(server.output),
    )
    embedded = await startDatabase()
    await ready
    assert.equal((await read('/readyz')).status, 200)
    buyer = await httpSignUp(server.url, 'Buyer', 'away@example.com')
    assert.equal((await buyer.call('POST', '/add-task', taskBody({ slots: 1, reward: 10 }))).status, 200)
  })

  test('frozen: a clear 503, cached pages and public lists, and automatic recovery', async () => {
    for (const path of lists) assert.equal((await read(path)).status, 200)
    const frozen = freeze()
    try {
      await expectOutage()
    } finally {
      for (const pid of frozen) signalProcess(pid, 'SIGCONT')
    }
    await expectToBeBack()
  })

  test('stopped: a clear 503, cached pages and public lists, and recovery after a start', async () => {
    for (const path of lists) assert.equal((await read(path)).status, 200)
    await embedded.stop()
    await expectOutage()
    embedded = await startDatabase()
    await expectToBeBack()
    assert.doesNotMatch(server.output, /unexpected failure/)
    assert.ok((await readFile(join(folder, 'auth-secret'))).length > 0)
  })
})
