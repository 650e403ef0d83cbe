import { t } from '@lingui/core/macro'
import type { Submission } from '#contract/submissions.ts'
import { formatNumber } from '#web/lib/format.ts'

/** Returns the beginning of submitted work for a row of a list, with its item if it is about one. */
export function workOf({ item, submissoin_data }: Submission): string {
  const text = submissoin_data.slice(0, 160)
  return item === null ? text : t`Item ${{ number: formatNumber(item) }} · ${{ work: text }}`
}
