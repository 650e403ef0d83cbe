import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
/** Fixed waits and limits of time, which hold on one machine and fail on a busier one. */
const TIME =
  /waitForTimeout|timers\/promises|\bsetTimeout\(|performance\.now\(\)( *[-<>]|$)|AbortSignal\.timeout|\btimeout: *\d/
/** They measure time or break things on a schedule; none of them is part of `npm test`, or each says why it may. */
const EXCEPTIONS = [
  /^tests\/(abuse|load|chaos|ha)\//,
  'tests/waits.test.ts',
  'tests/support/eventually.ts', // the one place that waits
  'tests/support/server-process.ts', // the ceiling of a start
  'tests/support/browser.ts', // the installation of a browser
  'tests/identity/password-reset.test.ts', // a lower limit
]

test('tests wait for conditions, not for time', async () => {
  const paths = await Array.fromAsync(
    glob('{tests/**/*.ts,{server,web,contract,scripts}/**/*.{test,spec}.{ts,tsx}}', { cwd: ROOT }),
  )
  const isException = (path: string) =>
    EXCEPTIONS.some((one) => (typeof one === 'string' ? one === path : one.test(path)))
  const found: string[] = []
  for (const path of paths.filter((one) => !isException(one))) {
    const lines = (await readFile(join(ROOT, path), 'utf8')).split('\n')
    lines.forEach((line, index) => {
      if (TIME.test(line)) found.push(`${path}:${index + 1} ${line.trim()}`)
    })
  }
  assert.ok(paths.length > 100, 'The test reads the files it judges')
  assert.deepEqual(found, [])
})
