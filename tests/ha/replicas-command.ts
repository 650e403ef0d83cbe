import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openDatabase } from '#server/database/database.ts'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { eventually } from '#tests/support/eventually.ts'
import { giveCoins } from '#tests/support/factories.ts'
import { freePort, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'
import { print } from '../support/print.ts'
import { startReplicaLoad } from './replica-load.ts'
import { signUpBuyers } from './rolling-load.ts'
import { missingForStreaming, type Standby, startStreaming } from './streaming.ts'

/**
 * `npm run replicas -- --seconds 5`: two instances of the server over a PostgreSQL primary and two streaming replicas, under load.
 * A replica is killed, paused, delayed, frozen and promoted. Fails when a request fails, when users miss their own writes, when
 * somebody misses a write of more than a second ago, or when a replica does not come back. `--seconds` is the length of each fault.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } })
const faultMs = Number(values.seconds) * 1000
const BUYERS = 4
const COINS = 1_000_000

const missing = missingForStreaming()
if (missing !== undefined) {
  console.error(missing)
  process.exit(2)
}

const streaming = await startStreaming(2)
const [first, second] = streaming.replicas as [Standby, Standby]
const serverProcesses: ServerProcess[] = []
try {
  await onServer(streaming.primary, 'create database tallywork')
  const ports = [await freePort(), await freePort()]
  const env = {
    DATABASE_URL: streaming.primary.url('tallywork'),
    REPLICA_URL: streaming.replicas.map(({ url }) => url('tallywork')).join(','),
    DEMO: '0',
    AUTH_SECRET: 'one secret for both instances, long enough',
    PUBLIC_URL: `http://localhost:${ports[0]}`,
  }
  for (const port of ports) serverProcesses.push(await startServerProcess({ env, port }))
  const urls = serverProcesses.map(({ url }) => url)
  const database = openDatabase({ connectionString: env.DATABASE_URL }, { max: 2, prepare: false })

  /** Returns the sum of a metric over both instances, or over one replica's series. */
  async function metric(name: string, label = ''): Promise<number> {
    const texts = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()))
    return texts
      .flatMap((text) => [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)])
      .filter(([, found, labels = '']) => found === name && labels.includes(label))
      .reduce((sum, [, , , value]) => sum + Number(value), 0)
  }
  const inUse = (replica: Standby) => metric('replica_in_use', `:${replica.port}"`)
  const untilUsed = (replica: Standby) =>
    eventually(async () => (await inUse(replica)) === serverProcesses.length)
  const untilUnused = (replica: Standby) => eventually(async () => (await inUse(replica)) === 0)

  const buyers = await signUpBuyers(urls[0] as string, BUYERS)
  const { rows } = await database.pool.query<{ account_id: number }>('select account_id from users')
  for (const { account_id } of rows) await giveCoins(database, account_id, COINS)
  for (const replica of streaming.replicas) await untilUsed(replica)

  const load = startReplicaLoad(urls, buyers)
  const began = performance.now()
  async function during(what: string, fault: () => Promise<unknown>): Promise<void> {
    const before = await Promise.all([
      metric('replica_eligible_reads_total', 'target="replica"'),
      metric('replica_eligible_reads_total', 'target="primary"'),
      metric('replica_reads_repeated_total'),
    ])
    const since = performance.now()
    await fault()
    const [replica = 0, primary = 0, repeated = 0] = [
      await metric('replica_eligible_reads_total', 'target="replica"'),
      await metric('replica_eligible_reads_total', 'target="primary"'),
      await metric('replica_reads_repeated_total'),
    ].map((total, index) => total - (before[index] ?? 0))
    const share = Math.round((100 * replica) / Math.max(1, replica + primary))
    print(
      `${what}: ${((performance.now() - since) / 1000).toFixed(1)} s, ${replica} reads from replicas (${share} %), ${repeated} repeated`,
    )
  }
  /** Runs a fault of a replica for some seconds, which takes it out of use, and ends it, upon which the replica comes back. */
  async function outOfUse(
    replica: Standby,
    begin: () => Promise<unknown>,
    end: () => Promise<unknown>,
  ): Promise<void> {
    await begin()
    const since = performance.now()
    await untilUnused(replica)
    const unusedAfter = performance.now() - since
    await sleep(faultMs)
    await end()
    const ended = performance.now()
    await untilUsed(replica)
    print(
      `  out of use after ${(unusedAfter / 1000).toFixed(1)} s, back ${((performance.now() - ended) / 1000).toFixed(1)} s after its end`,
    )
  }

  await during('both replicas follow', () => sleep(faultMs))
  await during('one replica is killed (kill -9) and restarted', () =>
    outOfUse(
      first,
      () => first.signal('SIGKILL'),
      async () => first.start(),
    ),
  )
  await during('the replay of one replica is paused', () =>
    outOfUse(
      first,
      () => onServer(first, 'select pg_wal_replay_pause()'),
      () => onServer(first, 'select pg_wal_replay_resume()'),
    ),
  )
  await during('one replica applies changes 3 s late (recovery_min_apply_delay)', () =>
    outOfUse(
      first,
      () => first.set('recovery_min_apply_delay', '3s'),
      () => first.set('recovery_min_apply_delay', '0'),
    ),
  )
  await during('one replica is frozen', () =>
    outOfUse(
      first,
      () => first.signal('SIGSTOP'),
      () => first.signal('SIGCONT'),
    ),
  )
  await during('one replica is promoted', async () => {
    await onServer(second, 'select pg_promote()')
    await untilUnused(second)
    await sleep(faultMs)
  })
  await load.stop()

  const { failures, stale, totals } = load
  await expectBooksToBalance(database)
  await database.close()
  print('')
  print(
    `${((performance.now() - began) / 1000).toFixed(0)} s, ${totals.requests} requests, ${failures.length} failed; ` +
      `${totals.ownReads} reads of an own write and ${totals.readsOfOthers} of others' writes, ${stale.length} stale`,
  )
  for (const line of [...failures, ...stale].slice(0, 20)) print(`✖ ${line}`)
  if (failures.length + stale.length > 0) process.exitCode = 1
} finally {
  await Promise.all(serverProcesses.map((serverProcess) => serverProcess.stop()))
  await streaming.stop()
}

/** Runs a statement as the superuser, in the database of the server's own tools. */
async function onServer(server: Standby, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url('postgres') })
  client.on('error', () => {})
  await client.connect()
  await client.query(sql)
  await client.end()
}
