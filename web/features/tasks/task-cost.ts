import { plural, t } from '@lingui/core/macro'
import { feeOf } from '#contract/product.ts'
import { formatNumber } from '#web/lib/format.ts'

export type Cost = { work: number; fee: number; total: number }

/** Returns the cost of a task: workers × pay, plus the marketplace's fee; null unless both are positive whole numbers. */
export function calculateCost(workers: unknown, pay: unknown, feePercent: number): Cost | null {
  if (!Number.isSafeInteger(workers) || !Number.isSafeInteger(pay)) return null
  const work = Number(workers) * Number(pay)
  if (Number(workers) < 1 || Number(pay) < 1 || !Number.isSafeInteger(work)) return null
  const fee = feeOf(work, feePercent)
  return { work, fee, total: work + fee }
}

/** Returns what the work costs, as a product: "3 workers × 25". */
export function workText(workers: number, pay: number): string {
  return t`${plural(workers, { one: '# worker', other: '# workers' })} × ${{ pay: formatNumber(pay) }}`
}
