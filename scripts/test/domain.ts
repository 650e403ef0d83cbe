import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { runCommand } from './command.ts'
import { requireTests, type TestResult } from './test-result.ts'

const ELSEWHERE = /^tests\/(e2e|load|chaos)\//
/** They start and kill the program and mostly wait for it; the others run meanwhile. */
const WAITING = /^tests\/(process|live)\//

/**
 * The tests of node:test, in two processes: they share one server and each has a database of its own, and a process
 * for each file would cost more than the tests in it.
 * @param under paths of files or folders; none for all.
 */
export async function runDomainTests(under: string[]): Promise<TestResult> {
  const files = testFiles(under)
  const groups = [files.filter((file) => !WAITING.test(file)), files.filter((file) => WAITING.test(file))]
  const tally: TestResult = { passed: 0, failures: [] }
  mkdirSync('test-output', { recursive: true })
  const used = groups.filter((group) => group.length > 0)
  const runs = used.map((group, index) =>
    runTogether(group, `test-output/domain-${index}.jsonl`, index === 0),
  )
  for (const { passed, failures } of await Promise.all(runs)) {
    tally.passed += passed
    tally.failures.push(...failures)
  }
  return requireTests(tally, under.join(' ') || 'domain')
}

/** @param show whether its output goes to ours as it comes; otherwise it follows in one piece. */
async function runTogether(files: string[], result: string, show: boolean): Promise<TestResult> {
  rmSync(result, { force: true })
  const { code, output } = await runCommand(
    [
      process.execPath,
      '--test',
      '--test-isolation=none',
      '--test-timeout=300000',
      '--test-force-exit', // a handle that a test forgot would hold the run open for ever
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./scripts/test/reporter.ts',
      `--test-reporter-destination=${result}`,
      ...files,
    ],
    show,
  )
  if (!show) console.log(output)
  const tally = readResult(result)
  if (code !== 0 && tally.failures.length === 0)
    tally.failures.push(`node --test ended with exit code ${code}`)
  return tally
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

function readResult(result: string): TestResult {
  const tally: TestResult = { passed: 0, failures: [] }
  for (const line of readFileSync(result, 'utf8').split('\n').filter(Boolean)) {
    const { failure } = JSON.parse(line) as { failure: string | null }
    if (failure === null) tally.passed++
    else tally.failures.push(failure)
  }
  return tally
}
