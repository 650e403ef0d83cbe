import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Input, Reply } from '#web/lib/api.ts'
import { queryOf } from '#web/lib/queries.ts'

/**
 * Returns what a form of a stored row starts from: a reply that was read since the form was opened, because an earlier one may lack
 * what another device saved since. Later ones do not replace it, so that it stays the version that is edited; the last one is
 * `latest`. `reload` reads it again, and `start` is undefined until then or until `error`.
 */
export function useFormStart<E extends Endpoint>(endpoint: E, input: Input<E>) {
  const query = useQuery({ ...queryOf(endpoint, input), refetchOnMount: 'always' })
  const { data: latest, status, isFetchedAfterMount, refetch } = query
  const isRead = isFetchedAfterMount && query.fetchStatus === 'idle'
  const [start, setStart] = useState<Reply<E>>()
  if (start === undefined && isRead && status === 'success') setStart(latest)
  return {
    start,
    latest,
    error: isRead ? query.error : null,
    reload: () => {
      void refetch()
      setStart(undefined)
    },
  }
}
