import { useEffect, useState } from 'react'
import type { ListedTask } from '#contract/tasks.ts'
import { readPreference, writePreference } from '#web/lib/preference.ts'

/** A longer pause begins a new visit; a reload does not. */
const VISIT_GAP_MS = 30 * 60_000

/** Returns when the user last looked at the lists of tasks before this visit, in milliseconds; null on the first one. */
export function useLastVisit(viewerId: string | undefined): number | null {
  const [since, setSince] = useState<number | null>(null)
  useEffect(() => {
    const key = `visit tasks ${viewerId ?? ''}`
    const [before, latest] = visitsOf(readPreference(key))
    const last = latest !== null && Date.now() - latest > VISIT_GAP_MS ? latest : before
    const store = () => writePreference(key, `${last ?? ''} ${Date.now()}`)
    store()
    setSince(last)
    return store
  }, [viewerId])
  return since
}

/** Returns whether a task was posted since the last visit. */
export const isNewSince = (task: ListedTask, since: number | null) =>
  since !== null && Date.parse(task.createdAt) > since

/** Parses the stored ends of the visit before and of the latest one. */
function visitsOf(stored: string | null): [before: number | null, latest: number | null] {
  const [before = null, latest = null] = (stored ?? '').split(' ').map((time) => Number(time) || null)
  return [before, latest]
}
