import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '#server/config.ts'
import { seedDemoData } from '#server/demo/seed.ts'
import { audit } from '#server/ledger/audit.ts'
import { start } from '#server/start.ts'
import { freshDatabase, openPooled, useDatabase } from '#tests/support/database.ts'
import { inEmbedded } from '#tests/support/embedded-server.ts'
import { CEILING_MS, eventually } from '#tests/support/eventually.ts'
import { taskBody, testConfig } from '#tests/support/factories.ts'
import { httpSignIn, httpSignUp } from '#tests/support/http-client.ts'
import { anInstance } from '#tests/support/instance.ts'
import { openEventStream } from '#tests/support/live.ts'
import { RANDOM_SECRET } from '#tests/support/random-secret.ts'
import { childEnvironment, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Starts the server with bad settings and returns its exit. */
function startWith(env: Record<string, string>) {
  const done = spawnSync(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    env: { ...childEnvironment(), ...env },
    timeout: CEILING_MS,
  })
  return { code: done.status, said: `${done.stdout}${done.stderr}` }
}

/** Everything that production asks for; the sandbox by name. */
const PRODUCTION = {
  NODE_ENV: 'production',
  AUTH_SECRET: RANDOM_SECRET,
  PUBLIC_URL: 'https://work.example.com',
  MAIL: 'folder',
  CARD_PROVIDER: 'sandbox',
  ALLOW_SANDBOX: '1',
}

function isAccepted(zone: string): boolean {
  try {
    return readConfig({ TIME_ZONE: zone }).timeZone === zone
  } catch {
    return false
  }
}

// A signal before the server is ready: tests/process/migrations.test.ts.
describe('starting and stopping the server', () => {
  const db = useDatabase()
  const folders: string[] = []
  const aFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tallywork-start-'))
    folders.push(folder)
    return folder
  }
  after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

  test('a wrong setting is refused with a message that names it', () => {
    for (const [name, value] of [
      ['PORT', 'abc'],
      ['PORT', '70000'],
      ['DATABASE_URL', 'mysql://x/y'],
      ['PUBLIC_URL', 'ftp://x'],
      ['LOG_LEVEL', 'loud'],
      ['DEMO', 'yes'],
      ['TIME_ZONE', 'Mars/Base'],
      ['TIME_ZONE', '+06:00'],
      ['TIME_ZONE', 'BST'],
    ] as const)
      assert.throws(() => readConfig({ [name]: value }), new RegExp(name))
  })

  test('an accepted time zone has the same local times in the server and in the database', async () => {
    const { rows } = await db.owner.query<{ name: string; times: string[] }>(
      `select name, array(select to_char(time at time zone name, 'YYYY-MM-DD HH24:MI')
                            from unnest('{2022-01-15T12:00Z,2022-07-15T12:00Z}'::timestamptz[]) as time) as times
         from (select name from pg_timezone_names union select abbrev from pg_timezone_abbrevs
               union select * from unnest('{UTC,+06:00,-06}'::text[])) as zones`,
    )
    const accepted = rows.filter(({ name }) => isAccepted(name))
    assert.ok(accepted.length > 400)
    for (const { name, times } of accepted) {
      const local = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'short', timeZone: name })
      const inServer = ['2022-01-15T12:00Z', '2022-07-15T12:00Z'].map((time) => local.format(new Date(time)))
      assert.deepEqual(times, inServer, name)
    }
  })

  test('production refuses to be without its required settings, and names them', () => {
    for (const name of ['AUTH_SECRET', 'PUBLIC_URL', 'MAIL', 'CARD_PROVIDER', 'ALLOW_SANDBOX'])
      assert.throws(
        () => readConfig({ ...PRODUCTION, [name]: '' }),
        name === 'MAIL' ? /SMTP_URL/ : new RegExp(name),
      )
  })

  test('a wrong and a missing setting stop the start with their message and no stack trace', () => {
    for (const [env, message] of [
      [{ TIME_ZONE: 'Mars/Base' }, /TIME_ZONE/],
      [{ ...PRODUCTION, AUTH_SECRET: '' }, /AUTH_SECRET is missing/],
    ] as const) {
      const { code, said } = startWith({ ...env, DATA_DIR: '/nonexistent' })
      assert.equal(code, 1)
      assert.match(said, message)
      assert.doesNotMatch(said, /\n\s+at /, 'no stack trace')
    }
  })

  test('a public origin without NODE_ENV has no demo, no mail page and no open metrics', async () => {
    const config = readConfig({ ...PRODUCTION, NODE_ENV: '', DATA_DIR: await aFolder() })
    const { app, close } = await anInstance(db.database, config)
    try {
      const demo = await app.inject({ method: 'POST', url: '/api/demo/try-as', payload: { role: 'Admin' } })
      assert.equal(demo.statusCode, 404)
      assert.equal(demo.headers['set-cookie'], undefined)
      for (const path of ['/dev/mail', '/metrics'])
        assert.equal((await app.inject(path)).statusCode, 404, path)
    } finally {
      await close()
    }
  })

  test('production refuses a database with demo data', async () => {
    const url = await freshDatabase()
    const database = openPooled(url)
    await seedDemoData(database, testConfig, () => {})
    await database.close()
    const config = readConfig({ ...PRODUCTION, PORT: '0', DATABASE_URL: url, DATA_DIR: await aFolder() })
    await assert.rejects(
      start(config, () => {}),
      /demo data/,
    )
  })

  test('a port in use is reported before anything else happens', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' ? address?.port : 0
    const dataDir = await aFolder()
    const { code, said } = startWith({ PORT: String(port), DATA_DIR: dataDir, DEMO: '0' })
    taken.close()
    assert.equal(code, 1)
    assert.match(said, new RegExp(`Port ${port} .* already in use`))
    assert.deepEqual(await readdir(dataDir), [], 'it is said before a database is made')
  })
})

