// Soak test: an hour of load, to see that the server's memory stays flat. The short form detects a leak per request.
//
//   node tests/load/soak.ts [--minutes 60]
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/database/database.ts'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { allStatements } from '#tests/support/statements.ts'
import { print } from '../support/print.ts'
import { megabytesOf } from './drive/machine.ts'
import { median } from './drive/percentile.ts'
import { needTools } from './drive/tools.ts'
import { drive } from './drive/wrk.ts'
import { decisionsFor, operationsOf } from './operations.ts'
import { signedIn } from './people.ts'
import { productionEnv, start } from './server.ts'
import { folderFor, freshWorld } from './world/build.ts'

const PORT = 4930
const TASKS = 10_000
/** Between the median of the run's second fifth, when the server is warm, and that of its last fifth. */
const GROWTH_MAX = 1.1
const STRETCH_SECONDS = 5

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } })
const stretches = Math.max(10, Math.round((Number(values.minutes) * 60) / STRETCH_SECONDS))
needTools(print)
const dataDir = folderFor(TASKS)
const embedded = await startEmbedded({ dataDir, log: print })
try {
  const { url, shape } = await freshWorld(embedded.connectionString, TASKS, decisionsFor(2), print)
  const env = productionEnv(url, join(dataDir, 'server'), PORT)
  const server = await start(['server/main.ts'], PORT, env)
  try {
    const database = openDatabase({ connectionString: url }, { max: 1, prepare: true })
    const people = await signedIn(database, readConfig(env), shape, 3)
    await database.close()
    await allStatements()
    const operations = operationsOf(shape, people, 2).filter(
      ({ name, once }) => once !== true && name !== 'sign-in',
    )
    const requests = operations.flatMap((operation) => operation.requests()).sort(() => Math.random() - 0.5)

    const megabytes: number[] = []
    let asked = 0
    let errors = 0
    for (let stretch = 0; stretch < stretches; stretch++) {
      const driven = await drive({ port: PORT, requests, connections: 64, seconds: STRETCH_SECONDS })
      asked += driven.requests
      errors += driven.errors
      megabytes.push(megabytesOf(server.pid))
      if (stretch % Math.ceil(stretches / 12) === 0)
        print(`${asked.toLocaleString('en')} requests: ${megabytes.at(-1)} MB`)
    }
    const fifth = Math.floor(stretches / 5)
    const early = median(megabytes.slice(fifth, 2 * fifth))
    const late = median(megabytes.slice(-fifth))
    const flat = late <= early * GROWTH_MAX
    print(
      `${asked.toLocaleString('en')} requests in ${values.minutes} minutes, ${errors} errors: ${early} MB warm, ${late} MB at the end; ${flat ? 'flat' : 'NOT FLAT'}.`,
    )
    mkdirSync('test-output/bench', { recursive: true })
    writeFileSync(
      'test-output/bench/flat.json',
      `${JSON.stringify({ minutes: Number(values.minutes), asked, errors, early, late, flat, megabytes })}\n`,
    )
    if (!flat || errors > 0) process.exitCode = 1
  } finally {
    await server.stop()
  }
} finally {
  await embedded.stop()
}
