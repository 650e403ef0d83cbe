import { type InfiniteData, infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import { ApiError, call, callPage, type Input, type Page } from '#web/lib/api.ts'

/**
 * Returns the query key of an endpoint and its input. Without an input the key matches every query of the endpoint, for
 * invalidation.
 */
export function queryKeyOf<E extends Endpoint>(endpoint: E, input?: Input<E>) {
  return input === undefined ? [endpoint.path] : [endpoint.path, input]
}

/** Invalidates every query of the endpoints. Resolves when those of mounted components are refetched. */
export async function invalidateEndpoints(cache: QueryClient, endpoints: Iterable<Endpoint>): Promise<void> {
  await Promise.all(
    Array.from(endpoints, (endpoint) => cache.invalidateQueries({ queryKey: queryKeyOf(endpoint) })),
  )
}

/** Returns the options of a query: `useSuspenseQuery(queryOf(taskDetails, { params: { id } }))`. */
export function queryOf<E extends Endpoint>(endpoint: E, input: Input<E>) {
  return queryOptions({
    queryKey: queryKeyOf(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })
}

const NEXT_PAGE_LIMIT = 50

/**
 * Returns the options of an infinite query that follows the cursor in the response header. The first page has `limit`
 * rows, to arrive quickly; later pages are larger, so that a long list is refetched in few requests.
 */
export function infiniteQueryOf<E extends Endpoint>(endpoint: E, input: Input<E>, limit = 20) {
  return infiniteQueryOptions({
    queryKey: [...queryKeyOf(endpoint, input), 'pages'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) => {
      const query = {
        ...(input as { query?: object }).query,
        limit: pageParam === undefined ? limit : Math.max(limit, NEXT_PAGE_LIMIT),
        cursor: pageParam,
      }
      return callPage(endpoint, { ...input, query } as Input<E>, { signal })
    },
    getNextPageParam: (page: Page<E>) => page.next ?? undefined,
  })
}

/** Shows the rows of the last filter until those of the next arrive. A list without rows says nothing about the next filter. */
export function keepPreviousRows<Data>(previous: Data | undefined): Data | undefined {
  const list = previous as InfiniteData<{ reply: unknown[] }> | undefined
  return list?.pages.some(({ reply }) => reply.length > 0) ? previous : undefined
}

/** The query cache. Lists stay in memory for half an hour, so that the back button restores them with all pages. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 30 * 60_000,
      retry: (count, error) => count < 2 && isRetryableQuery(error),
    },
    // Without a network a button says so at once, and does nothing later that its user may not expect any more.
    mutations: { networkMode: 'always' },
  },
})

/*
 * The cache does not refetch a query whose first load is in flight when it is invalidated, and takes what that load brings for
 * up to date. It may have been read before the change.
 */
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'invalidate') return
  const { query } = event
  if (query.state.data !== undefined || query.state.fetchStatus !== 'fetching') return
  const invalidateAgain = () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
  query.promise?.then(invalidateAgain, () => {})
})

/** No response, or a server that is busy or restarts. */
function isRetryableQuery(error: Error): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 502
}
