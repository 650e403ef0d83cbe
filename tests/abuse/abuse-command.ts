import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { openSigningKeys } from '#server/identity/signing-keys.ts'
import { audit } from '#server/ledger/audit.ts'
import { productionEnv, start } from '#tests/load/server.ts'
import { aBuyer, aTask, type TestUser } from '#tests/support/factories.ts'
import type { Order, Statuses } from './attacker.ts'
import { type Experience, watchAs } from './bystander.ts'
import { type CollectedMemory, collectedMemory } from './collected-memory.ts'

/**
 * `npm run abuse -- --requests 200000`: attacks a server of a small heap, with the limits of production, and prints under
 * each attack its memory, its file descriptors, and what a bystander experiences, beside a quiet run. Memory that is in
 * use after a garbage collection is measured in ten steps of each flood: resident memory alone also holds garbage. Fails
 * when memory in use grows during a flood, when resident memory is above its maximum, or when the bystander is refused.
 */
const HEAP_MB = 300
/** Resident memory also holds buffers, code and stacks. */
const MEMORY_MAX_MB = 600
/** From the end of a flood's second step, when caches are full and code is compiled, to its last. */
const GROWTH_MAX_MB = 20
const STEPS = 10
const QUIET_MS = 10_000
const SAMPLE_MS = 1_000
const PORT = 4903
const BASE_URL = `http://127.0.0.1:${PORT}`

const { values } = parseArgs({ options: { requests: { type: 'string', default: '200000' } } })
const requests = Number(values.requests)

const folder = await mkdtemp(join(tmpdir(), 'tallywork-abuse-'))
const embedded = await startEmbedded({ dataDir: join(folder, 'database'), log: () => {} })
const env = {
  ...productionEnv(embedded.connectionString, folder, PORT),
  TRUST_PROXY: '127.0.0.1',
  WRITE_LIMIT_FACTOR: '1',
}
const memoryFile = join(folder, 'memory.json')
const server = await start(
  [
    `--max-old-space-size=${HEAP_MB}`,
    '--expose-gc',
    '--import',
    './tests/abuse/memory-probe.ts',
    'server/main.ts',
  ],
  PORT,
  { ...env, MEMORY_FILE: memoryFile },
)
const database = openDatabase({ connectionString: embedded.connectionString }, { max: 2, prepare: true })
try {
  const keys = await openSigningKeys(database, readConfig(env))
  const attacker = await aBuyer(database)
  const bystander = await aBuyer(database)
  const order = {
    port: PORT,
    token: await tokenOf(attacker),
    taskId: await aTask(database, attacker),
  }
  const bystanders = { email: bystander.email, token: await tokenOf(bystander) }
  const rounds: { attack: Order['attack']; requests: number; steps: number }[] = [
    { attack: 'cache keys', requests, steps: STEPS },
    { attack: 'keyed writes', requests: Math.ceil(requests / 20), steps: STEPS },
    { attack: 'edits with new words', requests: 300, steps: 1 },
    { attack: 'half requests', requests: 1000, steps: 1 },
    { attack: 'hostile pictures', requests: 60, steps: 1 },
  ]

  // The first requests compile code and open connections.
  await experience(bystanders, () => sleep(QUIET_MS / 2))
  print('quiet', {}, await experience(bystanders, () => sleep(QUIET_MS)), await megabytes(database))
  let isGood = true
  for (const round of rounds) {
    const statuses: Statuses = {}
    const collected: CollectedMemory[] = []
    const experienced = await experience(bystanders, async () => {
      for (let step = 0; step < round.steps; step++) {
        const sent = await attack({ ...order, ...round, requests: Math.ceil(round.requests / round.steps) })
        for (const [status, count] of Object.entries(sent)) statuses[status] = (statuses[status] ?? 0) + count
        collected.push(await collectedMemory(server.pid, memoryFile))
      }
    })
    print(round.attack, statuses, experienced, await megabytes(database))
    printMemory(round.requests / round.steps, collected)
    isGood &&=
      growthOf(collected) <= GROWTH_MAX_MB &&
      experienced.memory.every((mb) => mb < MEMORY_MAX_MB) &&
      experienced.refused + experienced.failed === 0
  }
  const { balanced } = await audit(database)
  console.log(`books ${balanced ? 'balance' : 'DO NOT BALANCE'}`)
  process.exitCode = isGood && balanced ? 0 : 1

  async function tokenOf({ id, email, name }: TestUser): Promise<string> {
    const sid = randomUUID()
    await database.pool.query(
      `insert into sessions (id, identity_id, secret_hash, expires_at) values ($1, $2, $3, now() + interval '1 day')`,
      [sid, id, Buffer.from(sid)],
    )
    return keys.sign({ sub: id, sid, email, name }, new Date(Date.now() + 3_600_000))
  }
} finally {
  await server.stop()
  await database.close()
  await embedded.stop()
  await rm(folder, { recursive: true, force: true })
}

