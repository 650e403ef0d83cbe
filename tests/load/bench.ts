// Measures what the product's work costs, each rate beside its limit, measured in the same run (docs/performance.md).
//
//   npm run bench -- --tasks 10000|100000|1000000 [--seconds 5] [--rounds 1] [--only approve] [--folder …]
//   npm run bench -- --tasks 10000 --tasks 1000000 [--folder … --folder …] --rounds 3
//
// The world is built once for each size and kept in its folder; later runs copy it. Several sizes are measured in turn, round
// by round, and compared: the p99 of a few seconds varies more between two runs than between two sizes.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { hashPassword } from '#server/identity/password.ts'
import { audit } from '#server/ledger/audit.ts'
import { allStatements } from '#tests/support/statements.ts'
import { print } from '../support/print.ts'
import { type BenchSize, openSize } from './bench-size.ts'
import { deferredWorkDone } from './drive/deferred-work.ts'
import { countEmails } from './drive/emails.ts'
import { watch } from './drive/machine.ts'
import { pgbench, tpcB } from './drive/pgbench.ts'
import { needTools } from './drive/tools.ts'
import { drive, type Request } from './drive/wrk.ts'
import { combined, type Measured } from './measured.ts'
import type { Operation } from './operation.ts'
import { start } from './server.ts'
import { asTable, factorTable, headline } from './table.ts'

const PORT = 4900
const EMPTY_PORT = 4901
const FOLDER = 'test-output/bench'
/** The share of an operation's requests that is sent in a second before it is measured, while V8 compiles what they run. */
const FIRST_SHARE = 0.2

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', multiple: true, default: ['10000'] },
    folder: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [''] },
  },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
if (!values.tasks.every((tasks) => Number(tasks) >= 1000) || !(seconds >= 1) || !(rounds >= 1))
  throw new Error('Say --tasks 1000 or more, --seconds 1 or more and --rounds 1 or more')

type Limits = Pick<Measured, 'limitPerSecond' | 'tpcBPerSecond'>
/** An operation of a size, with what its rounds measured. Rounds of writes share the requests. */
type Line = { operation: Operation; requests: Request[]; limits: Limits | undefined; measured: Measured[] }

needTools(print)
await allStatements()
const sizes: (BenchSize & { lines: Line[] })[] = []
const empty = await start(['tests/load/drive/empty-server.ts', String(EMPTY_PORT)], EMPTY_PORT, {})
try {
  for (const [index, tasks] of values.tasks.entries()) {
    const folder = values.folder[index]
    const size = await openSize({ tasks: Number(tasks), folder, seconds, port: PORT }, print)
    const asked = size.operations.filter(({ name }) => values.only.some((part) => name.includes(part)))
    const lines = asked.map((operation) => ({
      operation,
      requests: operation.requests(),
      limits: undefined,
      measured: [],
    }))
    sizes.push(Object.assign(size, { lines }))
    if (values.tasks.length > 1) await size.stopServer()
  }
  for (let round = 0; round < rounds; round++) {
    for (const size of sizes) {
      if (rounds > 1) print(`Round ${round + 1}, ${size.tasks.toLocaleString('en')} tasks:`)
      await measureAll(size, round)
      // The background jobs of one size must not slow down the next.
      if (sizes.length > 1) await size.stopServer()
    }
  }

  const results = sizes.map(({ tasks, lines }) => ({
    tasks,
    measured: lines.map(({ measured }) => combined(measured as [Measured, ...Measured[]])),
  }))
  mkdirSync(FOLDER, { recursive: true })
  for (const { tasks, measured } of results) {
    const { database } = sizes.find((size) => size.tasks === tasks) as BenchSize
    const { balanced } = await audit(database)
    print(`\n${asTable(measured)}\n\nThe books ${balanced ? 'balance' : 'DO NOT BALANCE'} after the run.`)
    writeFileSync(
      join(FOLDER, `${tasks}.json`),
      `${JSON.stringify({ tasks, seconds, rounds, at: new Date().toISOString(), balanced, measured }, null, 2)}\n`,
    )
    if (!balanced || measured.some(({ errors }) => errors > 0)) process.exitCode = 1
  }
  if (results.length > 1) print(`\n${factorTable(results)}`)
} finally {
  await empty.stop()
  for (const size of sizes) await size.close()
}

async function measureAll(size: BenchSize & { lines: Line[] }, round: number): Promise<void> {
  await size.startServer()
  let tpcBPerSecond = 0
  for (const line of size.lines) {
    const { operation } = line
    if (line.limits === undefined) {
      if (operation.once || tpcBPerSecond === 0)
        tpcBPerSecond = await tpcB(size.url, { clients: 64, seconds })
      const limitPerSecond = operation.limit === 'TPC-B' ? tpcBPerSecond : await limitOf(operation, size.url)
      line.limits = { limitPerSecond, tpcBPerSecond }
    }
    line.measured.push(await measure(size, operation, requestsOf(line, round), line.limits))
    print(headline(line.measured.at(-1) as Measured))
  }
}

/** Returns the requests of a round: all that can be sent again, and of those that change something a part of its own. */
function requestsOf({ operation, requests }: Line, round: number): Request[] {
  if (operation.once !== true) return requests
  const part = Math.floor(requests.length / rounds)
  return requests.slice(round * part, (round + 1) * part)
}

/** Sends an operation's requests: right after its limit in the first round, so that both meet the same machine. */
async function measure(
  size: BenchSize,
  { name, connections, goal, rows = 1, ...operation }: Operation,
  requests: Request[],
  limits: Limits,
): Promise<Measured> {
  const { emailFolder, databasePid } = size
  const once = operation.once === true
  // What changes something is sent once, so the requests of the first second are others.
  const first = once ? requests.splice(-Math.floor(requests.length * FIRST_SHARE)) : requests
  await drive({ port: PORT, requests: first, connections, seconds: 1, once })
  await sleep(200)
  await deferredWorkDone(size.database)
  const emailsBefore = countEmails(emailFolder)
  const watching = watch((await size.startServer()).pid, databasePid)
  const driven = await drive({ port: PORT, requests, connections, seconds, once })
  const spent = watching.stop()
  return {
    name,
    ...driven,
    perSecond: driven.perSecond * rows,
    ...spent,
    p99s: [driven.p99],
    emails: countEmails(emailFolder) - emailsBefore,
    limit: typeof operation.limit === 'string' ? operation.limit : 'pgbench',
    ...limits,
    ...(goal !== undefined && { goal }),
  }
}

async function limitOf({ limit, connections }: Operation, url: string): Promise<number> {
  if (limit === 'empty route') {
    return (await drive({ port: EMPTY_PORT, requests: [{ method: 'GET', path: '/' }], connections, seconds }))
      .perSecond
  }
  if (limit === 'password hash') return hashesPerSecond()
  if (limit === 'TPC-B') throw new Error('TPC-B is measured beside every operation')
  return pgbench(url, limit.pgbench, { clients: connections, seconds })
}

/** The server's own concurrency. */
async function hashesPerSecond(): Promise<number> {
  const until = performance.now() + seconds * 1000
  let made = 0
  const one = async () => {
    while (performance.now() < until) {
      await hashPassword('Bench!password')
      made++
    }
  }
  await Promise.all([one(), one()])
  return made / seconds
}
