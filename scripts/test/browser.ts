import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter'
import { findBrowser } from '#tests/support/browser.ts'
import { runCommand } from './command.ts'
import { requireTests, type TestResult } from './test-result.ts'

const RESULT = 'test-output/browser.json'

type Result = Omit<TestResult, 'seconds'>

/**
 * The tests of Playwright. One that passes only when it is repeated has failed.
 * @param under paths of files or folders; none for all.
 */
export async function runBrowserTests(under: string[]): Promise<TestResult> {
  try {
    await findBrowser(console.log)
  } catch (error) {
    return { passed: 0, failures: [(error as Error).message], seconds: 0 }
  }
  mkdirSync(path.dirname(RESULT), { recursive: true })
  rmSync(RESULT, { force: true })
  const { code, seconds } = await runCommand(
    ['node_modules/.bin/playwright', 'test', '--reporter=list,json', ...under],
    true,
    {
      PLAYWRIGHT_JSON_OUTPUT_FILE: path.resolve(RESULT),
    },
  )
  const result = { ...readResult(), seconds }
  if (code !== 0 && result.failures.length === 0)
    result.failures.push(`playwright test ended with exit code ${code}`)
  return requireTests(result, 'browser')
}

function readResult(): Result {
  const tally: Result = { passed: 0, failures: [] }
  let report: JSONReport
  try {
    report = JSON.parse(readFileSync(RESULT, 'utf8'))
  } catch {
    return tally
  }
  for (const error of report.errors) tally.failures.push(error.message ?? String(error.value))
  for (const suite of report.suites) count(suite, tally)
  return tally
}

function count(suite: JSONReportSuite, tally: Result): void {
  for (const inner of suite.suites ?? []) count(inner, tally)
  for (const spec of suite.specs) {
    for (const test of spec.tests) {
      if (test.status === 'skipped') continue
      if (test.status === 'expected') tally.passed++
      else {
        const words = test.results.flatMap((result) => result.errors.map((error) => error.message ?? ''))
        tally.failures.push(
          `${spec.file}:${spec.line} [${test.projectName}] ${spec.title}\n${words.join('\n')}`,
        )
      }
    }
  }
}
