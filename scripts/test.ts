// Runs everything that can fail, streams what happens, and closes with one line: N passed, N failed.
//
//   npm test                      everything
//   npm test -- checks            types, format and lint, promises, dead code, the build
//   npm test -- components        the tests of the web app's screens, in a DOM without a browser
//   npm test -- domain            the tests of rules and calls, on a real PostgreSQL
//   npm test -- browser           the tests in a real browser
//   npm test -- server/ledger     the tests under a path (tests/e2e/… runs in the browser)
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbedded } from '#server/database/embedded/launcher.ts'
import { runBrowserTests } from './test/browser.ts'
import { runChecks } from './test/checks.ts'
import { endCommands } from './test/command.ts'
import { runComponentTests } from './test/components.ts'
import { runDomainTests } from './test/domain.ts'
import type { TestResult } from './test/test-result.ts'

const PARTS = ['checks', 'components', 'domain', 'browser']
/** Two large texts that differ would push every other failure out of sight; the whole of it stands above. */
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

keepFilesInMemory()
keepCompiledModules()
const tallies: TestResult[] = []
if (wants('checks')) tallies.push(await runChecks())
const componentPaths = paths.filter(inWeb)
if (wants('components') || componentPaths.length > 0) tallies.push(await runComponentTests(componentPaths))
const domainPaths = paths.filter((place) => !inBrowser(place) && !inWeb(place))
const browserPaths = paths.filter(inBrowser)
if (wants('domain') || domainPaths.length > 0) tallies.push(await onServer(() => runDomainTests(domainPaths)))
if (wants('browser') || browserPaths.length > 0)
  tallies.push(await onServer(() => runBrowserTests(browserPaths)))

const failures = tallies.flatMap((tally) => tally.failures)
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
for (const failure of failures) console.log(`\n✖ ${failure.slice(0, FAILURE_CHARACTERS)}`)
console.log(`\n${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length > 0 ? 1 : 0

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

/** One PostgreSQL for all tests of a part, whose address they find in TEST_DATABASE_URL. It always goes again. */
async function onServer(run: () => Promise<TestResult>): Promise<TestResult> {
  if (process.env.TEST_DATABASE_URL) return run()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tallywork-test-'))
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    const embedded = await startEmbedded({ dataDir, log: console.log })
    process.env.TEST_DATABASE_URL = embedded.connectionString
    try {
      return await run()
    } finally {
      delete process.env.TEST_DATABASE_URL
      await embedded.stop()
    }
  } catch (error) {
    return { passed: 0, failures: [(error as Error).stack ?? String(error)] }
  } finally {
    remove()
    process.off('exit', remove)
  }
}