describe('a server that is killed, started again in production and stopped', () => {
  let dataDir = ''
  let server: ServerProcess
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tallywork-killed-'))
    const env = { HOST: '0.0.0.0', AUTH_SECRET: RANDOM_SECRET }
    server = await startServerProcess({ dataDir, env })
  })
  after(async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`)
  const post = (path: string, body: unknown) =>
    fetch(`http://127.0.0.1:${server.port}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const registered = async () => {
    const users = (await (await get('/api/get-all-user')).json()) as { email: string }[]
    return users.map(({ email }) => email).toSorted()
  }

  test('where other machines can connect there is no demo unless DEMO=1 is set', async () => {
    for (const path of ['/dev/mail', '/metrics']) assert.equal((await get(path)).status, 404, path)
    assert.deepEqual(await registered(), [])
    assert.match(server.output, /there is no demo unless DEMO=1 is set/)
  })

  test('after kill -9 in the middle of work, every acknowledged request is stored and the books balance', async () => {
    const buyer = await httpSignUp(server.url, 'Buyer', 'buyer@example.com')
    const worker = await httpSignUp(server.url, 'Worker', 'worker@example.com')
    const acknowledged: string[] = []
    const posting = Array.from({ length: 40 }, async (_, index) => {
      const { status, body } = await buyer.call(
        'POST',
        '/add-task',
        taskBody({ slots: 1, reward: 1, title: `Task ${index}` }),
      )
      if (status === 200) acknowledged.push((body as { insertedId: string }).insertedId)
    })
    const settled = Promise.allSettled(posting)
    await eventually(() => acknowledged.length > 0)
    const killed = once(server.process, 'exit')
    server.process.kill('SIGKILL')
    await Promise.all([killed, settled])

    const env = { ...PRODUCTION, LOG_LEVEL: 'info', DRAIN_SECONDS: '60' }
    server = await startServerProcess({ dataDir, env })
    const again = await httpSignIn(server.url, buyer.email)
    const { body } = await again.call('GET', `/my-task/${buyer.email}`)
    const there = (body as { _id: string }[]).map((task) => task._id)
    assert.deepEqual(
      acknowledged.filter((id) => !there.includes(id)),
      [],
    )
    const { body: coins } = await again.call('GET', `/coin-role/${buyer.email}`)
    assert.equal((coins as { coin: number }).coin, 50 - there.length)

    const workerAgain = await httpSignIn(server.url, worker.email)
    const done = await workerAgain.call('POST', '/submiteted-task', {
      taskId: there[0],
      submissoin_data: 'done',
      status: 'approved',
    })
    assert.equal(done.status, 200)
    assert.ok((await inEmbedded(dataDir, audit)).balanced)
  })

  test('production has no demo data, and creates the first Admin by a link that works once', async () => {
    assert.equal((await post('/demo/try-as', { role: 'Admin' })).status, 404)
    assert.deepEqual(await registered(), ['buyer@example.com', 'worker@example.com'])

    const code = server.output.match(/#code=([\w-]+)/)?.[1] ?? ''
    const admin = { code, name: 'First Admin', email: 'admin@example.com', password: 'Secret!pass' }
    const [first, second] = await Promise.all([
      post('/setup', admin),
      post('/setup', { ...admin, email: 'second@example.com' }),
    ])
    assert.deepEqual([first.status, second.status].filter((status) => status === 201).length, 1)
    const third = await post('/setup', { ...admin, email: 'third@example.com' })
    assert.ok(third.status >= 400)
    const setups = () => requestsIn(linesOf(server)).filter((request) => request.startsWith('/api/setup '))
    const expected = [first, second, third].map(({ status }) => `/api/setup ${status}`)
    await eventually(() => setups().length >= expected.length)
    assert.deepEqual(setups().toSorted(), expected.toSorted())
  })

  test('SIGTERM fails /readyz and serves on; Ctrl-C ends the wait, however often it is repeated, in order', async () => {
    const readiness = async () => (await get('/readyz')).status
    assert.equal(await readiness(), 200)
    const user = await httpSignIn(server.url, 'buyer@example.com')
    const stream = await openEventStream(server.url, await user.authorization())
    await eventually(() => stream.of('connected').length === 1)

    const printed = linesOf(server).length
    server.process.kill('SIGTERM')
    await eventually(async () => (await readiness()) === 503)
    const served = await get('/api/get-all-user')
    assert.equal(served.status, 200)
    assert.notEqual(served.headers.get('connection'), 'close')
    assert.equal((await get('/healthz')).status, 200)
    assert.deepEqual(stream.of('closing'), [])

    const closed = once(server.process, 'close')
    for (let repeated = 0; repeated < 3; repeated++) server.process.kill('SIGINT')
    await stream.ended
    assert.deepEqual(stream.of('closing'), [{ reason: 'stopping' }])
    assert.deepEqual(await closed, [0, null])
    const lines = linesOf(server)
    assert.equal(lines.at(-1)?.msg, 'Stopped.')
    for (const { level, msg } of lines.slice(printed))
      assert.ok(level < 40, `an orderly stop is nothing to warn of: ${msg}`)
  })

  test('production logs in JSON', () => {
    const lines = linesOf(server)
    for (const { time, level, msg } of lines) assert.ok(time && level && msg)
    const requests = requestsIn(lines)
    for (const request of [
      '/api/demo/try-as 404',
      '/api/coin-role/buyer@example.com 200',
      '/api/submiteted-task 200',
    ])
      assert.equal(requests.filter((logged) => logged === request).length, 1, request)
  })
})

type LogLine = {
  time: number
  level: number
  msg: string
  req?: { url: string }
  res?: { statusCode: number }
}

/** Returns what a server in production has printed. */
const linesOf = ({ output }: ServerProcess): LogLine[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** Returns the URL and the status of each logged request. */
const requestsIn = (lines: LogLine[]) =>
  lines.flatMap(({ req, res }) => (req === undefined ? [] : [`${req.url} ${res?.statusCode}`]))