type Measured = Experience & { memory: number[]; descriptors: number; seconds: number }

/** Measures the server and what a bystander experiences while `work` runs. */
async function experience(
  user: { email: string; token: string },
  work: () => Promise<void>,
): Promise<Measured> {
  const memory: number[] = []
  let descriptors = 0
  const sample = () => {
    memory.push(residentMegabytes())
    descriptors = Math.max(descriptors, readdirSync(`/proc/${server.pid}/fd`).length)
  }
  const began = performance.now()
  sample()
  const sampling = setInterval(sample, SAMPLE_MS)
  const watching = watchAs(user, BASE_URL)
  await work()
  clearInterval(sampling)
  sample()
  return { ...(await watching.stop()), memory, descriptors, seconds: (performance.now() - began) / 1000 }
}

async function attack(order: Order): Promise<Statuses> {
  const child = fork(join(import.meta.dirname, 'attacker.ts'))
  child.send(order)
  const [statuses] = (await once(child, 'message')) as [Statuses]
  return statuses
}

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

async function megabytes(db: Database): Promise<number> {
  const { rows } = await db.pool.query<{ mb: number }>(
    'select (pg_database_size(current_database()) / 1e6)::float8 as mb',
  )
  return Math.round(rows[0]?.mb ?? 0)
}

/** Prints a line of results; memory at the beginning, three quarters of the way and the end, and the most. */
function print(name: string, statuses: Statuses, measured: Measured, databaseMb: number): void {
  const { memory, descriptors, seconds, p50, p99, slowest, refused, failed, requests: made } = measured
  const over = [0, 0.25, 0.5, 0.75, 1].map((share) => memory[Math.floor(share * (memory.length - 1))])
  console.log(
    `${name.padEnd(21)} ${seconds.toFixed(0)} s, responses ${JSON.stringify(statuses)}; memory ${over.join(' → ')} MB, most ${Math.max(...memory)}; ${descriptors} descriptors; database ${databaseMb} MB; bystander: ${made} requests, p50 ${p50} ms, p99 ${p99} ms, slowest ${slowest} ms, ${refused} refused, ${failed} failed`,
  )
}

/** Returns by how many MB memory in use grew from the end of the second step to the last. */
function growthOf(collected: CollectedMemory[]): number {
  const [first, last] = [collected[1], collected.at(-1)]
  return first && last ? last.heap + last.buffers - first.heap - first.buffers : 0
}

/** Prints the server's memory after each step. */
function printMemory(requestsPerStep: number, collected: CollectedMemory[]): void {
  for (const [step, { heap, buffers, resident }] of collected.entries()) {
    const sent = Math.ceil(requestsPerStep * (step + 1))
    console.log(
      `  after ${sent}: in use ${heap} MB of heap, ${buffers} MB of buffers; resident ${resident} MB`,
    )
  }
}
