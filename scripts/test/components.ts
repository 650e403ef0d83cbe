import { filesUnder, runNodeTests } from './node-tests.ts'
import { requireTests, type TestResult } from './test-result.ts'

/**
 * The tests of the web app, in one process with a DOM (docs/decisions/0021-component-tests.md). The process is their
 * own: the DOM's globals would change the tests of the server.
 * @param under paths of files or folders; none for all.
 */
export async function runComponentTests(under: string[]): Promise<TestResult> {
  const result = await runNodeTests({
    name: 'components',
    files: filesUnder('web/**/*.test.{ts,tsx}', under),
    nodeOptions: ['--enable-source-maps', '--import', './web/testing/register.ts'],
    show: true,
  })
  return requireTests(result, under.join(' ') || 'components')
}
