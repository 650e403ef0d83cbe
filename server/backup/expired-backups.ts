/** The newest backup of each of this many days, weeks and months is kept. */
const KEEP = { days: 7, weeks: 5, months: 12 }

/** Returns the name of a backup made at a time, like `2026-11-22T023000Z`. Names sort by time. */
export function backupName(time: Date): string {
  return `${time.toISOString().slice(0, 19).replaceAll(':', '')}Z`
}

export const BACKUP_NAME = /^\d{4}-\d\d-\d\dT\d{6}Z$/

/**
 * Returns which backups of a folder have expired: all but the newest of each of the last 7 days, 5 weeks and 12 months that
 * have one. Other names are not touched.
 */
export function expiredBackups(names: readonly string[]): string[] {
  const newestFirst = names
    .filter((name) => BACKUP_NAME.test(name))
    .sort()
    .reverse()
  const kept = new Set([
    ...newestOfEach(newestFirst, dayOf, KEEP.days),
    ...newestOfEach(newestFirst, mondayOf, KEEP.weeks),
    ...newestOfEach(newestFirst, (name) => name.slice(0, 7), KEEP.months),
  ])
  return newestFirst.filter((name) => !kept.has(name))
}

function newestOfEach(newestFirst: string[], periodOf: (name: string) => string, count: number): string[] {
  const newest = new Map<string, string>()
  for (const name of newestFirst) {
    const period = periodOf(name)
    if (!newest.has(period)) newest.set(period, name)
  }
  return [...newest.values()].slice(0, count)
}

const dayOf = (name: string) => name.slice(0, 10)

function mondayOf(name: string): string {
  const day = new Date(`${dayOf(name)}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
  return day.toISOString().slice(0, 10)
}
