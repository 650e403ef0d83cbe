import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createSite } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { ERROR_GUIDE } from '#contract/error-guide.en.ts'
import { useApi } from '#tests/support/api.ts'
import { relayAll } from '#tests/support/api-events.ts'
import { aBuyer, aSubmission, aTask, aWorker, dayFromNow, type TestUser } from '#tests/support/factories.ts'
import { childEnvironment } from '#tests/support/server-process.ts'

const COMMAND = join(import.meta.dirname, '../../cli/tallywork.mjs')
const TASK = [
  'task',
  'create',
  '--title=Label ten photos',
  '--details=Name what each shows.',
  '--submission-info=Ten lines',
  '--slots=2',
  `--deadline=${dayFromNow(5)}`,
]

describe('the command-line client', () => {
  const api = useApi()
  const home = mkdtempSync(join(tmpdir(), 'tallywork-cli-'))
  const env = { ...childEnvironment(), XDG_CONFIG_HOME: home }
  let url: string
  let buyer: TestUser
  let key: string

  before(async () => {
    url = await api.instance.app.listen({ port: 0, host: '127.0.0.1' })
    buyer = await aBuyer(api.database, { coins: 200 })
    key = await aKey(['tasks', 'review'])
  })
  after(() => rmSync(home, { recursive: true, force: true }))

  async function aKey(scopes: string[], user = buyer): Promise<string> {
    const made = await api.as(user).post('/api-keys', { name: 'Terminal', scopes, expiresInDays: 1 })
    return made.body.secret
  }

  /** Runs the command as a process of its own. */
  async function run(args: string[], input = '', environment = env) {
    const child = spawn(process.execPath, [COMMAND, ...args], { env: environment })
    child.stdin.end(input)
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { code: child.exitCode, stdout, stderr }
  }
  const logIn = (secret = key, email = buyer.email) =>
    run(['login', '--url', url, '--email', email], `${secret}\n`)
  /** Stores a login as the command does, which costs a process less. */
  function storeLogin(login = { url, email: buyer.email, key }): void {
    mkdirSync(join(home, 'tallywork'), { recursive: true })
    writeFileSync(join(home, 'tallywork/login.json'), JSON.stringify(login))
  }
  async function json(args: string[]) {
    const { code, stdout, stderr } = await run([...args, '--json'])
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }

  /** A connection to the server that can be cut. */
  async function aProxy(port: number) {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      const upstream = connect(port, '127.0.0.1')
      for (const each of [socket, upstream]) sockets.add(each.on('error', () => {}))
      socket.pipe(upstream).pipe(socket)
      socket.once('close', () => upstream.destroy())
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const cut = () => {
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    }
    const close = async () => {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    }
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut, close }
  }

  test('stores the key in a file that only its user can read', async () => {
    const { code, stdout, stderr } = await logIn()
    assert.equal(code, 0, stderr)
    assert.equal(stdout, `Logged in to ${url} as ${buyer.email}.\n`)
    assert.equal(statSync(join(home, 'tallywork/login.json')).mode & 0o777, 0o600)
  })

  test('posts a task once per idempotency key, lists it, and approves work on it', async () => {
    await logIn()
    const create = [...TASK, '--reward=5', '--idempotency-key=order-4711']
    const { insertedId } = await json(create)
    assert.equal((await json(create)).insertedId, insertedId)

    const tasks = await json(['task', 'list', '--limit=1'])
    assert.deepEqual([tasks.items[0]._id, tasks.nextCursor], [insertedId, null])
    const listed = await run(['task', 'list'])
    assert.match(listed.stdout, /^ID +DEADLINE +COINS +SLOTS +TITLE\n/)
    assert.ok(listed.stdout.includes(insertedId) && listed.stdout.includes('Label ten photos'))

    const submission = await aSubmission(api.database, insertedId, await aWorker(api.database))
    const pending = await json(['submissions', 'list'])
    assert.deepEqual(
      pending.items.map((one: { _id: string }) => one._id),
      [submission],
    )
    const approved = { id: submission, changed: true, error: null }
    assert.deepEqual(await json(['submissions', 'approve', submission]), [approved])
    assert.deepEqual(await json(['submissions', 'approve', submission]), [{ ...approved, changed: false }])
    assert.deepEqual((await json(['submissions', 'list'])).items, [])
  })

  test('pages through a list with the cursor that it prints', async () => {
    storeLogin()
    for (const title of ['One', 'Two']) await aTask(api.database, buyer, { title, reward: 1, slots: 1 })
    const first = await json(['task', 'list', '--limit=1'])
    const shown = await run(['task', 'list', '--limit=1'])
    assert.ok(shown.stdout.endsWith(`\n\nMore: --cursor ${first.nextCursor}\n`))
    const second = await json(['task', 'list', '--limit=1', `--cursor=${first.nextCursor}`])
    assert.notEqual(second.items[0]._id, first.items[0]._id)
  })

  test('follows events, also across a broken connection, and resumes after the last one', async () => {
    const proxy = await aProxy(Number(new URL(url).port))
    const other = await aBuyer(api.database)
    storeLogin({ url: proxy.url, email: other.email, key: await aKey(['events'], other) })
    const taskId = await aTask(api.database, other, { reward: 1, slots: 5 })
    const submit = async () => {
      const id = await aSubmission(api.database, taskId, await aWorker(api.database))
      await relayAll(api.database)
      return id
    }
    const followers: ChildProcess[] = []
    function follow(...args: string[]) {
      const child = spawn(process.execPath, [COMMAND, 'events', 'follow', ...args], { env })
      followers.push(child)
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      return async () => (await lines.next()).value ?? ''
    }
    try {
      const nextLine = follow('--json', '--after=0')
      const first = await submit()
      const { lastEventId, event } = JSON.parse(await nextLine())
      assert.deepEqual([event.type, event.data.submissionId], ['submission.received', first])
      proxy.cut()
      const second = await submit()
      assert.equal(JSON.parse(await nextLine()).event.data.submissionId, second)

      const line = await follow('--after', lastEventId)()
      assert.match(line, /^\d{4}-.+Z {2}\d+ {2}submission\.received {2}\{/)
      assert.ok(line.includes(second))
    } finally {
      const ended = followers.map((child) => once(child, 'close'))
      for (const child of followers) child.kill()
      await Promise.all(ended)
      await proxy.close()
    }
  })

  test('cannot follow events without their scope', async () => {
    storeLogin()
    const { code, stderr } = await run(['events', 'follow'])
    assert.equal(code, 1)
    assert.match(stderr, /scope_missing/)
  })

  test('reports a refusal with its code and its remedy, and exits with 1', async () => {
    storeLogin()
    const expensive = [...TASK, '--reward=1000000']
    const refused = await run(expensive)
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.match(refused.stderr, /^error: .+ \(insufficient_coins\)\n/)
    assert.ok(refused.stderr.includes(ERROR_GUIDE.insufficient_coins.remedy))

    const { error } = JSON.parse((await run([...expensive, '--json'])).stderr)
    assert.deepEqual(
      [error.code, error.remedy],
      ['insufficient_coins', ERROR_GUIDE.insufficient_coins.remedy],
    )
    const unknown = '01938c00-0000-7000-8000-000000000001'
    const several = await run(['submissions', 'approve', unknown, unknown])
    assert.equal(several.code, 1)
    assert.equal(several.stdout.match(/submission_not_found/g)?.length, 2)
  })

  test('prints the approvals before a failure that stops the others', async () => {
    let approvals = 0
    const site = createSite((request, response) => {
      const isRefused = request.method !== 'GET' && ++approvals > 1
      const reply = request.method === 'GET' ? { coin: 1 } : { acknowledged: true, modifiedCount: 1 }
      const error = { code: 'too_many_requests', message: 'Too many requests.' }
      response.writeHead(isRefused ? 429 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isRefused ? { error } : reply))
    })
    site.listen(0, '127.0.0.1')
    await once(site, 'listening')
    try {
      const { port } = site.address() as AddressInfo
      storeLogin({ url: `http://127.0.0.1:${port}`, email: buyer.email, key })
      const stopped = await run(['submissions', 'approve', 'first', 'second', 'third'])
      assert.deepEqual([stopped.code, stopped.stdout], [4, 'first: approved\n'])
      assert.match(stopped.stderr, /^error: Too many requests\. \(too_many_requests\)\n/)

      approvals = 0
      const { code, stdout, stderr } = await run(['submissions', 'approve', 'first', 'second', '--json'])
      assert.deepEqual([code, JSON.parse(stdout)], [4, [{ id: 'first', changed: true, error: null }]])
      assert.equal(JSON.parse(stderr).error.code, 'too_many_requests')
    } finally {
      const closed = once(site, 'close')
      site.close()
      await closed
    }
  })

  test('takes options before and between the words of a command', async () => {
    storeLogin()
    await aTask(api.database, buyer, { reward: 1, slots: 1 })
    const [listed] = (await json(['task', 'list', '--limit=1'])).items
    for (const args of [
      ['--json', 'task', 'list', '--limit', '1'],
      ['--limit', '1', '--json', 'task', 'list'],
      ['task', '--json', '--limit=1', 'list'],
    ]) {
      const { stdout, stderr } = await run(args)
      assert.equal(stderr, '', args.join(' '))
      assert.equal(JSON.parse(stdout).items[0]._id, listed._id, args.join(' '))
    }
    const submission = await aSubmission(api.database, listed._id, await aWorker(api.database))
    const approved = await run(['--json', 'submissions', 'approve', submission])
    assert.equal(JSON.parse(approved.stdout)[0].changed, true)
  })

  test('reports wrong usage with 2', async () => {
    const wrong = [
      [],
      ['task'],
      ['task', 'remove'],
      ['--json'],
      ['task', 'list', '--no-such-option'],
      [...TASK, '--reward=many'],
      [...TASK, '--reward=5', 'ten', 'photos'],
      ['task', 'list', 'of', 'mine'],
      ['submissions', 'approve'],
      ['submissions', 'list', '--status=lost'],
      ['events', 'follow', '--after=yesterday'],
      ['login', '--url', 'http://work.example.com', '--email', buyer.email],
      ['login', '--url', `${url}/#top`, '--email', buyer.email],
      ['login', '--url', `${url}/?lang=bn`, '--email', buyer.email],
      ['login', '--url', url.replace('//', '//me:hunter2@'), '--email', buyer.email],
    ]
    await Promise.all(
      wrong.map(async (args) => {
        const { code, stderr, stdout } = await run(args, key)
        assert.equal(code, 2, args.join(' '))
        assert.match(args.length === 0 ? stdout : stderr, /tallywork/)
        assert.doesNotMatch(stderr, /hunter2/)
      }),
    )
    assert.equal((await run(['--help'])).code, 0)
  })

  test('reports a key that is unknown, of another user or missing, and keeps the stored login', async () => {
    await logIn()
    assert.equal((await logIn('tw_unknown')).code, 3)
    const stranger = await logIn(key, 'somebody@example.com')
    assert.equal(stranger.code, 1)
    assert.match(stranger.stderr, /not_yours/)
    assert.equal((await run(['task', 'list'])).code, 0)

    assert.equal((await logIn(await aKey(['payments:read']))).code, 0)
    const refused = await run(['task', 'list'])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /scope tasks.+\(scope_missing\)/)

    rmSync(join(home, 'tallywork'), { recursive: true })
    const missing = await run(['task', 'list'])
    assert.equal(missing.code, 3)
    assert.match(missing.stderr, /tallywork login/)
  })

  test('refuses to log in to a site that responds to every path with a page', async () => {
    const site = createSite((_request, response) =>
      response.setHeader('content-type', 'text/html').end('Hello'),
    )
    site.listen(0, '127.0.0.1')
    await once(site, 'listening')
    try {
      const { port } = site.address() as AddressInfo
      const { code, stderr } = await run(
        ['login', '--url', `http://127.0.0.1:${port}`, '--email', buyer.email],
        key,
      )
      assert.equal(code, 1)
      assert.match(stderr, /^error: There is no API at this URL\. \(http_200\)\n/)
    } finally {
      const closed = once(site, 'close')
      site.close()
      await closed
    }
  })

  test('reports a login file that cannot be read or written with 3', async () => {
    const file = join(home, 'a-file')
    writeFileSync(file, '')
    for (const args of [
      ['task', 'list'],
      ['login', '--url', url, '--email', buyer.email],
    ]) {
      const { code, stderr } = await run(args, key, { ...env, XDG_CONFIG_HOME: file })
      assert.equal(code, 3, args.join(' '))
      assert.match(stderr, /^error: System error: ENOTDIR.+a-file\/tallywork.+ \(system_error\)\n/)
    }
  })

  test('reports a server that cannot be reached with 4, and how to post the task only once', async () => {
    storeLogin()
    await api.instance.app.close()
    const { code, stderr } = await run([...TASK, '--reward=5', '--idempotency-key=order-4712'])
    assert.equal(code, 4)
    assert.match(stderr, /--idempotency-key order-4712/)
  })
})
