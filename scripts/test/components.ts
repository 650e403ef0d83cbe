import { statSync } from 'node:fs'
import type PQueue from 'p-queue'
import { CEILING_MS } from '#tests/support/eventually.ts'
import { filesUnder, runNodeTests } from './node-tests.ts'
import { requireTests, sumResults, type TestResult } from './test-result.ts'

const PROCESSES = 2
const OPTIONS = [
  ...['--import', './web/testing/register.ts'],
  ...['--test', '--test-isolation=none', `--test-timeout=${3 * CEILING_MS}`],
]

/**
 * The tests of the web app, in processes with a DOM (docs/decisions/0021-component-tests.md). The processes are their
 * own: the DOM's globals would change the tests of the server.
 * @param cores runs as many processes at a time as there are cores.
 * @param under paths of files or folders; none for all.
 */
export async function runComponentTests(cores: PQueue, under: string[]): Promise<TestResult> {
  const groups = split(filesUnder('web/**/*.test.{ts,tsx}', under))
  const results = await Promise.all(
    groups.map((group, index) =>
      cores.add(
        () => runNodeTests({ name: `components-${index}`, args: [...OPTIONS, ...group], show: index === 0 }),
        // After the tests of the server, which wait for the database at times and would leave the cores idle at the end of a run.
        { priority: -1 },
      ),
    ),
  )
  return requireTests(sumResults(results), under.join(' ') || 'components')
}

/** Splits files into groups that take about the same time, as far as their sizes say. */
function split(files: string[]): string[][] {
  const groups = Array.from({ length: PROCESSES }, () => ({ size: 0, files: [] as string[] }))
  const sized = files.map((file) => ({ file, size: statSync(file).size }))
  for (const { file, size } of sized.sort((one, other) => other.size - one.size)) {
    const smallest = groups.reduce((best, group) => (group.size < best.size ? group : best))
    smallest.files.push(file)
    smallest.size += size
  }
  return groups.map((group) => group.files).filter((group) => group.length > 0)
}
