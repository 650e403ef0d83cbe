import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/database/database.ts'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { openSigningKeys } from '#server/identity/signing-keys.ts'
import { freePort } from '#tests/support/server-process.ts'

/**
 * Opens live pages of as many people on one instance and says what they cost: `node tests/load/connections.ts [10000]`.
 * Prints memory and processor time of the server, and how long an event takes from its commit to the page.
 */
const PEOPLE = Number(process.argv[2] ?? 10_000)
const OPENING_AT_ONCE = 100
const SECRET = 'a secret of this measurement, long enough'

if (process.env.FILES_RAISED === undefined) {
  // A connection is an open file; the limit is raised for this process and its children.
  const again = spawn(
    '/bin/sh',
    [
      '-c',
      'ulimit -n "$(ulimit -Hn)"; exec "$0" "$@"',
      process.execPath,
      import.meta.filename,
      String(PEOPLE),
    ],
    { stdio: 'inherit', env: { ...process.env, FILES_RAISED: '1' } },
  )
  const [code] = await once(again, 'exit')
  process.exit(code ?? 1)
}

const dataDir = mkdtempSync(join(tmpdir(), 'tallywork-connections-'))
const embedded = await startEmbedded({ dataDir, log: () => {} })
const port = await freePort()
const env = {
  PORT: String(port),
  DATA_DIR: dataDir,
  DATABASE_URL: embedded.connectionString,
  AUTH_SECRET: SECRET,
  DEMO: '0',
  LOG_LEVEL: 'error',
}
const server = spawn(process.execPath, ['server/main.ts'], {
  cwd: join(import.meta.dirname, '..', '..'),
  env: { PATH: process.env.PATH, ...env },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const pid = server.pid ?? 0
for await (const line of server.stdout) if (/ is ready at /.test(String(line))) break
server.stdout.resume()

const database = openDatabase({ connectionString: embedded.connectionString }, { max: 4, prepare: true })
const keys = await openSigningKeys(database, readConfig(env))
const ids = Array.from({ length: PEOPLE }, () => randomUUID())
for (let from = 0; from < PEOPLE; from += 500) {
  const some = ids.slice(from, from + 500)
  await database.pool.query(
    `insert into identities (id, name, email, email_key)
     select id, 'User', id || '@example.com', id || '@example.com' from unnest($1::uuid[]) as users (id)`,
    [some],
  )
  await database.pool.query(
    database.functions.qualify(
      `select register_user(id, 'Worker', name, email, email_key, '', 10, 0) from identities where id = any ($1)`,
    ),
    [some],
  )
  await database.pool.query(
    `insert into sessions (id, identity_id, secret_hash, expires_at)
     select id, id, uuid_send(id), now() + interval '1 day' from unnest($1::uuid[]) as users (id)`,
    [some],
  )
}

const before = usage()
print('server before', `${before.rssMb} MB`)

const latencies: number[] = []
const taskLatencies: number[] = []
let connected = 0
let closed = 0
const sockets: Socket[] = []

function open(id: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    socket.setNoDelay(true)
    socket.setEncoding('utf8')
    socket.once('error', reject)
    socket.once('close', () => {
      closed++
    })
    socket.write(
      `GET /api/live?tasks=true HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\nx-user: ${id}\r\n\r\n`,
    )
    let seen = false
    socket.on('data', (chunk) => {
      const now = Date.now()
      const text = String(chunk)
      if (!seen && text.includes('event: connected')) {
        seen = true
        connected++
        resolve()
      } else if (!seen && !text.startsWith('HTTP/1.1 200')) reject(new Error(text.slice(0, 200)))
      for (const [, sent] of text.matchAll(/"message": ?"[^"]*sent (\d+)"/g))
        latencies.push(now - Number(sent))
      if (text.includes('event: tasks')) taskLatencies.push(now - taskChangedAt)
    })
  })
}
let taskChangedAt = 0

const started = performance.now()
const queue = ids.values()
await Promise.all(
  Array.from({ length: OPENING_AT_ONCE }, async () => {
    for (const id of queue) {
      const claims = { sub: id, sid: id, email: 'user@example.com', name: 'User' }
      await open(id, await keys.sign(claims, new Date(Date.now() + 3_600_000)))
    }
  }),
)
const openedS = (performance.now() - started) / 1000
await sleep(2000)
const opened = usage()
print('connections', `${connected} open, ${closed} closed, in ${openedS.toFixed(1)} s`)
print(
  'memory',
  `${opened.rssMb} MB, ${(((opened.rssMb - before.rssMb) * 1024) / connected).toFixed(1)} KB a connection`,
)

await measured('idle, 30 s', 30, async () => {})
await measured('100 events a second for 20 s', 20, async () => {
  const people = Array.from({ length: 10 }, () => ids[Math.floor(Math.random() * ids.length)])
  await database.pool.query(
    database.functions.qualify(`select notify_user(id, 'contact_message', jsonb_build_object('name', 'Load', 'subject', 'sent ' || $2::text), null)
       from unnest($1::uuid[]) as users (id)`),
    [people, String(Date.now())],
  )
})
print('  commit to page', percentiles(latencies))

const buyer = ids[0]
await database.pool.query(`update users set role = 'Buyer' where id = $1`, [buyer])
const { rows } = await database.pool.query(
  database.functions.qualify(
    `select add_task(gen_random_uuid(), $1, 'Task', 'Detail', 'Info', '', 5, 1, current_date + 3, 'UTC', 0)`,
  ),
  [buyer],
)
print('a task posted', String(rows.length === 1))
taskLatencies.length = 0
await measured('one slot change a second to everybody, 15 s', 15, async (tick) => {
  if (tick % 10 !== 0) return
  taskChangedAt = Date.now()
  await database.pool.query(
    database.functions.qualify('select enqueue_change($1, (select id from tasks limit 1))'),
    [buyer],
  )
})
print('  commit to page', percentiles(taskLatencies))
print('closed meanwhile', String(closed))
print('machine', `${availableParallelism()} cores, this script and PostgreSQL on the same machine`)

for (const socket of sockets) socket.destroy()
server.kill('SIGTERM')
await once(server, 'exit')
await database.close()
await embedded.stop()
rmSync(dataDir, { recursive: true, force: true })

/** Does something ten times a second for this long, and prints what it cost the server. */
async function measured(what: string, seconds: number, work: (tick: number) => Promise<void>): Promise<void> {
  const from = usage()
  const end = performance.now() + seconds * 1000
  for (let tick = 0; performance.now() < end; tick++) {
    const next = performance.now() + 100
    await work(tick)
    await sleep(Math.max(0, next - performance.now()))
  }
  const to = usage()
  const share = ((to.cpuMs - from.cpuMs) / (seconds * 1000)) * 100
  print(what, `${share.toFixed(1)} % of a core, ${to.rssMb} MB`)
}

function usage(): { rssMb: number; cpuMs: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const rssKb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])
  return { rssMb: Math.round(rssKb / 1024), cpuMs: (Number(fields[11]) + Number(fields[12])) * 10 }
}

function percentiles(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return `${sorted.length} received: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, 99 % ${at(0.99)} ms, slowest ${at(1)} ms`
}

function print(what: string, value: string): void {
  console.log(`${what.padEnd(46)} ${value}`)
}
