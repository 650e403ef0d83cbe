import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import { ApiError, call, callPage, type Input, type Page } from '#web/lib/api.ts'

/**
 * One key per endpoint and input: `keyOf(myTask)` names all lists of my tasks, for invalidation;
 * `keyOf(myTask, input)` names one.
 */
export function keyOf<E extends Endpoint>(endpoint: E, input?: Input<E>) {
  return input === undefined ? [endpoint.path] : [endpoint.path, input]
}

/** A reply as a query: `useSuspenseQuery(queryOf(taskDetails, { params: { id } }))`. */
export function queryOf<E extends Endpoint>(endpoint: E, input: Input<E>) {
  return queryOptions({
    queryKey: keyOf(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })
}

/** Whoever asks for more of a list gets so many more. */
const MORE = 50

/**
 * A list as a query that goes on page by page by the cursor in the answer's header: `limit` rows first, so that they
 * are there soon, then more at a time, so that a long list is read again in few requests.
 */
export function pagesOf<E extends Endpoint>(endpoint: E, input: Input<E>, limit = 20) {
  return infiniteQueryOptions({
    queryKey: [...keyOf(endpoint, input), 'pages'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) => {
      const query = {
        ...(input as { query?: object }).query,
        limit: pageParam === undefined ? limit : Math.max(limit, MORE),
        cursor: pageParam,
      }
      return callPage(endpoint, { ...input, query } as Input<E>, { signal })
    },
    getNextPageParam: (page: Page<E>) => page.next ?? undefined,
  })
}

/**
 * What the screens have read. Lists stay in memory for half an hour, so that the back button finds every page where
 * it was.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 30 * 60_000,
      retry: (count, error) => count < 2 && worthAnotherTry(error),
    },
  },
})

function worthAnotherTry(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 502
}
