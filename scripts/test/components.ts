import { filesUnder, runNodeTests } from './node-tests.ts'
import { requireTests, type TestResult } from './test-result.ts'

const PROCESSES = 2

/**
 * The tests of the web app, in processes with a DOM (docs/decisions/0021-component-tests.md). The processes are their
 * own: the DOM's globals would change the tests of the server.
 * @param under paths of files or folders; none for all.
 */
export async function runComponentTests(under: string[]): Promise<TestResult> {
  const files = filesUnder('web/**/*.test.{ts,tsx}', under)
  const groups = Array.from({ length: PROCESSES }, (_, process) =>
    files.filter((_, index) => index % PROCESSES === process),
  ).filter((group) => group.length > 0)
  const results = await Promise.all(
    groups.map((group, index) =>
      runNodeTests({
        name: `components-${index}`,
        files: group,
        nodeOptions: ['--enable-source-maps', '--import', './web/testing/register.ts'],
        show: index === 0,
      }),
    ),
  )
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const failures = results.flatMap((result) => result.failures)
  return requireTests({ passed, failures }, under.join(' ') || 'components')
}
