import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { eventually, jitter } from '#tests/support/eventually.ts'
import { copyData } from '#tests/support/prepared-data.ts'
import { type Embedded, startEmbedded } from './launcher.ts'
import { ownerOf } from './owner.ts'
import { runningServer } from './postmaster-pid.ts'
import { startTimeOf } from './process-identity.ts'
import { socketDirectory } from './socket.ts'

const base = mkdtempSync(path.join(tmpdir(), 'tallywork-launcher-'))
const started: (Embedded | ChildProcess)[] = []
let folders = 0

function newFolder(name = `data-${++folders}`): string {
  return path.join(base, name)
}

/** Returns a new folder with a cluster: to create one takes more processor time than all that a test does with it. */
function newCluster(name?: string): string {
  const folder = newFolder(name)
  mkdirSync(folder)
  copyData(path.join(base, 'created'), folder)
  return folder
}

async function start(dataDir: string, log: (line: string) => void = () => {}): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir, log })
  started.push(embedded)
  return embedded
}

/** Another process that starts the database of a directory and runs until it is stopped. */
async function startServerProcess(dataDir: string): Promise<{ program: ChildProcess; pid: number }> {
  const code = `
    import { startEmbedded } from ${JSON.stringify(path.join(import.meta.dirname, 'launcher.ts'))}
    const embedded = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} })
    process.once('SIGTERM', async () => { await embedded.stop(); process.exit() })
    process.stdout.write(embedded.pid + '\\n')
    setInterval(() => {}, 1000)`
  const program = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(program)
  const ended = once(program, 'exit').then(() =>
    assert.fail('the process ended before its database was ready'),
  )
  const [line] = (await Promise.race([once(program.stdout, 'data'), ended])) as [Buffer]
  ended.catch(() => {})
  return { program, pid: Number(line) }
}

