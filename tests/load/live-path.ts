// Measures how long a change takes to reach the screens of another user: from the request that makes it to the event on
// each of the user's open streams, while 1,000 streams are open and all of them receive changed tasks too.
//
//   npm run live-path [--streams 1000] [--per-second 50] [--seconds 20]
import http from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/database/database.ts'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { audit } from '#server/ledger/audit.ts'
import { decisionsFor } from './operations.ts'
import { signedIn } from './people.ts'
import { productionEnv, start } from './server.ts'
import { folderFor, freshWorld, warm } from './world/build.ts'
import { freeSlot, SUPPLY_REWARD } from './world/shape.ts'

const PORT = 4903
const TASKS = 10_000

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '1000' },
    'per-second': { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
  },
})
const [streams, perSecond, seconds] = [values.streams, values['per-second'], values.seconds].map(Number) as [
  number,
  number,
  number,
]

/** The arrivals of a change that a buyer's streams wait for. */
type Change = { sentAt: number; respondedAt: number; arrivedAt: number[] }

const dataDir = folderFor(TASKS)
const embedded = await startEmbedded({ dataDir, log: console.log })
try {
  const { url, shape } = await freshWorld(embedded.connectionString, TASKS, decisionsFor(5), console.log)
  const env = productionEnv(url, join(dataDir, 'server'), PORT)
  const server = await start(['server/main.ts'], PORT, env)
  await warm(url)
  const database = openDatabase({ connectionString: url }, { max: 2, prepare: true })
  const people = await signedIn(database, readConfig(env), shape, 6)
  const streamsPerBuyer = Math.ceil(streams / shape.callers)
  const changes: Change[] = []
  const waiting = new Map<number, Change>()

  const requests = Array.from({ length: streams }, (_, index) =>
    openStream(index, people.buyers[index % shape.callers] as string, () => {
      const change = waiting.get(index % shape.callers)
      change?.arrivedAt.push(performance.now())
      if (change?.arrivedAt.length === streamsPerBuyer) waiting.delete(index % shape.callers)
    }),
  )
  await Promise.all(requests.map(({ opened }) => opened))
  console.log(`${streams} streams are open`)

  const responses: Promise<void>[] = []
  const begunAt = performance.now()
  for (let flat = 0; flat < perSecond * seconds; flat++) {
    await sleep(Math.max(0, begunAt + (flat * 1000) / perSecond - performance.now()))
    const { task, worker } = freeSlot(shape, flat)
    const buyer = (flat % shape.supplyTasks) % shape.callers
    // A buyer's next change waits for the arrival of the one before, so that each event has its change.
    if (waiting.has(buyer)) continue
    const change: Change = { sentAt: performance.now(), respondedAt: 0, arrivedAt: [] }
    waiting.set(buyer, change)
    changes.push(change)
    responses.push(
      submit(people.workers[worker] as string, task).then(() => {
        change.respondedAt = performance.now()
      }),
    )
  }
  await Promise.all(responses)
  const deadline = Date.now() + 30_000
  while (waiting.size > 0 && Date.now() < deadline) await sleep(50)
  if (waiting.size > 0) throw new Error(`${waiting.size} changes did not reach every stream`)

  const arrivals = changes.flatMap(({ sentAt, arrivedAt }) => arrivedAt.map((at) => at - sentAt))
  const afterResponse = changes.flatMap(({ respondedAt, arrivedAt }) =>
    arrivedAt.map((at) => Math.max(0, at - respondedAt)),
  )
  console.log(`${changes.length} changes, each on ${streamsPerBuyer} streams`)
  console.log(`from the request to the event:  ${percentiles(arrivals)}`)
  console.log(`from the response to the event: ${percentiles(afterResponse)}`)
  for (const { close } of requests) close()
  const { balanced } = await audit(database)
  await database.close()
  await server.stop()
  console.log(`The books ${balanced ? 'balance' : 'DO NOT BALANCE'}.`)
  if (!balanced) process.exitCode = 1
} finally {
  await embedded.stop()
}

/** Opens the stream of one page, from a network of its own, and calls `onUpdate` for each event of the user's own. */
function openStream(index: number, token: string, onUpdate: () => void) {
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>()
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': `10.0.${index >> 8}.${index & 255}` }
  const request = http.get(
    { port: PORT, path: '/api/live?tasks=true', headers, agent: false },
    (response) => {
      if (response.statusCode !== 200) reject(new Error(`A stream was refused with ${response.statusCode}`))
      response.setEncoding('utf8')
      let rest = ''
      response.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          if (line === 'event: connected') resolve()
          if (line === 'event: update') onUpdate()
        }
      })
      response.on('error', () => {})
    },
  )
  request.on('error', reject)
  return { opened, close: () => request.destroy() }
}

/** Submits work for a task and waits for the whole response. @throws Error when it is refused. */
async function submit(token: string, taskId: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${PORT}/api/submiteted-task`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      taskId,
      submissoin_data: 'Twenty prices, one per line.',
      payable_amount: SUPPLY_REWARD,
    }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`A submission was refused with ${response.status}: ${text}`)
}

function percentiles(numbers: number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (share: number) => `${Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)} ms`
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, longest ${at(1)}`
}
