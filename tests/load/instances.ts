// Many instances on one external PostgreSQL: the tests of the API and the races through PgBouncer in transaction mode,
// every other request sent to a second instance; then two whole servers behind a balancer.
//
//   npm run test:instances [-- path…]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '#server/database/database.ts'
import { expectBooksToBalance } from '#tests/support/books.ts'
import { asServer } from '#tests/support/database.ts'
import { print } from '../support/print.ts'
import { balance } from './instances/balancer.ts'
import { startExternal } from './instances/cluster.ts'
import { runScenario } from './instances/scenario.ts'
import { start } from './server.ts'

const PORTS = [4921, 4922]
const BALANCER = 4920
const failures: string[] = []
const asked = process.argv.slice(2)
/** Tests of the embedded database, and of a database that is made to be silent. */
const SELF_CONTAINED = /embedded|silence/

const external = await startExternal(false)
print(`${external.version}; ${external.pgbouncer} in transaction mode, names of statements off`)
try {
  await tests('the API and the races, straight to PostgreSQL', { TEST_DATABASE_URL: external.url })
  await tests('the API and the races, through PgBouncer', {
    TEST_DATABASE_URL: external.url,
    TEST_DATABASE_POOLED: external.pooledUrl,
  })
  await twoServers()
} finally {
  await external.stop()
}
for (const failure of failures) print(`✖ ${failure}`)
print(failures.length === 0 ? 'Everything held.' : `${failures.length} did not hold.`)
process.exitCode = failures.length === 0 ? 0 : 1

/** Everything that calls the API or races over the database, with two instances taking turns. */
async function tests(name: string, env: Record<string, string>): Promise<void> {
  const files = globSync('{server/**,tests/{api,security,live,identity}/**}/*.test.ts')
    .filter(
      (file) =>
        !SELF_CONTAINED.test(file) && (asked.length === 0 || asked.some((path) => file.startsWith(path))),
    )
    .sort()
  const child = spawn(
    process.execPath,
    ['--test', '--test-isolation=none', '--test-force-exit', '--test-reporter=dot', ...files],
    {
      env: { ...process.env, ...env, TEST_INSTANCES: '2' },
      stdio: 'inherit',
    },
  )
  const [code] = (await once(child, 'exit')) as [number | null]
  print(`${code === 0 ? '✔' : '✖'} ${name}: ${files.length} files`)
  if (code !== 0) failures.push(name)
}

/** Two servers, one database behind PgBouncer, a balancer before them. */
async function twoServers(): Promise<void> {
  const admin = new pg.Client({ connectionString: external.url })
  await admin.connect()
  await admin.query('create database instances')
  await admin.end()
  const url = (base: string) => base.replace(/\/postgres$/, '/instances')
  const dataDir = await mkdtemp(join(tmpdir(), 'tallywork-instances-'))
  const env = {
    DATABASE_MIGRATION_URL: url(external.url),
    DATABASE_URL: asServer(url(external.pooledUrl)),
    DATABASE_PREPARE: '0',
    DATA_DIR: dataDir,
    DEMO: '0',
    LOG_LEVEL: 'warn',
    AUTH_SECRET: 'a secret that all instances share, long enough',
    PUBLIC_URL: `http://localhost:${BALANCER}`,
  }
  // Both at once: one of them makes the tables, the other waits for it.
  const started = await Promise.allSettled(
    PORTS.map((port) => start(['server/main.ts'], port, { ...env, PORT: String(port) })),
  )
  const running = started.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
  const balancer = await balance(PORTS, BALANCER)
  try {
    for (const one of started) if (one.status === 'rejected') throw one.reason
    const proved = await runScenario(
      `http://localhost:${BALANCER}`,
      PORTS.map((port) => `http://localhost:${port}`),
    )
    for (const sentence of proved) print(`✔ ${sentence}`)
    const database = openDatabase({ connectionString: url(external.url) }, { max: 1, prepare: true })
    await expectBooksToBalance(database)
    await database.close()
    print('✔ the books balance')
  } catch (error) {
    failures.push(`two servers behind a balancer: ${(error as Error).message}`)
  } finally {
    balancer.closeAllConnections()
    balancer.close()
    await Promise.all(running.map((server) => server.stop()))
    await rm(dataDir, { recursive: true, force: true })
  }
}
