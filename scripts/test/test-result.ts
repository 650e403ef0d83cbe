/** What a part of the run brought: how many passed, and a text for each that failed. */
export type Tally = { passed: number; failures: string[] }

/** A part that found nothing to run has not passed; something is misplaced. */
export function orNothingRan(tally: Tally, part: string): Tally {
  const ran = tally.passed + tally.failures.length
  return ran > 0 ? tally : { passed: 0, failures: [`${part}: no test ran`] }
}
