import { useEffect, useState } from 'react'
import { formatMinutes } from '#web/lib/format-time.ts'

const MINUTE_MS = 60_000

/** Returns the time left in its two largest units ("2 days 4 hours", "3 hours 12 minutes"); null when it is over. */
export function timeLeft(until: string, now: number): string | null {
  const total = Math.ceil((new Date(until).getTime() - now) / MINUTE_MS)
  return total <= 0 ? null : formatMinutes(total)
}

/** Returns the current time, updated every minute. */
export function useCurrentMinute(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
