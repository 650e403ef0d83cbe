import { t } from '@lingui/core/macro'
import type { RejectionCategory } from '#contract/submission-states.ts'

/** The categories of a rejection, as workers, buyers and reviewers see them. */
export const REJECTION_CATEGORY_NAMES: Record<RejectionCategory, string> = {
  instructions: t`Does not follow the instructions`,
  incomplete: t`Incomplete`,
  wrong: t`Incorrect`,
  copied: t`Copied or computer-generated`,
  duplicate: t`Duplicate`,
  unusable: t`Unusable`,
}
