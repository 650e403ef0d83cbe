import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '#server/database/database.ts'
import type { Actor, SharedState } from '#tests/chaos/actor.ts'
import { compare } from '#tests/chaos/compare.ts'
import { act, anActor } from '#tests/chaos/people.ts'
import { comparePurchases, startFakeCardProvider, waitForCardEvents } from '#tests/chaos/purchases.ts'
import { createSharedPayouts } from '#tests/chaos/shared-payouts.ts'
import { eventually } from '#tests/support/eventually.ts'
import { giveCoins } from '#tests/support/factories.ts'
import { freePort, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'
import { print } from '../support/print.ts'
import { missingTools, startCluster } from './cluster.ts'

/**
 * `npm run ha -- --seconds 15`: two instances of the server over three PostgreSQL nodes, under load. The primary is
 * killed, frozen, and an instance killed; prints how long no write was acknowledged each time, and that nothing was lost or
 * doubled. `--seconds` is the quiet time between faults.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '10' } } })
const quietMs = Number(values.seconds) * 1000
const COINS = 20_000

const missing = missingTools()
if (missing !== undefined) {
  console.error(missing)
  process.exit(2)
}

const ports = [await freePort(), await freePort()]
const cluster = await startCluster(ports, print)
const servers: ServerProcess[] = []
const cards = await startFakeCardProvider()
try {
  const root = openDatabase({ connectionString: cluster.databaseUrl('postgres') }, { max: 1, prepare: false })
  await root.pool.query('create database tallywork')
  await root.close()
  const env = {
    DATABASE_URL: cluster.databaseUrl('tallywork'),
    DEMO: '0',
    LOG_LEVEL: 'fatal',
    AUTH_SECRET: 'one secret for both instances, long enough',
    PUBLIC_URL: cluster.url,
    ...cards.env,
  }
  for (const port of ports) servers.push(await startServerProcess({ env, port }))
  const database = openDatabase({ connectionString: env.DATABASE_URL }, { max: 2, prepare: false })
  await eventually(async () => (await fetch(`${cluster.url}/readyz`)).status === 200)
  await sleep(2_500)

  const actors: Actor[] = []
  for (let index = 0; index < 4; index++) actors.push(await anActor(cluster.url, 'Buyer', index))
  for (let index = 0; index < 8; index++) actors.push(await anActor(cluster.url, 'Worker', index))
  for (const { role, user } of actors) {
    if (role !== 'Buyer') continue
    const { rows } = await database.pool.query('select account_id from users where email_key = $1', [
      user.email,
    ])
    await giveCoins(database, rows[0].account_id, COINS)
  }

  const shared: SharedState = {
    cards,
    url: cluster.url,
    tasks: [],
    work: [],
    rejected: [],
    appealed: [],
    defended: new Map(),
    payouts: createSharedPayouts(),
    retries: 0,
  }
  let over = false
  const respondedAt: number[] = []
  const began = Date.now()
  const people = actors.map(async (actor) => {
    while (!over) {
      const known = actor.journal.length
      await act(shared, actor, Math.random)
      if (actor.journal.length > known) respondedAt.push(Date.now())
    }
  })

  const totals: { fault: string; secondsWithout: number; refused: number; wholeAfter: number }[] = []
  async function during(fault: string, work: () => Promise<unknown>): Promise<void> {
    await sleep(quietMs)
    const [from, refused] = [Date.now(), shared.retries]
    print(`${fault} …`)
    await work()
    await cluster.whole()
    const until = Date.now()
    await sleep(2_000)
    const times = [from, ...respondedAt.filter((time) => time >= from), Date.now()]
    const gap = Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)))
    totals.push({
      fault,
      secondsWithout: gap / 1000,
      refused: shared.retries - refused,
      wholeAfter: (until - from) / 1000,
    })
  }
  const leader = async () => (await cluster.primary()) ?? (await cluster.whole())

  await during('the primary is killed (kill -9), and started again after 15 s', async () => {
    const node = await leader()
    await cluster.signal(node, 'SIGKILL')
    await sleep(15_000)
    cluster.startNode(node)
  })
  await during('the primary is cut off (frozen) for 25 s, and comes back', async () => {
    const node = await leader()
    await cluster.signal(node, 'SIGSTOP')
    await sleep(25_000)
    await cluster.signal(node, 'SIGCONT')
    await sleep(5_000)
  })
  await during('one instance of the server is killed, and started again', async () => {
    const victim = servers[0]
    if (victim === undefined) return
    const gone = once(victim.process, 'exit')
    victim.process.kill('SIGKILL')
    await gone
    servers[0] = await startServerProcess({ env, port: victim.port, dataDir: victim.dataDir })
  })
  await sleep(quietMs)
  over = true
  await Promise.all(people)

  await waitForCardEvents(database)
  const { acknowledged, lost, doubled, wrongBalances, balanced } = await compare(database, actors, COINS)
  const purchases = await comparePurchases(database, cards)
  lost.push(...purchases.lost)
  doubled.push(...purchases.doubled)
  await database.close()
  print('')
  for (const { fault, secondsWithout, refused, wholeAfter } of totals)
    print(
      `${fault}: ${secondsWithout.toFixed(1)} s without writes, ${refused} attempts refused, whole again after ${wholeAfter.toFixed(0)} s`,
    )
  print(
    `${((Date.now() - began) / 1000).toFixed(0)} s, operations acknowledged ${acknowledged}, attempts repeated ${shared.retries}, card payments ${purchases.paid}, messages about them accepted ${cards.delivered}`,
  )
  print(
    `lost ${lost.length}, doubled ${doubled.length}, wrong balances ${wrongBalances.length}, books ${balanced ? 'balance' : 'DO NOT BALANCE'}`,
  )
  for (const line of [...lost, ...doubled, ...wrongBalances]) print(`  ${line}`)
  process.exitCode = lost.length + doubled.length + wrongBalances.length === 0 && balanced ? 0 : 1
} finally {
  await Promise.all(servers.map((server) => server.stop()))
  await cluster.stop({ keep: process.exitCode !== 0 })
  await cards.close()
}
