import { useEffect, useState } from 'react'

const MINUTE_MS = 60_000

/** "2 d 4 h", "3 h 12 min", "5 min"; null when the time has come. */
export function timeLeft(until: string, now: number): string | null {
  const minutes = Math.ceil((new Date(until).getTime() - now) / MINUTE_MS)
  if (minutes <= 0) return null
  const [d, h, m] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60]
  if (d > 0) return h > 0 ? `${d} d ${h} h` : `${d} d`
  if (h > 0) return m > 0 ? `${h} h ${m} min` : `${h} h`
  return `${m} min`
}

/** The time, minute by minute. */
export function useCurrentMinute(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
