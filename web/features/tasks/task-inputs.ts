import { t } from '@lingui/core/macro'
import { REVIEW_HOURS_MAX } from '#contract/product.ts'
import { formatMinutes, formatPeriod } from '#web/lib/format-time.ts'

/** Returns the times per worker to choose from, with the chosen one, which an API client may have set to any. */
export function reservationChoices(chosen: string) {
  return withChosen([15, 30, 60, 120, 240, 480, 1440], chosen).map((minutes) => ({
    value: String(minutes),
    label: formatMinutes(minutes),
  }))
}

/** Returns the review periods to choose from, with the chosen one; the marketplace's own has an empty value. */
export function reviewChoices(reviewDays: number, chosen: string) {
  const others = [24, 72, 168, 336, REVIEW_HOURS_MAX].filter((hours) => hours !== reviewDays * 24)
  return [
    { value: '', label: t`${{ period: formatPeriod(reviewDays * 24) }} (standard)` },
    ...withChosen(others, chosen).map((hours) => ({ value: String(hours), label: formatPeriod(hours) })),
  ]
}

function withChosen(choices: number[], chosen: string): number[] {
  const added = chosen === '' || choices.includes(Number(chosen)) ? [] : [Number(chosen)]
  return [...choices, ...added].toSorted((a, b) => a - b)
}
