import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { formatNumber } from '#web/lib/format.ts'

/** Returns the whole seconds left until a time, updated every second; 0 when it is over. */
export function useCountdown(until: string): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((new Date(until).getTime() - now) / 1000))
}

/** The server lapses an expired reservation within this time. */
const RECHECK_MS = 15_000

/** Calls `onExpire` when a reservation is over, and repeatedly until it is not shown any more. */
export function useExpiry(isOver: boolean, onExpire: () => void): void {
  const latest = useRef(onExpire)
  useLayoutEffect(() => {
    latest.current = onExpire
  })
  useEffect(() => {
    if (!isOver) return
    latest.current()
    const timer = setInterval(() => latest.current(), RECHECK_MS)
    return () => clearInterval(timer)
  }, [isOver])
}

/** Formats seconds as a clock does: `4:09`, `1:04:09`. */
export function formatCountdown(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const twoDigits = (value: number) => `${value < 10 ? formatNumber(0) : ''}${formatNumber(value)}`
  const rest = twoDigits(seconds % 60)
  return hours > 0
    ? `${formatNumber(hours)}:${twoDigits(minutes)}:${rest}`
    : `${formatNumber(minutes)}:${rest}`
}
