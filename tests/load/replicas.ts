// Measures how much of the primary's work a read replica takes away: a mixed day without it, then with it.
//
//   node tests/load/replicas.ts --tasks 10000 --seconds 10
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/database/database.ts'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startWithReplica } from '#tests/support/replica.ts'
import { freePort } from '#tests/support/server-process.ts'
import { allStatements } from '#tests/support/statements.ts'
import { print } from '../support/print.ts'
import { watch } from './drive/machine.ts'
import { needTools } from './drive/tools.ts'
import { drive } from './drive/wrk.ts'
import { decisionsFor, operationsOf } from './operations.ts'
import { signedIn } from './people.ts'
import { METRICS_TOKEN, productionEnv, start } from './server.ts'
import { freshWorld } from './world/build.ts'

const { values } = parseArgs({
  options: { tasks: { type: 'string', default: '10000' }, seconds: { type: 'string', default: '10' } },
})
const [tasks, seconds] = [Number(values.tasks), Number(values.seconds)]
/** Reads that bring a fresh copy into the memory of both servers. */
const WARMED = /^(task list|task details|notifications|review list)/
needTools(print)
await allStatements()

const folder = await mkdtemp(join(tmpdir(), 'tallywork-replicas-'))
await chmod(folder, 0o711)
const [dataDir, copyDir] = [join(folder, 'primary'), join(folder, 'replica')]
const empty = await startEmbedded({ dataDir, log: print })
await freshWorld(empty.connectionString, tasks, decisionsFor(seconds), print)
await empty.stop()
const { primary, replica } = await startWithReplica(dataDir, copyDir)
try {
  const without = await mixedDay('without a replica')
  const having = await mixedDay('with a replica', named(replica.connectionString, 'run'))
  print(`The primary spends ${Math.round(100 * (1 - having / without))} % less processor time on a request.`)
} finally {
  await replica.stop()
  await primary.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Runs the mixed day of the bench once. Returns the primary's processor time per request in milliseconds. */
async function mixedDay(name: string, replicaUrl?: string): Promise<number> {
  const { url, shape } = await freshWorld(primary.connectionString, tasks, decisionsFor(seconds), print)
  const port = await freePort()
  const env = {
    ...productionEnv(url, join(folder, 'server'), port),
    ...(replicaUrl !== undefined && { REPLICA_URL: replicaUrl }),
  }
  const server = await start(['server/main.ts'], port, env)
  const database = openDatabase({ connectionString: url }, { max: 2, prepare: true })
  try {
    const metrics = async () => {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
      return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text()
    }
    if (replicaUrl !== undefined)
      await eventually(async () => /^replica_in_use\{.*\} 1$/m.test(await metrics()))
    const people = await signedIn(database, readConfig(env), shape, 6)
    const operations = operationsOf(shape, people, seconds)
    const day = operations.find((one) => one.name.startsWith('a mixed day'))
    if (day === undefined) throw new Error('The bench has no mixed day')
    for (const { connections, requests } of operations.filter((one) => WARMED.test(one.name)))
      await drive({ port, requests: requests(), connections, seconds: 1 })
    const requests = day.requests()
    const watching = [watch(server.pid, primary.pid), watch(server.pid, replica.pid)]
    const driven = await drive({ port, requests, connections: day.connections, seconds, once: true })
    const [ofPrimary, ofReplica] = watching.map((one) => one.stop().databaseCpu)
    const perRequest = (percent = 0) => (percent * 10) / driven.perSecond
    print(
      `${name}: ${Math.round(driven.perSecond)} requests/s, ${driven.errors} errors, p99 ${driven.p99.toFixed(0)} ms; ` +
        `processor time per request: primary ${perRequest(ofPrimary).toFixed(3)} ms, replica ${perRequest(ofReplica).toFixed(3)} ms`,
    )
    const shown = /^replica_(eligible|reads)|^http_request_duration_seconds_count\{.*status="[45]/
    for (const line of (await metrics()).split('\n').filter((one) => shown.test(one))) print(`  ${line}`)
    return perRequest(ofPrimary)
  } finally {
    await database.close()
    await server.stop()
  }
}

function named(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
