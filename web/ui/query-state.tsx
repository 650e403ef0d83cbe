import type { ReactNode } from 'react'
import { errorMessage } from '#web/lib/api.ts'
import { ErrorState } from '#web/ui/error-state.tsx'

type Props = {
  /** The result of `useQuery` or `useInfiniteQuery`. */
  query: { error: Error | null; refetch: () => Promise<unknown> }
  skeleton: ReactNode
}

/** Renders a query without data: its error with a retry button, or the skeleton while it loads. */
export function QueryState({ query, skeleton }: Props) {
  return query.error ? (
    <ErrorState message={errorMessage(query.error)} retry={() => void query.refetch()} />
  ) : (
    skeleton
  )
}
