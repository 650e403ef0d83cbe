import { filesUnder, runNodeTests } from './node-tests.ts'
import { requireTests, type TestResult } from './test-result.ts'

const ELSEWHERE = /^tests\/(e2e|load|chaos)\//
/** They start and kill the server and mostly wait for it; the other group runs meanwhile. */
const WAITING = /^(tests\/(process|live)|server\/database\/embedded)\//

/**
 * The tests of node:test, in two processes: they share one server and each has a database of its own, and a process
 * for each file would cost more than the tests in it.
 * @param under paths of files or folders; none for all.
 */
export async function runDomainTests(under: string[]): Promise<TestResult> {
  const files = filesUnder('{contract,server,tests,scripts}/**/*.test.ts', under).filter(
    (file) => !ELSEWHERE.test(file),
  )
  const groups = [files.filter((file) => !WAITING.test(file)), files.filter((file) => WAITING.test(file))]
  const tally: TestResult = { passed: 0, failures: [] }
  const used = groups.filter((group) => group.length > 0)
  const runs = used.map((group, index) =>
    runNodeTests({ name: `domain-${index}`, files: group, show: index === 0 }),
  )
  for (const { passed, failures } of await Promise.all(runs)) {
    tally.passed += passed
    tally.failures.push(...failures)
  }
  return requireTests(tally, under.join(' ') || 'domain')
}
