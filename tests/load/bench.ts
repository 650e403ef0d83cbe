// Measures what the product's work costs, each rate beside its limit, measured in the same run (docs/performance.md).
//
//   npm run bench -- --tasks 10000|100000|1000000 [--seconds 5] [--only approve] [--folder …]
//
// The world is built once for each size and kept in its folder; later runs copy it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/database/database.ts'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { hashPassword } from '#server/identity/password.ts'
import { audit } from '#server/ledger/audit.ts'
import { allStatements } from '#tests/support/statements.ts'
import { countEmails, emailsSent } from './drive/emails.ts'
import { type Spent, watch } from './drive/machine.ts'
import { pgbench, tpcB } from './drive/pgbench.ts'
import { needTools } from './drive/tools.ts'
import { type Driven, drive } from './drive/wrk.ts'
import type { Operation } from './operation.ts'
import { decisionsFor, operationsOf } from './operations.ts'
import { signedIn } from './people.ts'
import { productionEnv, type Running, start } from './server.ts'
import { asTable, headline } from './table.ts'
import { folderFor, freshWorld, warm } from './world/build.ts'

const PORT = 4900
const EMPTY_PORT = 4901
const FOLDER = 'test-output/bench'
/** The share of an operation's requests that is sent in a second before it is measured, while V8 compiles what they run. */
const FIRST_SHARE = 0.2

export type Measured = Driven &
  Spent & {
    name: string
    limit: string
    limitPerSecond: number
    tpcBPerSecond: number
    /** Sent within the run: their processor time is part of the operation's. */
    emails: number
    goal?: number
  }

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '5' },
    only: { type: 'string' },
    folder: { type: 'string' },
  },
})
const tasks = Number(values.tasks)
const seconds = Number(values.seconds)
if (!(tasks >= 1000) || !(seconds >= 1)) throw new Error('Say --tasks 1000 or more and --seconds 1 or more')

const say = (line: string) => console.log(line)
needTools(say)
const dataDir = values.folder ?? folderFor(tasks)
const programDir = join(dataDir, 'program')
const emailFolder = join(programDir, 'mail')
const embedded = await startEmbedded({ dataDir, log: say })
let server: Running | undefined
let empty: Running | undefined
try {
  say(`A world of ${tasks.toLocaleString('en')} tasks:`)
  const { url, shape } = await freshWorld(embedded.connectionString, tasks, decisionsFor(seconds), say)
  const env = productionEnv(url, programDir, PORT)
  server = await start(['server/main.ts'], PORT, env)
  await warm(url)
  empty = await start(['tests/load/drive/empty-server.ts', String(EMPTY_PORT)], EMPTY_PORT, {})
  const database = openDatabase({ connectionString: url }, { max: 2, prepare: true })
  const people = await signedIn(database, readConfig(env), shape, 6)

  const measured: Measured[] = []
  let tpcBPerSecond = 0
  await allStatements()
  for (const operation of operationsOf(shape, people, seconds)) {
    if (values.only !== undefined && !operation.name.includes(values.only)) continue
    if (operation.once || tpcBPerSecond === 0) tpcBPerSecond = await tpcB(url, { clients: 64, seconds })
    measured.push(await measure(operation, url, server, tpcBPerSecond))
    say(headline(measured.at(-1) as Measured))
  }
  const { balanced } = await audit(database)
  await database.close()

  const table = asTable(measured)
  say(`\n${table}\n\nThe books ${balanced ? 'balance' : 'DO NOT BALANCE'} after the run.`)
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(
    join(FOLDER, `${tasks}.json`),
    `${JSON.stringify({ tasks, seconds, at: new Date().toISOString(), balanced, measured }, null, 2)}\n`,
  )
  if (!balanced || measured.some(({ errors }) => errors > 0)) process.exitCode = 1
} finally {
  await server?.stop()
  await empty?.stop()
  await embedded.stop()
}

/** The limit first, then the operation, one right after the other, so that both meet the same machine. */
async function measure(
  operation: Operation,
  url: string,
  running: Running,
  tpcBPerSecond: number,
): Promise<Measured> {
  const { name, connections, goal, rows = 1 } = operation
  const limitPerSecond = operation.limit === 'TPC-B' ? tpcBPerSecond : await limitOf(operation, url)
  const requests = operation.requests()
  const once = operation.once === true
  // What changes something is sent once, so the requests of the first second are others.
  const first = once ? requests.splice(-Math.floor(requests.length * FIRST_SHARE)) : requests
  await drive({ port: PORT, requests: first, connections, seconds: 1, once })
  await sleep(200)
  await emailsSent(emailFolder)
  const emailsBefore = countEmails(emailFolder)
  const watching = watch(running.pid, embedded.pid)
  const driven = await drive({ port: PORT, requests, connections, seconds, once })
  const spent = watching.stop()
  const emails = countEmails(emailFolder) - emailsBefore
  const limit = typeof operation.limit === 'string' ? operation.limit : 'pgbench'
  const perSecond = driven.perSecond * rows
  return {
    name,
    ...driven,
    perSecond,
    ...spent,
    emails,
    limit,
    limitPerSecond,
    tpcBPerSecond,
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
