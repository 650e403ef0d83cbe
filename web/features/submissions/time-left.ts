import { plural } from '@lingui/core/macro'
import { useEffect, useState } from 'react'

const MINUTE_MS = 60_000

/** Returns the time left in its two largest units ("2 days 4 hours", "3 hours 12 minutes"); null when it is over. */
export function timeLeft(until: string, now: number): string | null {
  const total = Math.ceil((new Date(until).getTime() - now) / MINUTE_MS)
  return total <= 0 ? null : formatMinutes(total)
}

/** Formats minutes in their two largest units: 90 → "1 hour 30 minutes". */
export function formatMinutes(total: number): string {
  const [days, hours, minutes] = [Math.floor(total / 1440), Math.floor((total % 1440) / 60), total % 60]
  const texts = [
    days > 0 && plural(days, { one: '# day', other: '# days' }),
    hours > 0 && plural(hours, { one: '# hour', other: '# hours' }),
    days === 0 && minutes > 0 && plural(minutes, { one: '# minute', other: '# minutes' }),
  ]
  return texts.filter((text) => text !== false).join(' ')
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
