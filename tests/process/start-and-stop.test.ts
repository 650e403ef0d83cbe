import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readConfig } from '#server/config.ts'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { seedDemoData } from '#server/demo/seed.ts'
import { freshDatabase, openPooled, useDatabase } from '#tests/support/database.ts'
import { CEILING_MS, eventually } from '#tests/support/eventually.ts'
import { taskBody, testConfig } from '#tests/support/factories.ts'
import { httpSignIn, httpSignUp } from '#tests/support/http-client.ts'
import { anInstance } from '#tests/support/instance.ts'
import { openEventStream } from '#tests/support/live.ts'
import { copyPreparedData } from '#tests/support/prepared-data.ts'
import { RANDOM_SECRET } from '#tests/support/random-secret.ts'
import {
  childEnvironment,
  freePort,
  launchServerProcess,
  startServerProcess,
} from '#tests/support/server-process.ts'

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

const audit = (dataDir: string) =>
  spawnSync(process.execPath, ['server/ledger/audit-command.ts'], {
    cwd: ROOT,
    env: { ...childEnvironment(), DATA_DIR: dataDir },
    timeout: CEILING_MS,
  })

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
    const { code, said } = startWith({
      ...PRODUCTION,
      DATABASE_URL: url,
      DATA_DIR: await aFolder(),
      PORT: String(await freePort()),
    })
    assert.equal(code, 1)
    assert.match(said, /demo data/)
  })

  test('the server waits for a database that starts later', async () => {
    const dataDir = await aFolder()
    copyPreparedData(join(dataDir, 'database'))
    const made = await startEmbedded({ dataDir: join(dataDir, 'database'), log: () => {} })
    await made.stop()
    const env = { DATABASE_URL: made.connectionString, DEMO: '0' }
    const { serverProcess: server, ready } = await launchServerProcess({ dataDir, env })
    await eventually(() =>
      /The database does not accept connections yet \(.+\); waiting\./.test(server.output),
    )
    const late = await startEmbedded({ dataDir: join(dataDir, 'database'), log: () => {} })
    await ready
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
    await server.stop()
    await late.stop()
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

  test('after kill -9 in the middle of work, every acknowledged request is stored and the books balance', async () => {
    const dataDir = await aFolder()
    let server = await startServerProcess({ dataDir, env: { DEMO: '0' } })
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

    server = await startServerProcess({ dataDir, env: { DEMO: '0' } })
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
    const printed = server.output.length
    assert.equal(await server.stop(), 0)
    const output = server.output.slice(printed)
    assert.match(output, /Stopped\./)
    assert.doesNotMatch(output, /"level":(40|50)/, 'an orderly stop is nothing to warn of')

    const books = audit(dataDir)
    assert.equal(books.status, 0, String(books.stdout))
    assert.match(String(books.stdout), /The books balance/)
  })

  test('a server that other machines can connect to has no demo unless DEMO=1 is set; SIGTERM fails /readyz and serves on; Ctrl-C ends the wait, however often it is repeated', async () => {
    const server = await startServerProcess({
      env: {
        DATABASE_URL: await freshDatabase(),
        HOST: '0.0.0.0',
        AUTH_SECRET: RANDOM_SECRET,
        DRAIN_SECONDS: '60',
      },
    })
    for (const path of ['/dev/mail', '/metrics'])
      assert.equal((await fetch(`http://127.0.0.1:${server.port}${path}`)).status, 404, path)
    assert.deepEqual(await (await fetch(`${server.url}/api/get-all-user`)).json(), [])
    assert.match(server.output, /there is no demo unless DEMO=1 is set/)

    const readiness = async () => (await fetch(`${server.url}/readyz`)).status
    assert.equal(await readiness(), 200)
    const user = await httpSignUp(server.url, 'Buyer', 'drained@example.com')
    const stream = await openEventStream(server.url, await user.authorization())
    await eventually(() => stream.of('connected').length === 1)

    server.process.kill('SIGTERM')
    await eventually(async () => (await readiness()) === 503)
    const served = await fetch(`${server.url}/api/get-all-user`)
    assert.equal(served.status, 200)
    assert.notEqual(served.headers.get('connection'), 'close')
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
    assert.deepEqual(stream.of('closing'), [])

    const closed = once(server.process, 'close')
    for (let repeated = 0; repeated < 3; repeated++) server.process.kill('SIGINT')
    await stream.ended
    assert.deepEqual(stream.of('closing'), [{ reason: 'stopping' }])
    assert.deepEqual(await closed, [0, null])
    assert.match(server.output, /Stopped\./)
    await server.stop()
  })

  test('SIGTERM stops it in order from its first request on, before it is ready', async () => {
    const env = { PORT: '0', DATABASE_URL: await freshDatabase(), DEMO: '0', LOG_LEVEL: 'info' }
    const { serverProcess: server, ready } = await launchServerProcess({ env })
    const { process: child } = server
    const closed = once(child, 'close')
    let printed = ''
    child.stdout?.on('data', (text) => {
      const isListening = /Server listening/.test(printed)
      printed += text
      if (!isListening && /Server listening/.test(printed)) child.kill('SIGTERM')
    })
    assert.deepEqual(await closed, [0, null])
    await ready
    assert.match(server.output, /Stopping \(SIGTERM\).+ is ready at .+Stopped\./s)
    await server.stop()
  })

  test('production has no demo data, creates the first Admin by a link that works once, and logs in JSON', async () => {
    const env = { ...PRODUCTION, DATABASE_URL: await freshDatabase(), LOG_LEVEL: 'info' }
    const server = await startServerProcess({ env })
    try {
      const post = (path: string, body: unknown) =>
        fetch(`http://localhost:${server.port}/api${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      assert.equal((await post('/demo/try-as', { role: 'Admin' })).status, 404)
      const users = await (await fetch(`http://localhost:${server.port}/api/get-all-user`)).json()
      assert.deepEqual(users, [])

      const code = server.output.match(/#code=([\w-]+)/)?.[1] ?? ''
      const admin = { code, name: 'First Admin', email: 'admin@example.com', password: 'Secret!pass' }
      const [first, second] = await Promise.all([
        post('/setup', admin),
        post('/setup', { ...admin, email: 'second@example.com' }),
      ])
      assert.deepEqual([first.status, second.status].filter((status) => status === 201).length, 1)
      const third = await post('/setup', { ...admin, email: 'third@example.com' })
      assert.ok(third.status >= 400)

      assert.equal(await server.stop(), 0)
      const lines = server.output
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
      for (const { time, level, msg } of lines) assert.ok(time && level && msg)
      const requests = lines.filter(({ req }) => req !== undefined)
      assert.deepEqual(
        requests.map(({ req, res }) => `${req.url} ${res.statusCode}`).toSorted(),
        [
          '/api/demo/try-as 404',
          '/api/get-all-user 200',
          ...[first, second, third].map(({ status }) => `/api/setup ${status}`),
        ].toSorted(),
      )
    } finally {
      await server.stop()
    }
  })
})
