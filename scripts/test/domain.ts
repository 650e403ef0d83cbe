import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { runCommand } from './command.ts'
import { orNothingRan, type Tally } from './tally.ts'

const RESULT = 'test-output/domain.jsonl'
const ELSEWHERE = /^tests\/(e2e|load|chaos)\//

/**
 * The tests of node:test, all in one process: they share one server and each has a database of its own, and a process
 * for each file would cost more than the tests in it.
 * @param under paths of files or folders; none for all.
 */
export async function runDomainTests(under: string[]): Promise<Tally> {
  const files = testFiles(under)
  if (files.length === 0) return orNothingRan({ passed: 0, failures: [] }, under.join(' ') || 'domain')
  mkdirSync(path.dirname(RESULT), { recursive: true })
  rmSync(RESULT, { force: true })
  const { code } = await runCommand(
    [
      process.execPath,
      '--test',
      '--test-isolation=none',
      '--test-timeout=300000',
      '--test-force-exit', // a handle that a test forgot would hold the run open for ever
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./scripts/test/reporter.ts',
      `--test-reporter-destination=${RESULT}`,
      ...files,
    ],
    true,
  )
  const tally = readResult()
  if (code !== 0 && tally.failures.length === 0)
    tally.failures.push(`node --test ended with exit code ${code}`)
  return orNothingRan(tally, 'domain')
}

function testFiles(under: string[]): string[] {
  const all = globSync('{contract,server,web,tests,scripts}/**/*.test.ts').filter(
    (file) => !ELSEWHERE.test(file),
  )
  const places = under.map((place) => path.relative('.', path.resolve(place)))
  const wanted = (file: string) =>
    places.length === 0 || places.some((place) => file === place || file.startsWith(`${place}/`))
  return all.filter(wanted).sort()
}

function readResult(): Tally {
  const tally: Tally = { passed: 0, failures: [] }
  for (const line of readFileSync(RESULT, 'utf8').split('\n').filter(Boolean)) {
    const { failure } = JSON.parse(line) as { failure: string | null }
    if (failure === null) tally.passed++
    else tally.failures.push(failure)
  }
  return tally
}
