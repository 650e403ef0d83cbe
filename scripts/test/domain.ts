import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filesUnder, runNodeTests } from './node-tests.ts'
import { requireTests, type TestResult } from './test-result.ts'

const ELSEWHERE = /^tests\/(e2e|load|chaos)\//
/** They start and kill servers and mostly wait for them; a process that computes runs meanwhile. */
const WAITING = /^(tests\/(process|live)|server\/database\/embedded)\//

/**
 * The tests of node:test, in two processes, because a process for each file would cost more than the tests in it. They
 * share one database server, and each describe block has a database of its own. One process takes the files from the
 * front, the other from the end, until none is left.
 * @param under paths of files or folders; none for all.
 */
export async function runDomainTests(under: string[]): Promise<TestResult> {
  const files = filesUnder('{contract,server,tests,scripts}/**/*.test.ts', under).filter(
    (file) => !ELSEWHERE.test(file),
  )
  // A long file that is taken last leaves the other process without work: the largest are at the end.
  const size = new Map(files.map((file) => [file, WAITING.test(file) ? 0 : statSync(file).size]))
  files.sort((one, other) => (size.get(one) ?? 0) - (size.get(other) ?? 0))
  const claims = mkdtempSync(path.join(tmpdir(), 'tallywork-claims-'))
  const run = (name: string, order: string[], show: boolean) =>
    runNodeTests({ name, args: ['scripts/test/domain-process.ts', claims, ...order], show })
  try {
    const results = await Promise.all([
      run('domain-0', files, true),
      ...(files.length > 1 ? [run('domain-1', files.toReversed(), false)] : []),
    ])
    const passed = results.reduce((sum, result) => sum + result.passed, 0)
    const failures = results.flatMap((result) => result.failures)
    return requireTests({ passed, failures }, under.join(' ') || 'domain')
  } finally {
    rmSync(claims, { recursive: true, force: true })
  }
}
