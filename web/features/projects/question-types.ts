import { t } from '@lingui/core/macro'
import type { QuestionType } from './question-values.ts'

export const QUESTION_TYPE_NAMES: Record<QuestionType, string> = {
  text: t`Short text`,
  long_text: t`Long text`,
  number: t`Number`,
  choice: t`One choice`,
  choices: t`Several choices`,
  link: t`Link`,
  picture: t`Pictures`,
}

/** The names of the limits of each type that has them. */
export const LIMIT_NAMES: Record<QuestionType, { least?: string; most?: string }> = {
  text: { least: t`Minimum characters`, most: t`Maximum characters` },
  long_text: { least: t`Minimum characters`, most: t`Maximum characters` },
  number: { least: t`Smallest number`, most: t`Largest number` },
  choice: {},
  choices: { least: t`Minimum choices`, most: t`Maximum choices` },
  link: {},
  picture: { most: t`Maximum pictures` },
}
