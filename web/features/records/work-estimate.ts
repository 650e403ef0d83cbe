import { t } from '@lingui/core/macro'
import { formatCoins } from '#web/lib/format.ts'
import { formatRoundedDuration } from '#web/lib/format-time.ts'

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3600

/**
 * Returns how long a task takes and what it pays per hour, at its median working time. Returns null while too few have
 * worked on it.
 */
export function estimateWork(
  coins: number,
  workSeconds: number | null,
): { time: string; pay: string } | null {
  if (workSeconds === null) return null
  const duration = formatRoundedDuration(workSeconds)
  return {
    time: workSeconds < MINUTE_SECONDS ? duration : t`about ${duration}`,
    pay: t`about ${{ coins: formatCoins(Math.round((coins * HOUR_SECONDS) / workSeconds)) }} an hour`,
  }
}
