import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filesUnder, runNodeTests } from './node-tests.ts'
import { requireTests, type TestResult } from './test-result.ts'

const ELSEWHERE = /^tests\/(e2e|load|chaos)\//
/** They start and kill servers and mostly wait for them: a process of their own runs them beside those that compute. */
const WAITING = /^(tests\/(process|live)|server\/database\/embedded)\//

/**
 * The tests of node:test, in three processes, because a process for each file would cost more than the tests in it. They
 * share one database server, and each describe block has a database of its own. Two processes take the files that
 * compute, one from the front and one from the end, and then what is left of the files that wait.
 * @param under paths of files or folders; none for all.
 */
export async function runDomainTests(under: string[]): Promise<TestResult> {
  const files = filesUnder('{contract,server,tests,scripts}/**/*.test.ts', under).filter(
    (file) => !ELSEWHERE.test(file),
  )
  const waiting = files.filter((file) => WAITING.test(file))
  // A long file that is taken last leaves the other process without work: the largest are at the end.
  const size = new Map(files.map((file) => [file, statSync(file).size]))
  const computing = files
    .filter((file) => !WAITING.test(file))
    .sort((one, other) => (size.get(one) ?? 0) - (size.get(other) ?? 0))
  const orders = [
    [...computing, ...waiting.toReversed()],
    [...computing.toReversed(), ...waiting.toReversed()],
    waiting,
  ].slice(0, files.length)
  const claims = mkdtempSync(path.join(tmpdir(), 'tallywork-claims-'))
  try {
    const results = await Promise.all(
      orders
        .filter((order) => order.length > 0)
        .map((order, index) =>
          runNodeTests({
            name: `domain-${index}`,
            args: ['scripts/test/domain-process.ts', claims, ...order],
            show: index === 0,
          }),
        ),
    )
    const passed = results.reduce((sum, result) => sum + result.passed, 0)
    const failures = results.flatMap((result) => result.failures)
    return requireTests({ passed, failures }, under.join(' ') || 'domain')
  } finally {
    rmSync(claims, { recursive: true, force: true })
  }
}