async function ask(embedded: Embedded, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: embedded.connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    return Object.values((await client.query(sql)).rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

describe('the embedded database', () => {
  before(async () => {
    const first = await start(newFolder('created'))
    await ask(first, 'create table kept (n int)')
    await ask(first, 'insert into kept values (7)')
    await first.stop()
  })
  after(async () => {
    for (const one of started) 'stop' in one ? await one.stop() : one.kill('SIGKILL')
    rmSync(base, { recursive: true, force: true })
  })

  test('creates the cluster at the first start and reuses it at the second, on no network port and with acknowledged writes', async () => {
    const dataDir = path.join(base, 'created')
    assert.equal(runningServer(path.join(dataDir, 'postgres')), null)
    assert.deepEqual(readdirSync(dataDir).sort(), ['postgres', 'postgres.log'])

    const second = await start(dataDir)
    assert.equal(await ask(second, 'select n from kept'), 7)
    assert.equal(await ask(second, "select current_setting('listen_addresses')"), '')
    assert.equal(await ask(second, "select current_setting('fsync')"), 'on')
    assert.equal(await ask(second, "select current_setting('synchronous_commit')"), 'on')
    assert.equal(await ask(second, "select current_setting('TimeZone')"), 'UTC')
    assert.equal(await ask(second, "select upper('élan')"), 'ÉLAN')
    await second.stop()
  })

  test('restarts after it is killed', async () => {
    const lines: string[] = []
    const embedded = await start(newCluster(), (line) => lines.push(line))
    const killed = embedded.pid
    process.kill(killed, 'SIGKILL')
    await eventually(() => embedded.pid !== killed && startTimeOf(embedded.pid) !== null)
    assert.equal(await ask(embedded, 'select 1'), 1)
    assert.match(lines.join('\n'), /stopped unexpectedly.*running again/s)
    await embedded.stop()
    assert.equal(startTimeOf(embedded.pid), null)
  })

  test('stops while a restart is in progress', async () => {
    const dataDir = newCluster()
    for (let round = 0; round < 3; round++) {
      const embedded = await start(dataDir)
      process.kill(embedded.pid, 'SIGKILL')
      await jitter(160)
      await embedded.stop()
      assert.equal(runningServer(path.join(dataDir, 'postgres')), null)
    }
  })

  test('ends with its killed owner, and the next start works at once', async () => {
    const dataDir = newCluster()
    const { program, pid } = await startServerProcess(dataDir)
    program.kill('SIGKILL')
    const next = await start(dataDir)
    assert.notEqual(next.pid, pid)
    assert.equal(startTimeOf(pid), null)
    assert.equal(await ask(next, 'select 1'), 1)
    await next.stop()
  })

  test('is shared with another process and taken over when that process ends', async () => {
    const dataDir = newCluster()
    const { program, pid } = await startServerProcess(dataDir)
    const guest = await start(dataDir)
    assert.equal(guest.pid, pid)
    await guest.stop()
    assert.notEqual(startTimeOf(pid), null, 'a guest leaves the server alone')

    const heir = await start(dataDir)
    program.kill('SIGTERM')
    await eventually(() => heir.pid !== pid && startTimeOf(heir.pid) !== null)
    assert.equal(await ask(heir, 'select 1'), 1)
    await heir.stop()
  })

  test('is created once when two processes race on an empty directory', async () => {
    const dataDir = newFolder()
    const [one, other] = await Promise.all([startServerProcess(dataDir), startServerProcess(dataDir)])
    assert.equal(one.pid, other.pid)
    for (const { program } of [one, other]) {
      program.kill('SIGTERM')
      await once(program, 'exit')
    }
    assert.equal(runningServer(path.join(dataDir, 'postgres')), null)
  })

  test('starts although the process id of a dead server was reused', async () => {
    const dataDir = newCluster()
    const cluster = path.join(dataDir, 'postgres')
    const stranger = spawn('sleep', ['infinity'], { ...ownerOf(cluster) })
    started.push(stranger)
    const stale = `${stranger.pid}\n${cluster}\n1700000000\n5432\n${cluster}\n\n 1234567 0\nready   \n`
    writeFileSync(path.join(cluster, 'postmaster.pid'), stale)
    writeFileSync(path.join(cluster, '.s.PGSQL.5432.lock'), stale)
    const next = await start(dataDir)
    assert.equal(await ask(next, 'select 1'), 1)
    assert.equal(stranger.exitCode, null)
    await next.stop()
  })

  test('removes an unfinished cluster, and runs in a directory whose path is too long for a socket and has odd characters', async () => {
    const dataDir = newFolder(`${'long'.repeat(30)} & 100% 'strange' é`)
    mkdirSync(path.join(dataDir, 'postgres.new-1', 'base'), { recursive: true })
    const embedded = await start(dataDir)
    assert.equal(existsSync(path.join(dataDir, 'postgres.new-1')), false)
    assert.equal(await ask(embedded, 'select 1'), 1)
    await embedded.stop()
    const cluster = path.join(dataDir, 'postgres')
    rmSync(socketDirectory(cluster, ownerOf(cluster)), { recursive: true })
    const strange = await start(newCluster(`50% o'clock é`))
    assert.equal(await ask(strange, 'select 1'), 1)
    await strange.stop()
  })

  test('runs below a directory closed to its user', { skip: process.getuid?.() !== 0 }, async () => {
    const dataDir = newFolder('closed/data')
    mkdirSync(dataDir, { recursive: true })
    chmodSync(path.dirname(dataDir), 0o700)
    const embedded = await start(dataDir)
    assert.equal(await ask(embedded, 'select 1'), 1)
    await embedded.stop()
  })

  test('reports why it does not start', async () => {
    const occupied = newFolder()
    mkdirSync(path.join(occupied, 'postgres'), { recursive: true })
    writeFileSync(path.join(occupied, 'postgres', 'letter.txt'), 'Hello')
    await assert.rejects(start(occupied), /is not empty and contains no database/)

    const older = newFolder()
    mkdirSync(path.join(older, 'postgres'), { recursive: true })
    writeFileSync(path.join(older, 'postgres', 'PG_VERSION'), '16\n')
    await assert.rejects(start(older), /was created by PostgreSQL 16/)

    const broken = newCluster()
    writeFileSync(path.join(broken, 'postgres', 'postgresql.conf'), 'no_such_setting = 1\n')
    await assert.rejects(start(broken), /The database did not start: .*FATAL/)
    assert.equal(existsSync(path.join(broken, 'postgres.lock')), false)
    assert.ok(readFileSync(path.join(broken, 'postgres.log'), 'utf8').includes('no_such_setting'))
  })
})
