import { number } from '#web/lib/format.ts'
import { PlainButton } from '#web/ui/button.tsx'

type Props = {
  /** The result of `useInfiniteQuery(pagesOf(…))` or its suspending sister. */
  query: {
    data?: { pages: { reply: unknown; total: number | null }[] } | undefined
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => Promise<unknown>
  }
}

/** The next page of a list below its last row, and how much there is. */
export function LoadMore({ query }: Props) {
  const pages = query.data?.pages ?? []
  const shown = pages.reduce((sum, page) => sum + (Array.isArray(page.reply) ? page.reply.length : 0), 0)
  const total = pages[0]?.total ?? null
  if (!query.hasNextPage && pages.length < 2) return null
  return (
    <div className="mt-6 flex flex-col items-center gap-3">
      <p className="text-sm text-dim" aria-live="polite">
        {query.isFetchNextPageError
          ? 'The next page did not load. Try again.'
          : `Showing ${number(shown)}${total === null ? '' : ` of ${number(total)}`}`}
      </p>
      {query.hasNextPage && (
        <PlainButton
          variant="default"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Load more
        </PlainButton>
      )}
    </div>
  )
}
