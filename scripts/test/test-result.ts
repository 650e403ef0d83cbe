/** What a part of the run brought: how many passed, and a text for each that failed. */
export type TestResult = { passed: number; failures: string[] }

/** A part that found nothing to run has not passed; something is misplaced. */
export function requireTests(tally: TestResult, part: string): TestResult {
  const ran = tally.passed + tally.failures.length
  return ran > 0 ? tally : { passed: 0, failures: [`${part}: no test ran`] }
}
