import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Role } from '#contract/endpoint.ts'
import { type Waiting, waiting } from '#contract/waiting.ts'
import { WAITING_KINDS } from '#web/features/waiting/kinds.ts'
import { formatNumber } from '#web/lib/format.ts'
import { queryKeyOf, queryOf } from '#web/lib/queries.ts'

/** What other Admins do reaches this one without an event. */
const ADMIN_INTERVAL_MS = 60_000

/** Returns the query of what waits for the user. */
export function useWaiting() {
  return useQuery(queryOf(waiting, {}))
}

/** Returns how much waits in total, and by the path of the sidebar's screens. Keeps it up to date for a user in a role. */
export function useWaitingCounts(role: Role | undefined): { total: number; byScreen: Map<string, number> } {
  const queryClient = useQueryClient()
  const { data } = useQuery({
    ...queryOf(waiting, {}),
    enabled: role !== undefined,
    refetchInterval: role === 'Admin' ? ADMIN_INTERVAL_MS : false,
  })

  useEffect(
    () =>
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'success')
          void queryClient.invalidateQueries({ queryKey: queryKeyOf(waiting) })
      }),
    [queryClient],
  )
  return useMemo(() => countByScreen(data ?? []), [data])
}

function countByScreen(data: Waiting[]) {
  const byScreen = new Map<string, number>()
  let total = 0
  for (const { kind, count } of data) {
    const { to, countedAt = to, inProgress } = WAITING_KINDS[kind]
    if (inProgress) continue
    total += count
    byScreen.set(countedAt, (byScreen.get(countedAt) ?? 0) + count)
  }
  return { total, byScreen }
}

/** Formats the number of a badge: at most two digits, then "99+". */
export function formatBadge(count: number): string {
  return count > 99 ? `${formatNumber(99)}+` : formatNumber(count)
}
