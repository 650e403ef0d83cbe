/** The result of a part of the run. */
export type TestResult = {
  passed: number
  /** A text for each test that failed. */
  failures: string[]
  /** The processor time of the commands that ran the tests, in seconds. */
  seconds: number
}

/** A part that found nothing to run has not passed; something is misplaced. */
export function requireTests(result: TestResult, part: string): TestResult {
  const ran = result.passed + result.failures.length
  return ran > 0 ? result : { ...result, failures: [`${part}: no test ran`] }
}

/** Returns one result of several. */
export function sumResults(results: TestResult[]): TestResult {
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failures: results.flatMap(({ failures }) => failures),
    seconds: results.reduce((sum, { seconds }) => sum + seconds, 0),
  }
}
