import type { RejectionCategory } from '#contract/submission-states.ts'

/** The categories of a rejection, as workers, buyers and reviewers see them. */
export const CATEGORY_NAMES: Record<RejectionCategory, string> = {
  instructions: 'Does not follow the instructions',
  incomplete: 'Incomplete',
  wrong: 'Wrong',
  copied: 'Copied or machine-made',
  duplicate: 'Duplicate',
  unusable: 'Unusable',
}
