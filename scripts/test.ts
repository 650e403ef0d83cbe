// Runs everything that can fail, streams what happens, and closes with one line: N passed, N failed.
//
//   npm test                      everything
//   npm test -- checks            types, format and lint, promises, dead code, the build
//   npm test -- components        the tests of the web app's screens, in a DOM without a browser
//   npm test -- domain            the tests of business rules and the API, on a real PostgreSQL
//   npm test -- browser           the tests in a real browser
//   npm test -- server/ledger     the tests under a path, long ones too (tests/e2e/… runs in the browser)
//   npm run test:long             everything, long tests too
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import PQueue from 'p-queue'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { copyPreparedData, prepareData } from '#tests/support/prepared-data.ts'
import { runBrowserTests } from './test/browser.ts'
import { runChecks } from './test/checks.ts'
import { endCommands, takeSeconds } from './test/command.ts'
import { runComponentTests } from './test/components.ts'
import { runDomainTests } from './test/domain.ts'
import { machineSeconds } from './test/processor-time.ts'
import { sumResults, type TestResult } from './test/test-result.ts'

const PARTS = ['checks', 'components', 'domain', 'browser']
/** Limits a failure in the summary; the full text is printed above. */
const FAILURE_CHARACTERS = 8000
const asked = process.argv.slice(2)
const paths = asked.filter((word) => !PARTS.includes(word))
const isUnder = (folder: string, place: string) =>
  !path.relative(folder, path.resolve(place)).startsWith('..')
const inBrowser = (place: string) => isUnder('tests/e2e', place)
const inWeb = (place: string) => isUnder('web', place)
const wants = (part: string) => asked.length === 0 || asked.includes(part)

process.chdir(path.dirname(import.meta.dirname))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    endCommands()
    process.exit(1)
  })
}

// A test that is named runs. The processes that run the tests inherit this.
if (paths.length > 0) process.env.LONG = '1'
keepFilesInMemory()
keepCompiledModules()
const begun = { at: Date.now(), busy: machineSeconds() }
/** Commands that compute, as many at a time as they keep two cores busy. */
const cores = new PQueue({ concurrency: 2 })
const results = await runAsked()

const { passed, failures } = sumResults(results)
for (const failure of failures) console.log(`\n✖ ${failure.slice(0, FAILURE_CHARACTERS)}`)
const wall = (Date.now() - begun.at) / 1000
const busy = machineSeconds() - begun.busy
console.log(
  `\n${wall.toFixed(0)} s, in which the machine was busy for ${busy.toFixed(0)} s of processor time`,
)
console.log(`\n${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length > 0 ? 1 : 0

/**
 * Runs the parts that are asked for, one beside the other: each has times in which it waits. They begin when the web app is
 * built.
 */
async function runAsked(): Promise<TestResult[]> {
  const checks = wants('checks') ? runChecks(cores) : undefined
  const componentPaths = paths.filter(inWeb)
  const domainPaths = paths.filter((place) => !inBrowser(place) && !inWeb(place))
  const browserPaths = paths.filter(inBrowser)
  const parts: Promise<TestResult>[] = []
  if (checks) parts.push(timed('checks', checks.checked))
  await checks?.built
  if (wants('domain') || domainPaths.length > 0)
    parts.push(
      timed(
        'domain',
        onServer(() => runDomainTests(cores, domainPaths)),
      ),
    )
  if (wants('components') || componentPaths.length > 0)
    parts.push(timed('components', runComponentTests(cores, componentPaths)))
  if (wants('browser') || browserPaths.length > 0) parts.push(timed('browser', runBrowserTests(browserPaths)))
  return Promise.all(parts)
}

/** Prints what a part brought and used when it ends. */
async function timed(part: string, running: Promise<TestResult>): Promise<TestResult> {
  const begin = Date.now()
  const result = await running
  const seconds = ((Date.now() - begin) / 1000).toFixed(0)
  console.log(
    `\n${part}: ${result.passed} passed, ${result.failures.length} failed in ${seconds} s, ${result.seconds.toFixed(0)} s of processor time`,
  )
  return result
}

/** Keeps temporary files in memory where there is room: a database is many small files, and a disk syncs each. */
function keepFilesInMemory(): void {
  if (process.env.TMPDIR !== undefined || !existsSync('/dev/shm')) return
  const { bavail, bsize } = statfsSync('/dev/shm')
  if (bavail * bsize >= 4 * 1024 ** 3) process.env.TMPDIR = '/dev/shm'
}

/** Lets the servers and test processes share their compiled modules: a third of what a start of the server computes. */
function keepCompiledModules(): void {
  process.env.NODE_COMPILE_CACHE ??= path.join(tmpdir(), 'node-compile-cache')
}

/**
 * Runs tests with a PostgreSQL that they share, whose URL they find in TEST_DATABASE_URL, and a data directory for the
 * servers that they start, in TEST_PREPARED_DATA. Both are always removed.
 */
async function onServer(run: () => Promise<TestResult>): Promise<TestResult> {
  if (process.env.TEST_DATABASE_URL) return run()
  const folder = mkdtempSync(path.join(tmpdir(), 'tallywork-test-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    const prepared = path.join(folder, 'prepared')
    await prepareData(prepared)
    const dataDir = path.join(folder, 'shared')
    process.env.TEST_PREPARED_DATA = prepared
    copyPreparedData(dataDir)
    const embedded = await startEmbedded({ dataDir, log: console.log })
    process.env.TEST_DATABASE_URL = embedded.connectionString
    let result: TestResult
    try {
      result = await run()
    } finally {
      delete process.env.TEST_DATABASE_URL
      delete process.env.TEST_PREPARED_DATA
      await embedded.stop()
    }
    const seconds = takeSeconds()
    console.log(`The database used ${seconds.toFixed(0)} s of processor time.`)
    return { ...result, seconds: result.seconds + seconds }
  } catch (error) {
    return { passed: 0, failures: [(error as Error).stack ?? String(error)], seconds: 0 }
  } finally {
    remove()
    process.off('exit', remove)
  }
}
