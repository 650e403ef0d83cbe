import { useSite } from '#web/features/site/site.ts'

/** Returns the month of today in the time zone of the site: "2026-11". Until the configuration is loaded, that of UTC. */
export function useCurrentMonth(): string {
  return (useSite()?.today ?? new Date().toISOString()).slice(0, 7)
}

/** Returns the month that is `by` months later: "2026-12". */
export function monthAfter(month: string, by: number): string {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + by)
  return date.toISOString().slice(0, 7)
}

export function isMonth(text: string): boolean {
  return /^20\d{2}-(0[1-9]|1[0-2])$/.test(text)
}
