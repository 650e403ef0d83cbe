import { formatCoins } from '#web/lib/format.ts'

const HOUR_SECONDS = 3600

/** Returns what a task pays per hour at its median working time, or null while too few have worked on it. */
export function hourlyPay(coins: number, workSeconds: number | null): string | null {
  if (workSeconds === null) return null
  return `About ${formatCoins(Math.round((coins * HOUR_SECONDS) / workSeconds))} an hour`
}
