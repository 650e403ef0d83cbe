import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type Database, openDatabase } from '#server/database/database.ts'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { inSchema, ownFunctions } from '#server/database/function-set.ts'
import { lastUsedSchema } from '#server/database/installed-sets.ts'
import { productionEnv, type Running, start } from '#tests/load/server.ts'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { eventually } from '#tests/support/eventually.ts'
import { giveCoins } from '#tests/support/factories.ts'
import { copyAsNewerVersion, copyOfCommit, copyServer } from '#tests/support/server-copy.ts'
import { freePort } from '#tests/support/server-process.ts'
import { isInstalled, PROXIES, type ReverseProxy, stopProxy } from './proxies.ts'
import { signUpBuyers, slowClients, startLoad } from './rolling-load.ts'

/**
 * `npm run rolling -- --rounds 3`: restarts two instances behind a proxy one after the other under load, with open event
 * streams and slow clients, once with Caddy and once with HAProxy. With `--upgrade` each becomes a newer version in the last
 * round, which migrates while the other one still runs; `--from COMMIT` upgrades the version of that commit. Fails when one
 * request fails, when an acknowledged task is lost, or when a stop takes 15 s.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    proxy: { type: 'string' },
    upgrade: { type: 'boolean' },
    from: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const BUYERS = 8
const COINS = 1_000_000
const STOP_MAX_MS = 15_000
/** The proxies check every one or two seconds. */
const NOTICED_MS = 3_000

const chosen = PROXIES.filter(({ name }) => values.proxy === undefined || values.proxy === name)
const missing = chosen.filter((proxy) => !isInstalled(proxy)).map(({ name }) => name)
if (missing.length > 0) {
  console.error(
    `This needs ${missing.join(' and ')}. On Debian, as root: apt-get install ${missing.join(' ')}`,
  )
  process.exit(2)
}

const failures: string[] = []
for (const proxy of chosen) failures.push(...(await rollBehind(proxy)))
for (const failure of failures.slice(0, 20)) console.log(`✖ ${failure}`)
console.log(failures.length === 0 ? 'No request failed.' : `${failures.length} failures.`)
process.exitCode = failures.length === 0 ? 0 : 1

async function rollBehind(proxy: ReverseProxy): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tallywork-rolling-'))
  const embedded = await startEmbedded({ dataDir: join(folder, 'database'), log: () => {} })
  const instances: Running[] = []
  const ports = [await freePort(), await freePort()]
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  // Copies, so that the source files may change meanwhile.
  const { from } = values
  const current =
    from === undefined
      ? await copyServer(join(folder, 'current'))
      : copyOfCommit(join(folder, 'current'), from)
  const newer = await copyAsNewerVersion(join(folder, 'newer'))
  const begin = async (index: number, version: string) => {
    const listenOn = ports[index] as number
    const env = {
      ...productionEnv(embedded.connectionString, folder, listenOn),
      PUBLIC_URL: `http://localhost:${port}`,
      LOG_LEVEL: 'warn',
    }
    instances[index] = await start([join(version, 'server/main.ts')], listenOn, env)
  }
  for (const index of ports.keys()) await begin(index, current)
  const database = await openAsInstalled(embedded.connectionString)
  const child = proxy.start(folder, port, ports)
  try {
    await eventually(() =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    const buyers = await signUpBuyers(url, BUYERS)
    const { rows } = await database.pool.query<{ account_id: number }>('select account_id from users')
    for (const { account_id } of rows) await giveCoins(database, account_id, COINS)

    await sleep(NOTICED_MS)
    const load = await startLoad(url, buyers)
    const stops: number[] = []
    for (let round = 0; round < rounds; round++)
      for (const [index, instancePort] of ports.entries()) {
        await sleep(NOTICED_MS)
        const slow = slowClients(instancePort)
        const since = performance.now()
        await instances[index]?.stop()
        stops.push(performance.now() - since)
        for (const socket of slow) socket.destroy()
        await begin(index, values.upgrade && round === rounds - 1 ? newer : current)
      }
    await sleep(NOTICED_MS)
    await load.stop()

    const found = load.failures
    const { rows: stored } = await database.pool.query<{ id: string }>('select id from tasks')
    const ids = new Set(stored.map(({ id }) => id))
    const lost = load.acknowledged.filter((id) => !ids.has(id))
    for (const id of lost) found.push(`The acknowledged task ${id} is lost`)
    const longest = Math.max(...stops)
    if (longest > STOP_MAX_MS) found.push(`A stop took ${Math.round(longest / 1000)} s`)
    await expectBooksToBalance(database)
    console.log(
      `${proxy.name}: ${stops.length} restarts, ${load.requests} requests, ${load.streamsOpened} event streams, ` +
        `${found.length} failed; the longest stop took ${(longest / 1000).toFixed(1)} s`,
    )
    return found.map((failure) => `${proxy.name}: ${failure}`)
  } finally {
    await stopProxy(child)
    await Promise.all(instances.map((instance) => instance.stop()))
    await database.close()
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Opens a database for calls of the functions that its instances have installed. */
async function openAsInstalled(connectionString: string): Promise<Database> {
  const pool = new pg.Pool({ connectionString, max: 1 })
  const functions = inSchema(ownFunctions(), await lastUsedSchema(pool))
  await pool.end()
  return openDatabase({ connectionString }, { max: 2, prepare: true, functions })
}
