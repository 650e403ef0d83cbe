import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { waiting } from '#contract/waiting.ts'
import { invalidateEndpoints } from '#web/lib/queries.ts'

/**
 * Returns a function that makes a change and then reads `endpoints` and what waits for the user again, also after an error: a
 * request without a response may have changed something. `pendingId` is the id of the row that is changed, until `endpoints` were
 * read; null without a change in flight.
 */
export function useChange(endpoints: readonly Endpoint[]) {
  const queryClient = useQueryClient()
  const [pending, setPending] = useState<{ id: string } | null>(null)

  async function change<Result>(id: string, send: () => Promise<Result>): Promise<Result> {
    const own = { id }
    setPending(own)
    try {
      return await send()
    } finally {
      void invalidateEndpoints(queryClient, [waiting])
      // The next change may be in flight already.
      const end = () => setPending((last) => (last === own ? null : last))
      void invalidateEndpoints(queryClient, endpoints).then(end)
    }
  }

  return { change, pendingId: pending?.id ?? null }
}
