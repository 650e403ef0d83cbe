import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '#server/database/database.ts'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { LONG_TIMEOUTS } from '#tests/support/database.ts'
import { CEILING_MS, eventually } from '#tests/support/eventually.ts'
import { giveCoins } from '#tests/support/factories.ts'
import { copyPreparedData } from '#tests/support/prepared-data.ts'
import { childrenOf, signalProcess } from '#tests/support/processes.ts'
import { seededRandom } from '#tests/support/random.ts'
import { freePort, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'
import type { Actor, SharedState, SpecialRole } from './actor.ts'
import { type Comparison, compare } from './compare.ts'
import { comparePayouts, recordReturnedCoins } from './compare-payouts.ts'
import {
  countAtProvider,
  PROVIDER_STATES,
  type ProviderCounts,
  settleAtProvider,
  startPayoutSender,
} from './payout-provider.ts'
import { act, anActor } from './people.ts'
import { startProxy } from './proxy.ts'
import { comparePurchases, startFakeCardProvider, waitForCardEvents } from './purchases.ts'
import { createSharedPayouts } from './shared-payouts.ts'
import { aVolume } from './volume.ts'

export type Report = Comparison & {
  /** How often each operation was acknowledged. */
  operations: Record<string, number>
  faults: Record<string, number>
  retries: number
  /** By fault, how long after it began the server responded from its database again. */
  recoveryMs: Record<string, number[]>
  /** Card payments that went through, and messages of them that were accepted. */
  paid: number
  delivered: number
  /** Withdrawals that were paid out. */
  paidOut: number
  /** Payouts that were given to the provider: the most in each state at a time. */
  byProvider: ProviderCounts
  seconds: number
}
type Options = {
  seconds: number
  buyers: number
  workers: number
  log: (line: string) => void
  seed: number
  /** How long each user pauses at most after an action, for less load. */
  pauseMs?: number
  /** The size of the database's volume in MB, which is filled where this machine allows mounting one. */
  volumeMb?: number
}

const COINS = 10_000
const PEOPLE_PER_DUTY = 2
/** What makes a worker do something else than tasks. */
const SPECIAL_ROLES: Record<SpecialRole, string> = {
  reviewer: 'is_reviewer = true',
  payee: `role = 'Worker'`,
  admin: `role = 'Admin'`,
}
/** The least a run must contain, however slow a busy machine is. */
const MINIMUM = {
  faults: 4,
  acknowledged: 21,
  paid: 3,
  reconciled: 2,
  byProvider: 1,
}
/** A run that has not got there by then is broken. */
const LONGEST_MS = 10 * CEILING_MS
/** Long enough for PostgreSQL to fail at growing a file, to stop, and to fail at starting again. */
const FULL_MS = 4_000

/**
 * Goal: whatever breaks, every acknowledged write is there and nothing happened twice. Method: many people work under
 * idempotency keys and write down what was acknowledged, buy coins from a card provider that delivers every webhook twice, and are
 * paid out in batches by two Admins, by hand, by files and by a provider, while the server, a sender of payouts and PostgreSQL are
 * killed, the connections between them cut, stalled and slowed, and the disk filled, in random order.
 * Finally the journals are compared with the database.
 */
export async function chaos(options: Options): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'tallywork-chaos-'))
  const random = seededRandom(options.seed)
  const volume =
    options.volumeMb === undefined ? undefined : await aVolume(join(folder, 'database'), options.volumeMb)
  if (options.volumeMb !== undefined && volume === undefined)
    options.log('The disk is not filled here: mounting a small volume takes root on Linux.')
  copyPreparedData(join(folder, 'database'))
  const embedded = await startEmbedded({ dataDir: join(folder, 'database'), log: options.log })
  const cards = await startFakeCardProvider()
  const socket = new URL(embedded.connectionString).searchParams.get('host') ?? ''
  const proxy = await startProxy(join(socket, '.s.PGSQL.5432'))
  const direct = openDatabase(
    { connectionString: embedded.connectionString, ...LONG_TIMEOUTS },
    { max: 4, prepare: true },
  )
  const proxied = new URL(embedded.connectionString)
  proxied.searchParams.delete('host')
  proxied.host = `127.0.0.1:${proxy.port}`

  const port = await freePort()
  const start = () =>
    startServerProcess({
      dataDir: folder,
      port,
      env: {
        DATABASE_URL: proxied.href,
        DEMO: '0',
        LOG_LEVEL: 'error',
        PAYOUT_PROVIDER: 'sandbox',
        ...cards.env,
      },
    })
  let server: ServerProcess = await start()
  const sender = startPayoutSender(proxied.href)
  const faults: Record<string, number> = {}
  const recoveryMs: Record<string, number[]> = {}
  try {
    const actors: Actor[] = []
    for (let index = 0; index < options.buyers; index++)
      actors.push(await anActor(server.url, 'Buyer', index))
    for (let index = 0; index < options.workers; index++)
      actors.push(await anActor(server.url, 'Worker', index))
    for (const [specialRole, rights] of Object.entries(SPECIAL_ROLES)) {
      for (let index = 0; index < PEOPLE_PER_DUTY; index++) {
        const actor = await anActor(server.url, 'Worker', index, specialRole as SpecialRole)
        await direct.pool.query(`update users set ${rights} where email_key = $1`, [actor.user.email])
        actors.push(actor)
      }
    }
    for (const { role, specialRole, user } of actors) {
      if (role !== 'Buyer' && specialRole !== 'payee') continue
      const { rows } = await direct.pool.query('select account_id from users where email_key = $1', [
        user.email,
      ])
      await giveCoins(direct, rows[0].account_id, COINS)
    }

    const shared: SharedState = {
      cards,
      url: server.url,
      tasks: [],
      work: [],
      rejected: [],
      appealed: [],
      defended: new Map(),
      payouts: createSharedPayouts(),
      retries: 0,
    }
    const began = Date.now()
    let over = false
    const running = actors.map(async (actor) => {
      while (!over) {
        await act(shared, actor, random)
        if (options.pauseMs !== undefined) await sleep(random() * options.pauseMs)
      }
    })

    const FAULTS: Record<string, () => Promise<unknown>> = {
      'the server is killed': async () => {
        const gone = once(server.process, 'exit')
        server.process.kill('SIGKILL')
        await gone
        server = await start()
      },
      'the payout sender is killed': () => sender.restart(),
      // After an earlier kill it may not run again yet: the server may still have responded from before.
      'kill PostgreSQL': async () => {
        let killed = 0
        await eventually(() => {
          killed = embedded.pid
          return signalProcess(killed, 'SIGKILL')
        })
        await eventually(() => embedded.pid !== killed)
      },
      // PostgreSQL then ends all backends and recovers. A backend that ended before has no effect.
      'kill one backend': async () => {
        const pids = childrenOf(embedded.pid)
        const pid = pids[Math.floor(random() * pids.length)]
        if (pid === undefined || !signalProcess(pid, 'SIGKILL')) return
        await eventually(() => !childrenOf(embedded.pid).includes(pid))
      },
      'cut the connections': async () => proxy.cut(),
      'stall the connections': () => proxy.stall(2_500),
      'slow the connections': () => proxy.slow(30, 1_500),
      'the server is frozen': async () => {
        server.process.kill('SIGSTOP')
        await sleep(1_500)
        server.process.kill('SIGCONT')
      },
      ...(volume && {
        'fill the disk': async () => {
          await volume.fill()
          await expectNoRoom(direct)
          await sleep(FULL_MS)
          await volume.free()
        },
      }),
    }
    const kinds = Object.keys(FAULTS)
    const byProvider: ProviderCounts = { confirmed: 0, failed: 0, unknown: 0 }
    const isEnough = (count: number) =>
      Date.now() - began >= options.seconds * 1000 &&
      count >= MINIMUM.faults &&
      actors.reduce((sum, { journal }) => sum + journal.length, 0) >= MINIMUM.acknowledged &&
      [...cards.fake.intents.values()].filter(({ status }) => status === 'succeeded').length >=
        MINIMUM.paid &&
      (countOperations(actors).reconcile ?? 0) >= MINIMUM.reconciled &&
      Object.values(byProvider).every((count) => count >= MINIMUM.byProvider)
    for (let count = 0; !isEnough(count); count++) {
      const now = await countAtProvider(direct)
      for (const state of PROVIDER_STATES) byProvider[state] = Math.max(byProvider[state], now[state])
      if (Date.now() - began > options.seconds * 1000 + LONGEST_MS)
        throw new Error(`The run lacks ${JSON.stringify({ byProvider, ...countOperations(actors) })}`)
      await sleep(600 + random() * 900)
      const kind = kinds[
        count < kinds.length ? count : Math.floor(random() * kinds.length)
      ] as keyof typeof FAULTS
      const from = Date.now()
      await FAULTS[kind]?.()
      faults[kind] = (faults[kind] ?? 0) + 1
      const ms = await recovered(server, from)
      recoveryMs[kind] = [...(recoveryMs[kind] ?? []), ms]
      options.log(`${kind}: back after ${ms} ms`)
    }
    over = true
    await Promise.all(running)
    await untilRecovered(direct)
    await waitForCardEvents(direct)
    await sender.kill()
    await server.stop()
    proxy.cut()
    await untilRecovered(direct)
    await settleAtProvider(direct, embedded.connectionString)
    const seconds = (Date.now() - began) / 1000
    await recordReturnedCoins(direct, actors)
    const comparison = await compare(direct, actors, COINS)
    const operations = countOperations(actors)
    const { paid, lost, doubled } = await comparePurchases(direct, cards)
    const payouts = await comparePayouts(direct, shared.payouts, actors)
    comparison.lost.push(...lost, ...payouts.lost)
    comparison.doubled.push(...doubled, ...payouts.doubled)
    const { delivered } = cards
    const { approved: paidOut } = payouts
    const counts = { retries: shared.retries, paid, delivered, paidOut, byProvider }
    return { ...comparison, ...counts, operations, faults, recoveryMs, seconds }
  } finally {
    await sender.kill()
    await server.stop()
    await direct.close()
    await proxy.close()
    await embedded.stop()
    await cards.close()
    await volume?.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

function countOperations(actors: readonly Actor[]): Record<string, number> {
  const operations: Record<string, number> = {}
  for (const { call } of actors.flatMap(({ journal }) => journal))
    operations[call] = (operations[call] ?? 0) + 1
  return operations
}

/** Makes PostgreSQL grow a table and its journal until it is refused, or gives up and stops. */
async function expectNoRoom({ pool }: Database): Promise<void> {
  const pages = `create table ballast as select repeat(gen_random_uuid()::text, 1000) from generate_series(1, 100000)`
  const code = await pool.query(pages).then(
    () => 'none',
    (error: { code?: string }) => error.code,
  )
  if (code === 'none') throw new Error('The disk was not full')
  for (let segment = 0; segment < 4; segment++) await pool.query('select pg_switch_wal()').catch(() => {})
}

/** Waits until PostgreSQL executes queries: it may still recover from the last fault, which broke connections. */
async function untilRecovered({ pool }: Database): Promise<void> {
  await eventually(() =>
    pool.query('select').then(
      () => true,
      () => false,
    ),
  )
}

/** How long after a fault began the server responded from its database again. */
async function recovered(server: ServerProcess, from: number): Promise<number> {
  for (;;) {
    const response = await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(3_000) }).catch(
      () => undefined,
    )
    if (response?.status === 200) return Date.now() - from
    if (Date.now() - from > CEILING_MS) throw new Error(`The server has not recovered:\n${server.output}`)
    await sleep(25)
  }
}
