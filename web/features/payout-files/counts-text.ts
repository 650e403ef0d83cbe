import { plural, t } from '@lingui/core/macro'
import type { StatementCounts } from '#contract/payout-statements.ts'
import { formatNumber } from '#web/lib/format.ts'

/** Returns what an import did, in a sentence. */
export function countsText(counts: StatementCounts): string {
  const known = formatNumber(counts.settled + counts.repeated)
  const [failed, pending] = [formatNumber(counts.failed), formatNumber(counts.pending)]
  const [confirmed, cases] = [counts.confirmed, counts.cases]
  return t`${plural(confirmed, { one: '# payout', other: '# payouts' })} confirmed, ${failed} failed, ${known} already known, ${pending} pending, ${{ ignored: formatNumber(counts.ignored) }} ignored, ${plural(cases, { one: '# case', other: '# cases' })}`
}
